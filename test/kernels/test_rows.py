"""Threads share the rows of a batch so that each is served once, whoever is busy or late."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from robodyn_ros.kernels import rows as rows_module
from robodyn_ros.kernels.records import Team as Fields
from robodyn_ros.kernels.rows import PROCESS, available_threads

DEADLINE = 30.0

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="other systems have no semaphores: nothing is shared there"
)


@pytest.fixture
def batch(chain_kernels, example):
    """Return a function that computes rows with so many threads and compares them with one."""
    kernel = chain_kernels[4]

    def run(rows=400, threads=2):
        inputs = example.inputs(rows)
        inputs[0][rows // 2, 1] = np.nan
        expected, outputs = (example.outputs(example.signature, rows) for _ in range(2))
        assert kernel.batch(inputs, expected, threads=1) == 1
        assert kernel.batch(inputs, outputs, threads=threads) == 1
        np.testing.assert_array_equal(example.flat(outputs), example.flat(expected))

    return run


def workers():
    return [t for t in threading.enumerate() if t.name.startswith("robodyn-kernel")]


def cpu_time(thread):
    return time.clock_gettime(time.pthread_getcpuclockid(thread.ident))


def helped(batch):
    """Run batches until a helper has done something, or fail."""
    before = sum(map(cpu_time, workers()))
    end = time.monotonic() + DEADLINE
    while sum(map(cpu_time, workers())) == before:
        assert time.monotonic() < end, "no helper took part"
        batch(4000)


def token_count():
    """Return how many calls for a helper wait to be answered."""
    tokens = ctypes.c_int(-1)
    semaphore = ctypes.c_void_p(PROCESS.team + Fields.WORK)
    assert ctypes.CDLL(None).sem_getvalue(semaphore, ctypes.byref(tokens)) == 0
    return tokens.value


@pytest.mark.parametrize("threads", [-1, 0, 1, 2, 7])
@pytest.mark.parametrize("rows", [1, 3, 4, 5, 31, 32, 1000])
@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_every_row_once(kernel_of, rows, width, threads):
    kernel = kernel_of(lambda x: (x + 1.0,), (("x", ()),), (("y", ()),), width=width)
    frame = np.zeros(rows + 2)
    assert kernel.batch([np.arange(float(rows))], [frame[1:-1]], threads=threads) == 0
    np.testing.assert_array_equal(frame, [0.0, *range(1, rows + 1), 0.0])


def test_helpers_take_part(batch):
    batch()
    helped(batch)


def test_threads_are_kept(batch):
    batch(threads=3)
    before = {thread.ident for thread in workers()}
    for _ in range(20):
        batch(threads=3)
    assert {thread.ident for thread in workers()} == before
    assert all(thread.daemon for thread in workers())


def test_helpers_that_never_come_are_not_waited_for(batch, monkeypatch):
    team = rows_module.Team()
    assert team.grow(0, 0, None) == 0
    team._started = 3
    monkeypatch.setattr(rows_module, "_teams", [team])
    monkeypatch.setattr(PROCESS, "team", team.address)
    for threads in (2, 4):
        batch(threads=threads)
        assert token_count() == 0
    assert ctypes.c_int64.from_address(team.address + Fields.OWNED).value == 0


def test_more_threads_than_processors_come_only_when_told(batch):
    batch(threads=available_threads() + 3)
    assert len(workers()) >= available_threads() + 2
    useful = ctypes.c_int64.from_address(PROCESS.team + Fields.WORKERS)
    assert useful.value == available_threads() - 1


def test_who_finds_the_team_taken_works_alone(batch):
    batch()
    owned = ctypes.c_int64.from_address(PROCESS.team + Fields.OWNED)
    assert owned.value == 0
    owned.value = 1
    try:
        batch()
        assert owned.value == 1
    finally:
        owned.value = 0
    helped(batch)


def test_signals_disturb_nobody(batch):
    seen = []
    before = signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
    try:
        batch()
        for thread in workers():
            signal.pthread_kill(thread.ident, signal.SIGUSR1)
        end = time.monotonic() + DEADLINE
        while not seen:
            assert time.monotonic() < end
            time.sleep(0.001)
        helped(batch)
    finally:
        wait_until_taken(signal.SIGUSR1)  # one that comes later would end the process
        signal.signal(signal.SIGUSR1, before)


def wait_until_taken(number):
    end = time.monotonic() + DEADLINE
    while any(pending(thread.native_id) >> (number - 1) & 1 for thread in workers()):
        assert time.monotonic() < end, "a thread never takes its signal"
        time.sleep(0.001)


def pending(thread_id):
    status = Path(f"/proc/self/task/{thread_id}/status").read_text()
    return int(re.search(r"SigPnd:\s*(\w+)", status)[1], 16)


def test_memory_that_cannot_be_had_is_an_error(chain_kernels, example):
    inputs, outputs = example.inputs(100), example.outputs(example.signature, 100)
    kernel = chain_kernels[4]
    kernel._serve, serve = (lambda *_: -1), kernel._serve
    try:
        with pytest.raises(MemoryError, match="chain"):
            kernel.batch(inputs, outputs, threads=1)
    finally:
        kernel._serve = serve


def in_child(batch, results):
    batch(threads=3)
    results.put(len(workers()))


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_forked_child_starts_its_own_threads(batch):
    batch(threads=3)
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=in_child, args=(batch, results))
    child.start()
    assert results.get(timeout=DEADLINE) == 2
    child.join(DEADLINE)
    assert child.exitcode == 0
    helped(batch)


def test_a_process_may_start_no_threads(batch, monkeypatch):
    def refuse(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(rows_module, "_teams", [rows_module.Team()])
    monkeypatch.setattr(PROCESS, "team", None)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    batch()
    assert PROCESS.team is not None


EXIT = """
import sys, threading
import numpy as np
from robodyn_ros.kernels.compiled import compile_program
from robodyn_ros.kernels.kernel import load
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.target import Target
from robodyn_ros.kernels.trace import trace

target = Target.host()
program = trace(lambda x: (x * x,), Signature("square", (("x", (8,)),), (("y", (8,)),)))
kernel = load(compile_program(program, target), lambda *a: None, target)
x, y = np.ones((20_000, 8)), np.empty((20_000, 8))
kernel.batch([x], [y], threads=2)

def work(forever):
    while True:
        kernel.batch([x], [y.copy()], threads=2)
        if not forever:
            break

threads = [threading.Thread(target=work, args=(True,), daemon=True) for _ in range(BUSY)]
for thread in threads:
    thread.start()
work(False)
print("ends")
"""


@pytest.mark.parametrize("busy", [0, 2])
def test_a_process_ends_cleanly(busy):
    code = EXIT.replace("BUSY", str(busy))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=DEADLINE, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("ends\n", "", 0)


def test_processors_are_counted():
    assert 1 <= available_threads() <= (os.cpu_count() or 1)
