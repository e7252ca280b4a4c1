"""Where an evaluator's kernel comes from: the cache, or a process that compiles it."""

from __future__ import annotations

import os
from functools import cache
from typing import Any, Literal

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.cache import Cache
from robodyn_ros.kernels.kernel import Kernel, load
from robodyn_ros.kernels.notice import warn_once
from robodyn_ros.kernels.recipe import Recipe, Reference
from robodyn_ros.kernels.service import CompileService, Handle
from robodyn_ros.model import Model
from robodyn_ros.robot.catalogue import Operation

Compile = Literal["background", "wait", "off"]

#: Packages that a trace runs through; their sources are part of a kernel's key.
TRACED_ROOMS = tuple(
    f"robodyn_ros.{room}"
    for room in (
        "kernels",
        "expressions",
        "spatial",
        "joints",
        "model",
        "algorithms",
        "constraints",
        "robot",
    )
)
CATALOGUE = "robodyn_ros.robot.catalogue"


def compile_service() -> CompileService:
    """Return the one service of this process: it compiles one kernel at a time."""
    return _service_of(os.getpid())


@cache
def _service_of(process: int) -> CompileService:
    return CompileService(Cache.default())


def _no_fallback(*inputs: Any) -> None:
    """Stand in for a kernel's own fallback: callers bring theirs."""


class KernelSource:
    """The kernel of one operation of one model, asked for at the first look.

    Attributes:
        kernel: the loaded kernel, once there is one.
    """

    def __init__(
        self, model: Model, operation: Operation, compile: Compile, catalogue: str = CATALOGUE
    ) -> None:
        """Ask for nothing yet; the module `catalogue` makes the operation in another process."""
        self.kernel: Kernel | None = None
        self._model = model
        self._operation = operation
        self._compile = compile
        self._catalogue = catalogue
        self._handle: Handle | None = None
        self._asker = 0
        self._given_up = compile == "off"

    @property
    def state(self) -> str:
        """Return "compiled", "compiling", or "plain" where no kernel is to be had or was asked."""
        if self.kernel is not None:
            return "compiled"
        return "compiling" if self._handle is not None and not self._given_up else "plain"

    def poll(self, *, wait: bool = False) -> Kernel | None:
        """Return the kernel if it has been compiled by now (or `wait` for it), loaded once."""
        if self.kernel is not None or self._given_up:
            return self.kernel
        # In a fork, workers are its parent's.
        if self._handle is None or self._asker != os.getpid():
            self._handle, self._asker = self._request(), os.getpid()
        waiting = wait or self._compile == "wait"
        compiled = self._handle.wait() if waiting else self._handle.poll()
        if compiled is not None:
            try:
                self.kernel = load(compiled, _no_fallback, compile_service().target)
            except CompilationError as error:
                self._given_up = True
                warn_once(f"going on without a compiled kernel, only slower: {error}")
        elif self._handle.state == "failed":
            self._given_up = True
        return self.kernel

    def _request(self) -> Handle:
        name = self._operation.name
        recipe = Recipe(
            self._operation.signature,
            Reference(f"{self._catalogue}:evaluate_of", (self._model, name)),
            Reference(f"{CATALOGUE}:guard_of", (self._model,)),
        )
        content = f"{name}\0{self._model.fingerprint}"
        room = self._catalogue.rpartition(".")[0]
        rooms = TRACED_ROOMS if room in TRACED_ROOMS else (*TRACED_ROOMS, room)
        return compile_service().request(recipe, content, rooms)
