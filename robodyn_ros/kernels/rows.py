"""Threads that share the rows of a batch."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

_pools: dict[int, ThreadPoolExecutor] = {}


def available_threads() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def share_rows(serve: Callable[[int, int], int], rows: int, threads: int, multiple: int) -> int:
    """Call `serve(begin, end)` for blocks that cover all rows, and return the sum of the results.

    Args:
        serve: Releases the interpreter lock while it works.
        rows: How many there are.
        threads: How many blocks at most, one of them on the calling thread.
        multiple: What the length of a block (but the last) is a multiple of.
    """
    turns = -(-rows // multiple)
    blocks = max(1, min(threads, turns))
    if blocks == 1:
        return serve(0, rows)
    bounds = [min(rows, turns * k // blocks * multiple) for k in range(blocks + 1)]
    pool = _pool(blocks - 1)
    others = [pool.submit(serve, *block) for block in itertools.pairwise(bounds[1:])]
    return serve(0, bounds[1]) + sum(other.result() for other in others)


def _pool(size: int) -> ThreadPoolExecutor:
    if size not in _pools:
        _pools[size] = ThreadPoolExecutor(size, thread_name_prefix="robodyn-kernel")
    return _pools[size]


# Threads do not survive a fork: the child starts its own.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.clear)
