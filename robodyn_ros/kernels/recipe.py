"""What to compile, in a form that another process can carry out."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.compiled import CompiledKernel, compile_program
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.target import Target
from robodyn_ros.kernels.trace import trace

LIMIT = 200_000
"""Programs of more instructions are not compiled: it would take minutes."""


@dataclass(frozen=True)
class Reference:
    """A function that is made where it is needed.

    Attributes:
        maker: ``"module:qualname"`` of what is called to get it.
        arguments: What `maker` is called with; picklable.
    """

    maker: str
    arguments: tuple[Any, ...] = ()

    def resolve(self) -> Any:
        """Return the function.

        Raises:
            CompilationError: `maker` names nothing.
        """
        module, _, qualname = self.maker.partition(":")
        try:
            maker: Any = importlib.import_module(module)
            for part in qualname.split("."):
                maker = getattr(maker, part)
        except (ImportError, AttributeError) as error:
            raise CompilationError(f"{self.maker} cannot be found: {error}") from error
        return maker(*self.arguments)


@dataclass(frozen=True)
class Recipe:
    """A kernel to be made.

    Attributes:
        signature: Inputs and outputs.
        function: Makes the function to trace (see :func:`trace`).
        guard: Makes the function that says which inputs are acceptable, or makes None.
    """

    signature: Signature
    function: Reference
    guard: Reference | None = None

    def compile(self, target: Target) -> CompiledKernel:
        """Trace and compile, here and now; it may take seconds.

        Raises:
            CompilationError: Something needed is missing, the function cannot be traced, or the
                program is too large.
        """
        function: Callable[..., Any] = self.function.resolve()
        guard = None if self.guard is None else self.guard.resolve()
        program = trace(function, self.signature, guard)
        if program.instruction_count > LIMIT:
            raise CompilationError(
                f"{self.signature.name} has {program.instruction_count} instructions, more than "
                f"the {LIMIT} that are worth compiling"
            )
        return compile_program(program, target)
