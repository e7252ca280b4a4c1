"""Threads that share the rows of a batch."""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

PORTIONS = 4
"""Blocks for each thread."""

_pools: dict[int, ThreadPoolExecutor] = {}


def available_threads() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def share_rows(serve: Callable[[int, int], int], rows: int, threads: int, multiple: int) -> int:
    """Call `serve(begin, end)` for blocks that cover all rows, and return the sum of the results.

    Every thread takes the next block when it has done one, so that a processor that is busy with
    something else holds nobody up.

    Args:
        serve: Releases the interpreter lock while it works.
        rows: How many there are.
        threads: How many take part at most, the calling one among them.
        multiple: What the length of a block (but the last) is a multiple of.
    """
    turns = -(-rows // multiple)
    threads = max(1, min(threads, turns))
    if threads == 1:
        return serve(0, rows)
    count = min(turns, threads * PORTIONS)
    bounds = [min(rows, turns * k // count * multiple) for k in range(count + 1)]
    blocks = deque(itertools.pairwise(bounds))

    def take() -> int:
        total = 0
        while True:
            try:
                begin, end = blocks.popleft()
            except IndexError:
                return total
            total += serve(begin, end)

    try:
        pool = _pool(threads - 1)
        helpers = [pool.submit(take) for _ in range(threads - 1)]
    except RuntimeError:  # the interpreter is about to end and starts no threads any more
        helpers = []
    return take() + sum(helper.result() for helper in helpers if not helper.cancel())


def _pool(size: int) -> ThreadPoolExecutor:
    if size not in _pools:
        _pools[size] = ThreadPoolExecutor(size, thread_name_prefix="robodyn-kernel")
    return _pools[size]


# Threads do not survive a fork: the child starts its own.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.clear)
