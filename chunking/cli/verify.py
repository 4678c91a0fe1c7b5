"""`chunkscope verify`: the promises every run makes, the proof in the YAML, and the checklist of
section-rules. Of a folder that a run wrote: verify_folder.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from chunking.analysis.invariants import broken_promises, config_problems
from chunking.analysis.section_rules_checklist import ChecklistItem, ModuleCount, checklist, module_counts
from chunking.cli.inputs import (
    AsJson,
    Documents,
    Exclude,
    Given,
    Include,
    Root,
    TextColumn,
    announce,
    given,
    places,
    read_config,
    with_loader,
)
from chunking.cli.outputs import keep_inputs
from chunking.cli.terminal import CHECK_FAILED, DONE, ErrorLog, ProgressLine, chunk_numbers, print_json, print_line
from chunking.cli.verify_folder import FolderCheck, run_folder_at
from chunking.config.config import DocumentProof, Proof
from chunking.config.proof import (
    check_tokenizer,
    differences,
    document_proof,
    names_in_proof,
    notes,
    proof_of,
    source_hash,
)
from chunking.document.folders import FoundFile
from chunking.document.loading import bytes_of, read_from
from chunking.errors import ConfigError, DocumentError
from chunking.imported import audit_of, other_versions
from chunking.runs import Run
from chunking.runtime.faults import document_fault
from chunking.text.display import counted, shown_text


def verify_command(
    config: Annotated[
        str,
        typer.Argument(
            metavar="CONFIG",
            help="A YAML file, - for standard input, a strategy's name for its defaults, another tool's chunks, "
            "--chunker or --chunker-command as for `run`; or a folder that `run -o FOLDER/` wrote, whose parts are "
            "compared with what its config makes of the documents. Left out: the nearest chunkscope.yaml, or "
            "[tool.chunkscope] of a pyproject.toml.",
        ),
    ],
    paths: Documents = None,
    with_checklist: Annotated[
        bool, typer.Option("--checklist", help="Also report section-rules' checklist, line by line.")
    ] = False,
    expect: Annotated[
        list[str] | None, typer.Option(metavar="MODULE=LOW-HIGH", help="How many chunks a module should give.")
    ] = None,
    json: AsJson = False,
    root: Root = None,
    include: Include = None,
    exclude: Exclude = None,
    text_column: TextColumn = "",
) -> None:
    """Check what every run promises, and the proof in the YAML when it has one; print what
    fails."""
    chosen = given(paths or (), root, include, exclude, text_column)
    if folder := run_folder_at(config):
        if with_checklist or expect:
            raise ConfigError("--checklist and --expect: are for a config and documents; give those")
        _verify_folder(folder, chosen, json=json)
    if not paths:
        raise DocumentError("verify: which documents? Give files and folders behind the config")
    keep_inputs({}, {"the config": config}, chosen.paths, chosen.selection)
    settings, promised = read_config(config)
    settings = with_loader(settings, None, None, text_column)
    chosen = chosen.for_configs(settings)
    if promised is not None:
        check_tokenizer(settings, promised)
    expected = dict(_expected(each) for each in expect or ())
    errors = ErrorLog()
    failures = list(config_problems(settings))
    cutting = [settings.strategy, *(settings.with_override(each).strategy for each in settings.overrides)]
    failures += dict.fromkeys(said for each in cutting for said in other_versions(each))
    proven: dict[str, DocumentProof] = {}
    runs: list[Run] = []
    checks: dict[str, tuple[ChecklistItem, ...]] = {}
    checked = 0
    wanted = _under_proven_names([*places(chosen, errors)], promised)
    for found in ProgressLine(results_on_screen=False).through(wanted):
        try:
            source = bytes_of(found)
            document = read_from(source, found)
            announce(document, settings)
            result, problems = broken_promises(document, settings)
        except BaseException as error:
            errors.report(document_fault(error, found.name))
            continue
        checked += 1
        audited = audit_of(result.config.strategy, document, result.config.counter) if result else None
        if audited and not audited.faultless:
            problems.append(audited.summary)
        failures += [f"{document.name}: {problem}" for problem in problems]
        if result is None:
            continue
        errors.note_descriptions(result)
        proven[document.name] = document_proof(source, result.fingerprint, result.descriptions, document)
        if with_checklist:
            checks[document.name] = checklist(result)
            runs.append(result)
    if promised is not None:
        failures += differences(promised, proof_of(settings, proven))
    said = list(notes(promised, proof_of(settings, proven))) if promised is not None else []
    counts = module_counts(runs, expected) if with_checklist or expected else ()
    failures += [_failure(name, check) for name, lines in checks.items() for check in lines if _failed(check)]
    failures += [_line(count) for count in counts if not count.passed]
    if json:
        report = {"checklist": {name: [check.to_dict() for check in lines] for name, lines in checks.items()}}
        modules = {"modules": [count.to_dict() for count in counts]}
        base = {"documents": checked, "proof": promised is not None, "failures": failures}
        base |= {"notes": said} if said else {}
        print_json({**base, **report, **modules} if with_checklist else base)
    else:
        for line in _report(checks, counts):
            print_line(shown_text(line, 1000))
        for line in (*failures, *said):
            print_line(shown_text(line, 1000))
        if not failures:
            outcome = "all checks and the fingerprint match" if promised is not None else "all checks pass"
            print_line(f"{counted(checked, 'document')} verified: {outcome}")
    errors.exit_with(CHECK_FAILED if failures else DONE)


def _verify_folder(folder: Path, chosen: Given, *, json: bool) -> NoReturn:
    errors = ErrorLog()
    check = FolderCheck(folder, chosen.selection)
    check.run(chosen, errors)
    if json:
        print_json({"documents": check.checked, "proof": True, "failures": check.failures})
    else:
        for failure in check.failures:
            print_line(shown_text(failure, 1000))
        if not check.failures and (check.checked or not errors.count):
            print_line(f"{counted(check.checked, 'document')} verified: every part is what the config makes of it")
    errors.exit_with(CHECK_FAILED if check.failures else DONE)


def _under_proven_names(found: Sequence[FoundFile], promised: Proof | None) -> Iterator[FoundFile]:
    """The documents under the names that the proof has for them, by what is in their files: ids
    depend on the name."""
    if promised is None:
        yield from found
        return
    names = names_in_proof(promised, [(each.name, _source_hash(each)) for each in found])
    for each, name in zip(found, names, strict=True):
        taken = each.name in promised.documents  # by another file, which is what the proof is about
        own = each.place if taken else each.name
        yield replace(each, name=own if name is None else name)


def _source_hash(found: FoundFile) -> str:
    """Of the file as it is; empty where it cannot be read, which is said when it is checked."""
    try:
        return source_hash(bytes_of(found))
    except DocumentError:
        return ""


def _expected(text: str) -> tuple[str, tuple[int, int]]:
    """`module-2=35-50` as the module and its range. Raises ConfigError for anything else."""
    module, _, span = text.rpartition("=")
    low, _, high = span.partition("-")
    if not (module and low.isascii() and low.isdigit() and high.isascii() and high.isdigit() and int(low) <= int(high)):
        raise ConfigError(f"--expect {shown_text(text, 60)}: must be MODULE=LOW-HIGH, such as module-2=35-50")
    return module, (int(low), int(high))


def _failed(check: ChecklistItem) -> bool:
    return not check.passed and not check.warning


def _failure(name: str, check: ChecklistItem) -> str:
    return f"{name}: not so: {check.asks} ({chunk_numbers(check.failing)})"


def _report(checks: dict[str, tuple[ChecklistItem, ...]], counts: tuple[ModuleCount, ...]) -> list[str]:
    """Every line of every checklist, pass or fail or a warning, and the chunks of each module."""
    lines = []
    for name, each in checks.items():
        lines.append(name)
        for check in each:
            mark = "pass" if check.passed else "warn" if check.warning else "FAIL"
            lines.append(f"  {mark}  {check.asks}" + ("" if check.passed else f": {chunk_numbers(check.failing)}"))
    return [*lines, *(_line(count) for count in counts)]


def _line(count: ModuleCount) -> str:
    expected = f", expected {count.expected[0]} to {count.expected[1]}" if count.expected else ""
    made = f"{counted(count.chunks, 'chunk')} in {counted(count.chapters, 'chapter')}"
    return f"module {count.module or '(none)'}: {made}{expected}"
