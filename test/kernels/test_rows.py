"""Rows are shared so that each is served once, whoever is busy."""

from __future__ import annotations

import multiprocessing
import os
import threading

import pytest

from robodyn_ros.kernels import rows as rows_module
from robodyn_ros.kernels.rows import available_threads, share_rows

DEADLINE = 30.0


@pytest.mark.parametrize("threads", [-1, 0, 1, 2, 7])
@pytest.mark.parametrize("multiple", [1, 4, 8])
@pytest.mark.parametrize("rows", [1, 3, 4, 5, 31, 32, 1000])
def test_every_row_once_in_whole_turns(rows, multiple, threads):
    served = []

    def serve(begin, end):
        served.append((begin, end))
        return end - begin

    assert share_rows(serve, rows, threads, multiple) == rows
    assert sorted(row for block in served for row in range(*block)) == list(range(rows))
    assert all(begin % multiple == 0 for begin, _ in served)


def test_several_threads_take_part():
    both = threading.Barrier(2, timeout=DEADLINE)
    names = set()

    def serve(begin, end):
        if len(names) < 2:
            names.add(threading.current_thread().name)
            both.wait()
        return 0

    share_rows(serve, 2, 2, 1)
    assert len(names) == 2


def test_a_busy_pool_holds_nobody_up():
    release = threading.Event()
    busy = rows_module._pool(1).submit(release.wait, DEADLINE)
    try:
        assert share_rows(lambda begin, end: end - begin, 100, 2, 4) == 100
    finally:
        release.set()
        busy.result()


def test_errors_come_through():
    def serve(begin, end):
        raise MemoryError

    with pytest.raises(MemoryError):
        share_rows(serve, 100, 2, 4)


def in_child(results):
    results.put(share_rows(lambda begin, end: end - begin, 100, 3, 4))


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_starts_its_own_threads():
    assert share_rows(lambda begin, end: end - begin, 100, 3, 4) == 100
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=in_child, args=(results,))
    child.start()
    assert results.get(timeout=DEADLINE) == 100
    child.join(DEADLINE)
    assert child.exitcode == 0


def test_processors_are_counted():
    assert 1 <= available_threads() <= (os.cpu_count() or 1)
