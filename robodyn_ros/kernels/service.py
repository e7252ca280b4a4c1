"""Kernels made in the background, by processes of their own.

Tracing holds the interpreter lock for as long as it takes, which would stall everything else in
this process. So a kernel is asked for, the caller goes on with the plain function, and looks from
time to time whether the kernel is there.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Iterable

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.cache import Cache
from robodyn_ros.kernels.compiled import CompiledKernel
from robodyn_ros.kernels.job import Job
from robodyn_ros.kernels.key import kernel_key
from robodyn_ros.kernels.notice import warn_once
from robodyn_ros.kernels.process import WorkerProcess
from robodyn_ros.kernels.recipe import Recipe
from robodyn_ros.kernels.target import Target

TIMEOUT = 600.0
"""A worker that takes longer (s) is given up."""

_PAUSE = 0.02


class Handle:
    """A kernel that was asked for.

    A kernel that cannot be made is no error of the caller, who has the plain function: it is
    logged as a warning once and shows here.

    Attributes:
        state: ``"compiling"``, ``"ready"`` or ``"failed"``.
        kernel: When ready.
        error: When failed.
    """

    def __init__(self, service: CompileService, kernel: CompiledKernel | None = None) -> None:
        """Made by :meth:`CompileService.request`."""
        self._service = service
        self.state = "compiling" if kernel is None else "ready"
        self.kernel = kernel
        self.error: CompilationError | None = None

    def poll(self) -> CompiledKernel | None:
        """Return the kernel if it is there by now; does not wait."""
        self._service.advance()
        return self.kernel

    def wait(self, timeout: float | None = None) -> CompiledKernel | None:
        """Wait for the kernel; None if it cannot be made, or is not ready after `timeout` (s)."""
        end = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None and self.state == "compiling":
            if end is not None and time.monotonic() >= end:
                break
            time.sleep(_PAUSE)
        return self.kernel

    def finish(self, result: CompiledKernel | CompilationError) -> None:
        """Take the outcome; called by the service."""
        if isinstance(result, CompiledKernel):
            self.kernel, self.state = result, "ready"
        else:
            self.error, self.state = result, "failed"
            warn_once(f"going on without a compiled kernel, only slower: {result}")


class CompileService:
    """Makes kernels, one after the other, and remembers them in a cache.

    Nothing runs here by itself: every look at any handle moves the queue on.
    """

    def __init__(
        self, cache: Cache | None = None, *, width: int | None = None, timeout: float = TIMEOUT
    ) -> None:
        """Use `cache`, if any; `width` samples a turn of a batch (None: best for this machine)."""
        self.cache = cache
        self._width = width
        self._timeout = timeout
        self._lock = threading.Lock()
        self._waiting: deque[tuple[Handle, Job]] = deque()
        self._running: tuple[Handle, WorkerProcess, float] | None = None

    @property
    def target(self) -> Target:
        """The machine that kernels are made for.

        Raises:
            CompilationError: It cannot run kernels.
        """
        return Target.host(self._width)

    def request(self, recipe: Recipe, content: str, rooms: Iterable[str] = ()) -> Handle:
        """Ask for a kernel; it is ready at once if it is in the cache.

        Args:
            recipe: How it is made.
            content: Tells it from kernels of other content: name, and digest of the model.
            rooms: Packages that its trace runs through; see :func:`kernel_key`.
        """
        try:
            target = self.target
            key = kernel_key(f"{recipe.signature}\0{content}", rooms, target)
        except CompilationError as error:
            handle = Handle(self)
            handle.finish(error)
            return handle
        handle = Handle(self, self.cache.get(key) if self.cache else None)
        if handle.state == "compiling":
            job = Job(recipe, target, key, self.cache, os.getpid())
            with self._lock:
                self._waiting.append((handle, job))
            self.advance()
        return handle

    def advance(self) -> None:
        """Collect a worker that has ended and start the next one; does not wait."""
        with self._lock:
            if self._running is not None:
                self._look(*self._running)
            while self._running is None and self._waiting:
                handle, job = self._waiting.popleft()
                try:
                    self._running = (handle, WorkerProcess(job), time.monotonic())
                except CompilationError as error:
                    handle.finish(error)

    def _look(self, handle: Handle, worker: WorkerProcess, started: float) -> None:
        try:
            kernel = worker.poll()
            if kernel is None and time.monotonic() - started > self._timeout:
                worker.kill()
                raise CompilationError(f"compiling took longer than {self._timeout:g} s")
        except CompilationError as error:
            handle.finish(error)
        else:
            if kernel is None:
                return
            handle.finish(kernel)
        self._running = None
