"""What costs money or memory, behind protocols of one method. Nothing is loaded before it is
used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.models.embedders import CachedEmbedder as CachedEmbedder
    from chunking.models.embedders import embedder as embedder
    from chunking.models.http_embedders import PROVIDERS as PROVIDERS
    from chunking.models.late_chunking import LateEmbedder as LateEmbedder
    from chunking.models.late_chunking import token_embedder as token_embedder
    from chunking.models.local_embedder import LOCAL_MODEL as LOCAL_MODEL
    from chunking.models.prices import price_of as price_of
    from chunking.models.requests import Doing as Doing
    from chunking.models.requests import Step as Step
    from chunking.models.requests import ask as ask
    from chunking.models.requests import estimate as estimate
    from chunking.models.requests import key_of as key_of
    from chunking.models.requests import server_of as server_of
    from chunking.models.requests import steps as steps
    from chunking.models.rerankers import RERANKERS as RERANKERS
    from chunking.models.rerankers import CachedReranker as CachedReranker
    from chunking.models.rerankers import reranker as reranker
    from chunking.models.waiting import Waiting as Waiting
    from chunking.models.waiting import while_waiting as while_waiting
else:
    __getattr__, __all__ = front(
        __name__,
        embedders=("CachedEmbedder", "embedder"),
        http_embedders=("PROVIDERS",),
        local_embedder=("LOCAL_MODEL",),
        late_chunking=("LateEmbedder", "token_embedder"),
        prices=("price_of",),
        rerankers=("RERANKERS", "CachedReranker", "reranker"),
        requests=("Doing", "Step", "ask", "estimate", "key_of", "server_of", "steps"),
        waiting=("Waiting", "while_waiting"),
    )
