"""`chunkscope verify`: the promises every run makes, and the proof in the YAML."""

from __future__ import annotations

from chunking.cli_inputs import AsJson, ConfigPath, Paths, places, read_config, source_bytes
from chunking.cli_terminal import CHECK_FAILED, DONE, Progress, Trouble, say, say_json
from chunking.config import DocumentProof
from chunking.errors import DocumentError
from chunking.loading import read
from chunking.proving import differences, document_proof, proof_of
from chunking.showing import shown_text
from chunking.verifying import broken_promises, config_problems


def verify_command(config: ConfigPath, paths: Paths, json: AsJson = False) -> None:
    """Check what every run promises, and the proof in the YAML when it has one; print what fails."""
    settings, promised = read_config(config)
    trouble = Trouble()
    failures = list(config_problems(settings))
    proven: dict[str, DocumentProof] = {}
    checked = 0
    for found in Progress(results_on_screen=False).through(places(paths, trouble)):
        try:
            document, source = read(found), source_bytes(found.path)
        except DocumentError as error:
            trouble.report(error)
            continue
        result, problems = broken_promises(document, settings)
        checked += 1
        failures += [f"{document.name}: {problem}" for problem in problems]
        if result is not None:
            proven[document.name] = document_proof(source, result.fingerprint, result.descriptions)
    if promised is not None:
        failures += differences(promised, proof_of(settings, proven))
    if json:
        say_json({"documents": checked, "proof": promised is not None, "failures": failures})
    else:
        for failure in failures:
            say(shown_text(failure, 1000))
        if not failures:
            say(f"{checked} documents hold every promise" + (" and the proof" if promised is not None else ""))
    trouble.leave(CHECK_FAILED if failures else DONE)
