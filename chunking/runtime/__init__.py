"""State of the whole Python process: cached values, garbage collector, installed extras, errors,
and the processes that it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.runtime.extras import missing as missing
    from chunking.runtime.freeing import Freeing as Freeing
    from chunking.runtime.host_names import ip_of as ip_of
    from chunking.runtime.host_names import is_loopback as is_loopback
    from chunking.runtime.host_names import is_same_origin as is_same_origin
    from chunking.runtime.host_names import parsed_host as parsed_host
    from chunking.runtime.made_once import once as once
    from chunking.runtime.processes import WorkerPool as WorkerPool
    from chunking.runtime.processes import in_processes as in_processes
    from chunking.runtime.regular_file import opened_file as opened_file
    from chunking.runtime.run_limits import within as within
    from chunking.runtime.text_memory import VARIABLE as VARIABLE
    from chunking.runtime.text_memory import in_megabytes as in_megabytes
    from chunking.runtime.text_memory import memory as memory
    from chunking.runtime.whole_file import replacing as replacing
else:
    __getattr__, __all__ = front(
        __name__,
        extras=("missing",),
        freeing=("Freeing",),
        host_names=("ip_of", "is_loopback", "is_same_origin", "parsed_host"),
        made_once=("once",),
        processes=("WorkerPool", "in_processes"),
        regular_file=("opened_file",),
        run_limits=("within",),
        text_memory=("VARIABLE", "in_megabytes", "memory"),
        whole_file=("replacing",),
    )
