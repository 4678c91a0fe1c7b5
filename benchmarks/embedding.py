"""What the local embedder makes of its model: `python -m benchmarks.embedding`.

Sentences of the documents are embedded by `LocalEmbedder` and by the bare ONNX session, in turn:
onnxruntime with its own settings, batches of 32 in the order of the text, each as wide as its
longest sentence, tokenized before and not counted. What is given is sentences a second of wall
time, medians, and the median of the rounds' ratios. The vectors of both are compared.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from benchmarks.texts import text_of
from chunking import parse
from chunking.document.sentences import sentences_in
from chunking.models.local_embedder import MAX_TOKENS, MODEL_FILE, MODEL_SHA256, LocalEmbedder, checked_file
from chunking.tokens.tokenizer_files import whole_minilm

_BATCH = 32
Vectors = npt.NDArray[np.float32]


class BareSession:
    """The model as onnxruntime runs it where nothing is said."""

    def __init__(self, texts: Sequence[str]) -> None:
        from onnxruntime import InferenceSession  # type: ignore[import-untyped]

        self._session = InferenceSession(checked_file(MODEL_FILE, MODEL_SHA256), providers=["CPUExecutionProvider"])
        tokenizer = whole_minilm()
        tokenizer.enable_truncation(MAX_TOKENS)
        pieces = [each.ids for each in tokenizer.encode_batch(list(texts))]
        self._batches = [_fed(pieces[at : at + _BATCH]) for at in range(0, len(pieces), _BATCH)]

    def __call__(self) -> Vectors:
        found = []
        for fed in self._batches:
            states, mask = self._session.run(None, fed)[0], fed["attention_mask"][:, :, np.newaxis]
            mean = (states * mask).sum(axis=1) / mask.sum(axis=1)
            found.append(mean / np.linalg.norm(mean, axis=1, keepdims=True))
        return np.concatenate(found).astype(np.float32)


def _fed(pieces: Sequence[Sequence[int]]) -> dict[str, npt.NDArray[np.int64]]:
    ids = np.zeros((len(pieces), max(map(len, pieces))), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, of in enumerate(pieces):
        ids[row, : len(of)], mask[row, : len(of)] = of, 1
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embedding", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few sentences and one round: proves that it runs")
    parser.add_argument("--corpus", help="a folder of Markdown; sample_docs when left out")
    chosen = parser.parse_args()
    number, rounds = (40, 1) if chosen.quick else (2_000, 5)
    texts = sentences_of(text_of(400 * number, chosen.corpus))[:number]
    ours, bare = LocalEmbedder(), BareSession(texts)
    least_alike = float((ours(texts) * bare()).sum(axis=1).min())
    seen = [(_seconds(lambda: ours(texts)), _seconds(bare)) for _ in range(rounds)]
    speeds = [len(texts) / statistics.median(each) for each in zip(*seen, strict=True)]
    ratio = statistics.median(bare_took / took for took, bare_took in seen)
    print(f"{len(texts):,} sentences; sentences a second: local embedder {speeds[0]:.0f}, bare session {speeds[1]:.0f}")
    print(f"ratio {ratio:.2f}; the least cosine of a vector of both: {least_alike:.4f}")


def sentences_of(text: str) -> list[str]:
    """The different sentences of its paragraphs."""
    document = parse(text)
    spans = [each.span for each in document.blocks if each.kind == "paragraph"]
    found = (text[each.start : each.end].strip() for span in spans for each in sentences_in(document, span))
    return list(dict.fromkeys(each for each in found if each))


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
