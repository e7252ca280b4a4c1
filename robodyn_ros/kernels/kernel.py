"""A kernel in memory: one sample a call, or a batch of rows."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.kernels.batch_arguments import BatchArguments
from robodyn_ros.kernels.compile import LoadedCode
from robodyn_ros.kernels.compiled import CompiledKernel
from robodyn_ros.kernels.emit import ENTRIES
from robodyn_ros.kernels.kept_inputs import KeptInputs, is_plain
from robodyn_ros.kernels.layout import is_trustworthy
from robodyn_ros.kernels.native import native_function, native_rows
from robodyn_ros.kernels.rows import PROCESS, available_threads, helpers
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.table import NO_ROWS
from robodyn_ros.kernels.target import Target

Floats: TypeAlias = NDArray[np.float64]


class Kernel:
    """A loaded kernel; :func:`load` makes it.

    Attributes:
        signature: Inputs and outputs.
        instructions: How many arithmetic instructions a sample takes.
        width: Samples a turn of a batch.
        takes_keywords: Whether `single` hands keywords to the fallback; else it takes none.
        single: ``single(*inputs)`` for one sample: returns a fresh float64 array, the output where
            there is one, else 1-D with all outputs one after the other, in C order. Where an
            argument is not a C-contiguous, aligned float64 array of the exact shape, an input is
            not finite, an angle is beyond the range of sin and cos, or the guard objects, it
            returns ``fallback(*inputs)``.
        rows: ``rows(*inputs, *outputs)`` is `batch` for plain arrays; returns None, with nothing
            written, where one is not, or Python has to start threads. None itself where Python's
            objects cannot be read directly.
    """

    def __init__(
        self,
        compiled: CompiledKernel,
        fallback: Callable[..., Any],
        target: Target,
        *,
        wrap: tuple[type, str] | None = None,
        native: bool = True,
    ) -> None:
        """Place `compiled`, made for `target`, in memory.

        `wrap` is that of `call_with`. `native` False: a single call copies.
        """
        self.signature: Signature = compiled.signature
        self.instructions = compiled.instructions
        self.width = compiled.width
        code = LoadedCode(compiled.code, target, ENTRIES)
        self._code = code
        self._inputs = len(compiled.signature.inputs)
        self._cost = compiled.instructions + sum(compiled.signature.output_sizes)
        self._serve = ctypes.CFUNCTYPE(
            ctypes.c_int64, *[ctypes.c_void_p] * 4, *[ctypes.c_int64] * 2
        )(code.address("serve"))
        self._target = target
        self._native = native and is_trustworthy(target.layout)
        self.rows = self._native_rows()
        self.takes_keywords = target.layout.keywords or not self._native
        self.single = self.call_with(fallback, wrap)

    def call_with(
        self,
        fallback: Callable[..., Any],
        wrap: tuple[type, str] | None = None,
        *,
        bound: Sequence[Floats] = (),
        defaults: Sequence[Floats] = (),
    ) -> Callable[..., Any]:
        """Return a function like `single`; see `bind`."""
        return self.bind(fallback, wrap, bound, defaults)[0]

    def bind(
        self,
        fallback: Callable[..., Any],
        wrap: tuple[type, str] | None = None,
        bound: Sequence[Floats] = (),
        defaults: Sequence[Floats] = (),
        rows: int = NO_ROWS,
    ) -> tuple[Callable[..., Any], Callable[[], None]]:
        """Return a function like `single`, and one after which all its calls go to `fallback`.

        Args:
            fallback: Serves what is unusual; called with exactly what the caller gave.
            wrap: A class and an attribute: the result is an instance that carries the array,
                always 1-D.
            bound: Arrays for the last inputs, which callers then never give.
            defaults: Arrays for the inputs before those, which callers may leave out, the last
                first. Both must fit exactly; they are kept, not copied.
            rows: What it does with batches, which a kernel with one output may take too: one of
                :mod:`table`'s constants.

        Raises:
            ArgumentError: One of `bound` or `defaults` does not fit its input.
        """
        kept = KeptInputs(self.signature, bound, defaults)
        function = None
        if self._native:
            address, name = self._code.address("call"), self.signature.name
            layout = self._target.layout
            function = native_function(
                address, layout, fallback, wrap, kept, name, self._code, rows=rows
            )
        return function or self._copying_single(fallback, wrap, kept), kept.retire

    def batch(
        self, inputs: Sequence[Any], outputs: Sequence[Floats], threads: int | None = None
    ) -> int:
        """Compute many samples; the interpreter lock is released meanwhile.

        Args:
            inputs: One per input: (N, ...) for a row each, or (...) for one that all rows share.
                Plain float64 arrays with contiguous rows are used in place, others are converted.
            outputs: One per output: (N, ...), writable, C-contiguous float64.
            threads: How many at most; None for as many as there are processors, if it pays.

        Returns:
            How many rows were refused (see `single`). All their outputs are NaN, and other rows
            are not touched by them.

        Raises:
            ArgumentError: A shape does not fit, or an output cannot be written in place.
        """
        if threads is None and self.rows is not None and len(inputs) == self._inputs:
            served = self.rows(*inputs, *outputs)
            if served is not None:
                return served
        arguments = BatchArguments(self.signature, inputs, outputs)
        rows = arguments.rows
        if not rows:
            return 0
        count = self._helpers(rows, threads)
        refused = self._serve(ctypes.addressof(PROCESS), *arguments.tables, rows, count)
        if refused < 0:
            raise MemoryError(f"no memory for a batch of {self.signature.name}")
        return int(refused)

    def _helpers(self, rows: int, threads: int | None) -> int:
        """Return how many threads may help, started if need be."""
        if threads is None:
            most = rows * self._cost // int(PROCESS.share)
            team = available_threads()  # so that compiled calls of any size find enough of them
        else:
            most = team = threads
        if most < 2:
            return 0
        count = helpers(team - 1, self._code.address("worker"), self._code)
        return min(count, most - 1, -(-rows // self.width) - 1)

    def _native_rows(self) -> Callable[..., int | None] | None:
        if not self._native:
            return None
        address, name = self._code.address("rows"), self.signature.name
        return native_rows(address, self._target.layout, name, self._code)

    def _copying_single(
        self, fallback: Callable[..., Any], wrap: tuple[type, str] | None, kept: KeptInputs
    ) -> Callable[..., Any]:
        """Return the single call of an interpreter whose objects cannot be read directly."""
        ends = list(itertools.accumulate(self.signature.output_sizes, initial=0))
        shapes = [shape for _, shape in self.signature.outputs]
        own = shapes[0] if len(shapes) == 1 and wrap is None else (ends[-1],)

        def single(*given: Any, **keywords: Any) -> Any:
            inputs = None if keywords else kept.completed(given)
            if inputs is None or not self._are_plain(inputs):
                return fallback(*given, **keywords)
            array = np.empty(own, dtype=np.float64)
            flat = array.reshape(-1)
            outputs = [
                flat[begin:end].reshape(1, *shape)
                for (begin, end), shape in zip(itertools.pairwise(ends), shapes, strict=True)
            ]
            rows = [array[None] for array in inputs]
            if self.batch(rows, outputs, threads=1):
                return fallback(*given)
            if wrap is None:
                return array
            result = wrap[0]()
            setattr(result, wrap[1], array)
            return result

        return single

    def _are_plain(self, inputs: Sequence[Any]) -> bool:
        return all(map(is_plain, self.signature.inputs, inputs))


def load(
    compiled: CompiledKernel,
    fallback: Callable[..., Any],
    target: Target,
    wrap: tuple[type, str] | None = None,
) -> Kernel:
    """Return `compiled` ready to be called; see :class:`Kernel` for `fallback` and `wrap`.

    Raises:
        CompilationError: The object code cannot be linked.
    """
    return Kernel(compiled, fallback, target, wrap=wrap)
