"""What every test may lean on: where the shared read-only material is, and how long hypothesis may
search.

Tests run side by side, those in a browser one after another in one process beside the rest, some
of them at the end in whichever process is free. Only these may be run again where they fail: each
rerun is printed, and more than `MOST_RERUNS` of them fail the session.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from shared_material import shared_dir
from xdist.scheduler import LoadScopeScheduling

settings.register_profile(
    "chunkscope", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("chunkscope")
# Where SIGINT is ignored, as under nohup, whatever the tests start would ignore it too.
signal.signal(signal.SIGINT, signal.default_int_handler)

BROWSER = Path(__file__).parent / "browser"
LAST = {f"test_{name}.py" for name in ("source_view", "streamlit_dom", "threshold_rail", "tune", "what_if")}
"""Files of browser tests that come after everything else."""
RERUNS_OF_A_TEST = 2
MOST_RERUNS = 5


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker("browser")
            item.add_marker(pytest.mark.flaky(reruns=RERUNS_OF_A_TEST))
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    """The long row of browser tests is begun first; those at the end let the processes end
    together."""
    if BROWSER not in item.path.parents:
        return 1
    return 2 if item.path.name in LAST else 0


class OneRow(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Deals the tests out to the processes one by one, but browser tests as one row, and the last
    of them by file."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        if not file.startswith("tests/browser/"):
            return nodeid
        return file if Path(file).name in LAST else "browser"


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> OneRow:
    config.option.loadscopereorder = False
    return OneRow(config, log)


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


@pytest.fixture(name="shared")
def _shared() -> Path:
    """`shared_dir()` as a fixture."""
    return shared_dir()
