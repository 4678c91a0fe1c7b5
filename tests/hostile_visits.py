"""Uploads every hostile file to a real server of the app, as a browser does, and looks at the page
that comes back: for hostile_files.py.

Each file has a session of its own. The page has to show what was uploaded, by every strategy, or
one line that says why not; no fault of the script, and nothing of the file as HTML. Configs come as
links, the only way in which the app takes settings from somebody else.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).parents[1]))  # where benchmarks is

from hostile_outcomes import BUDGET, MOST_SECONDS, Case, Outcome, answers, config_of, variants

from benchmarks.app_client import RefusedError, Visit, VisitError
from benchmarks.app_server import health_watched, serve
from benchmarks.processes import cpu_seconds_of
from chunking import strategies

_DRAWING = 3.0
"""Seconds of CPU that a page may take beside the cutting."""
_ELEMENT = re.compile(r"<(script|img|iframe|object|svg[^>]*onload)\b", re.IGNORECASE)
_PROBLEM = 'class="cs-problem"'


def visits(folder: Path, chosen: Sequence[tuple[str, Case]], limits: str) -> Iterator[Outcome]:
    """What the app makes of the files, one after the other."""
    with TemporaryDirectory() as home:
        server, address = serve(Path(home))
        loop = asyncio.new_event_loop()
        try:
            with health_watched(address) as health:
                for kind, case in chosen:
                    asked = len(health)
                    outcomes = loop.run_until_complete(_visited(address, server.pid, folder, kind, case, limits))
                    if float("inf") in health[asked:]:
                        outcomes.append(Outcome(case["id"], "app", "health", crash="it did not answer in a minute"))
                    if server.poll() is not None:
                        raise SystemExit(f"the server ended at {case['id']} with {server.returncode}")
                    yield from outcomes
            print(f"the server's health was asked {len(health):,} times: slowest answer {max(health):.2f} s")
        finally:
            loop.close()
            server.terminate()
            server.wait()


async def _visited(address: str, server: int, folder: Path, kind: str, case: Case, limits: str) -> list[Outcome]:
    """One file, uploaded and looked at in every way."""
    outcomes: list[Outcome] = []
    steps = _links(address, folder, case) if kind == "configs" else _uploads(address, folder, kind, case, limits)
    while True:
        outcome = Outcome(case["id"], "app", "", budget=case.get("budget_s", BUDGET) + _DRAWING)
        began = cpu_seconds_of(server)
        try:
            outcome.way, outcome.found = await anext(steps)
            if outcome.way == "semantic":
                outcome.budget = MOST_SECONDS  # the local model's time
        except StopAsyncIteration:
            return outcomes
        except (VisitError, OSError, TimeoutError) as error:
            outcome.crash = f"{type(error).__name__}: {error}"
            return [*outcomes, outcome]
        finally:
            outcome.seconds = cpu_seconds_of(server) - began
        outcomes.append(outcome)


Step = tuple[str, list[str]]
"""What was done, and what is wrong on the page afterwards."""


async def _uploads(address: str, folder: Path, kind: str, case: Case, limits: str) -> AsyncIterator[Step]:
    name, content, allowed = _uploaded(folder, kind, case)
    async with await Visit.open(address, strategy="heading-window") as visit:
        try:
            await visit.upload((name, content))
        except RefusedError as error:
            yield "upload", [] if "refused" in allowed else [str(error)]
            return
        shown = "document=sample" not in visit.query
        yield "upload", [*_of_a_page(visit), *_of_an_upload(visit, shown, allowed)]
        if not shown:
            return
        if limits != "small":
            for strategy in strategies.names():
                await visit.choose("strategy", strategy)
                yield strategy, list(_of_a_page(visit))
        if limits != "default" and kind == "texts":
            document = re.search("document=[^&]*", visit.query)
            for variant in variants("small", case["max_tokens"]):
                link = urlencode({"strategy": variant.name, **config_of(variant).to_query()})
                visit.query = f"{document[0] if document else ''}&{link}"
                await visit.run()
                yield str(variant), list(_of_a_page(visit))


def _uploaded(folder: Path, kind: str, case: Case) -> tuple[str, bytes, set[str]]:
    """The name, the bytes, and what may become of them."""
    if kind == "names":
        return case["name"], b"# A\n\nwords\n", {"read", "refused"}
    if kind == "archives":
        content = (folder / "archives" / case["file"]).read_bytes()
        return case["file"], content, {"read", "refused"}  # beside what is refused in it, other members are read
    allowed = answers(case["must"]) | ({"refused"} if "chunks=0" in case["must"] else set())
    return f"{case['id']}.md", (folder / case["file"]).read_bytes(), allowed


async def _links(address: str, folder: Path, case: Case) -> AsyncIterator[Step]:
    """The lines of a config as settings in a link."""
    lines = (folder / case["file"]).read_bytes().decode("utf-8", "replace").splitlines()
    pairs = [line.strip().partition(":")[::2] for line in lines if ":" in line]
    for strategy in ("heading-window", "fixed"):
        query = {"strategy": strategy, **{key.strip()[:200]: value.strip()[:2000] for key, value in pairs}}
        async with await Visit.open(address, **query) as visit:
            yield strategy, list(_of_a_page(visit))


def _of_a_page(visit: Visit) -> Iterator[str]:
    """What no page may have, and what each must have."""
    yield from (f"an exception on the page: {each}" for each in visit.exceptions())
    if not visit.component("number_strip"):
        yield "the page shows no numbers of a run"
    body = re.sub(r"<style.*?</style>", "", visit.markup(), flags=re.DOTALL)
    if found := _ELEMENT.search(body):
        yield f"live HTML on the page: {body[found.start() : found.start() + 80]!r}"


def _of_an_upload(visit: Visit, shown: bool, allowed: set[str]) -> Iterator[str]:
    refused = _PROBLEM in visit.markup()
    if shown and "read" not in allowed:
        yield "is shown, and must be refused"
    if not shown and "refused" not in allowed:
        problem = visit.markup().partition(_PROBLEM)[2][:200]
        yield f"is not shown, and must be: {problem}"
    if not shown and not refused:
        yield "is neither shown nor refused"
