"""What every test may lean on: where the shared read-only material is, and how long hypothesis may
search.

Tests run side by side, file by file. Those in a browser wait more than they compute: two processes
do them, beside the rest. Only these may be run again where they fail: each rerun is printed, and
more than `MOST_RERUNS` of them fail the session. Those marked `long` run with `--long`, or where
their file or they themselves are named.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from ssl import SSLContext

import httpcore2
import pytest
from hypothesis import HealthCheck, settings
from shared_material import shared_dir
from xdist.scheduler import LoadScopeScheduling

for profile, examples in {"few": 5, "usual": 20, "long": 100}.items():
    settings.register_profile(
        profile, deadline=None, max_examples=examples, suppress_health_check=[HealthCheck.too_slow], print_blob=True
    )
settings.load_profile("usual")
# Where SIGINT is ignored, as under nohup, whatever the tests start would ignore it too.
signal.signal(signal.SIGINT, signal.default_int_handler)

BROWSER = Path(__file__).parent / "browser"
IN_A_BROWSER = "tests/browser/"
PROCESSES_WITH_A_BROWSER = 2
LONG_FOR_THEIR_SIZE = {
    *("test_pdf", "test_stopped", "test_login", "test_review", "test_beyond_loopback", "test_layout_shift"),
    *("test_one_run_interrupted", "test_threads", "test_extras", "test_corpus_jobs", "test_corpus_workers"),
    *("test_mcp", "test_ci_gates", "test_more_ways", "test_draft_job"),
}
"""Files that wait for processes, servers or models: half a minute and more."""
RERUNS_OF_A_TEST = 2
MOST_RERUNS = 5


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also the tests marked long")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("long"):
        settings.load_profile("long")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("long") and not any(".py" in named for named in config.args):
        left_out = [item for item in items if item.get_closest_marker("long")]
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]
        config.hook.pytest_deselected(items=left_out)
    for item in items:
        if _turn(item.path)[0]:
            item.add_marker("browser")
            item.add_marker(pytest.mark.flaky(reruns=RERUNS_OF_A_TEST))
    items.sort(key=lambda item: _turn(item.path))


@cache
def _turn(file: Path) -> tuple[bool, bool, int]:
    """Whether its tests are in a browser: these come last. Of both rows the long files come before
    the short ones, so that the processes end together."""
    return BROWSER in file.parents, file.stem not in LONG_FOR_THEIR_SIZE, -file.stat().st_size


class TwoRows(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Deals the tests out by file, so that what a file's tests share is made once, and those in a
    browser to the first two processes; a process goes on with the others' when its own are done."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.partition("::")[0]

    def _assign_work_unit(self, node: object) -> None:
        browsing = node in list(self.assigned_work)[:PROCESSES_WITH_A_BROWSER]
        own = next((each for each in self.workqueue if each.startswith(IN_A_BROWSER) == browsing), None)
        if own is not None:
            self.workqueue.move_to_end(own, last=False)
        super()._assign_work_unit(node)


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> TwoRows:
    config.option.loadscopereorder = False
    return TwoRows(config, log)


def pytest_xdist_auto_num_workers() -> int:
    """One for each core, and those that mostly wait for a browser."""
    return (os.cpu_count() or 1) + PROCESSES_WITH_A_BROWSER


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if reruns_of(session.config) > MOST_RERUNS:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    reruns = reruns_of(config)
    if reruns:
        verdict = "which fails the session" if reruns > MOST_RERUNS else "which is allowed"
        terminalreporter.write_line(f"browser tests were run again {reruns} times (at most {MOST_RERUNS}), {verdict}")


def reruns_of(config: pytest.Config) -> int:
    """How often a test of this session was run again; 0 in a process that only runs tests for
    another."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return len(reporter.stats.get("rerun", ())) if reporter else 0


@pytest.fixture(autouse=True, scope="session")
def _cache_of_this_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What models answer and what is marked is kept in folders of the tests' own, not in the
    user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CHUNKSCOPE_CACHE", str(tmp_path_factory.mktemp("answers")))
        patch.setenv("CHUNKSCOPE_DATA", str(tmp_path_factory.mktemp("marks")))
        patch.setenv("CHUNKSCOPE_KEEP_MB", "0")  # else a document of one test is there in the next
        yield


@pytest.fixture(autouse=True, scope="session")
def _certificates_are_read_once() -> Iterator[None]:
    """Each new client of a server reads all authorities that the environment names, which takes
    longer than most tests' answers."""
    read = httpcore2.default_ssl_context

    @cache
    def trusted_by(trusts_environment: bool, _file: str | None, _folder: str | None) -> SSLContext:
        return read(_trust_env=trusts_environment)

    def trusted(*, _trust_env: bool = True) -> SSLContext:
        return trusted_by(_trust_env, os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpcore2, "default_ssl_context", trusted)
        yield


@pytest.fixture(name="shared")
def _shared() -> Path:
    """`shared_dir()` as a fixture."""
    return shared_dir()
