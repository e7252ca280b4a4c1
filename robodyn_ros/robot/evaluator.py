"""One operation of one robot: the compiled kernel where there is one, the plain function else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError
from robodyn_ros.kernels.table import ANY_ROWS, NEW_ROWS
from robodyn_ros.model import Model
from robodyn_ros.robot.arguments import (
    batch_size,
    finite_rows,
    float_array,
    require_unit_quaternions,
)
from robodyn_ros.robot.catalogue import Operation
from robodyn_ros.robot.kernel_source import KernelSource
from robodyn_ros.robot.results import Layout, LazyResult

Floats = NDArray[np.float64]


class Evaluator:
    """Evaluates an operation, single or in batch.

    `call(*inputs)` is the hot path: it takes the operation's inputs and returns an instance of
    `result`; without a `result` class it returns the operation's only output, which a kernel leaves
    flat.
    """

    def __init__(
        self,
        model: Model,
        operation: Operation,
        source: KernelSource,
        *,
        result: type[LazyResult] | None = None,
        on_kernel: Callable[[], None] | None = None,
    ) -> None:
        """Start on the plain path; the kernel is asked for at the first call.

        `on_kernel` is called once, when the kernel comes into use.
        """
        self.operation = operation
        self.result = result.laid_out(_layout(operation)) if result is not None else None
        self._model = model
        self._source = source
        self._on_kernel = on_kernel
        # A quaternion is judged before anything is written into a caller's array.
        judged = any(joint.joint.quaternion_start is not None for joint in model.own_joints)
        self._rows = NEW_ROWS if judged else ANY_ROWS
        self.call: Callable[..., Any] = self._general

    @property
    def wrap(self) -> tuple[type, str] | None:
        """What a kernel makes of its flat array: see `Kernel.call_with`."""
        return (self.result, "flat") if self.result is not None else None

    def bind(
        self,
        fallback: Callable[..., Any],
        bound: Sequence[Floats],
        defaults: Sequence[Floats],
    ) -> tuple[Callable[..., Any], Callable[[], None]] | None:
        """Return the kernel's own function for `fallback`, and its end; see `Kernel.bind`.

        None while there is no kernel, and where what is bound is not one sample but a batch.
        """
        kernel = self._source.kernel
        if kernel is None or not kernel.takes_keywords:
            return None
        ports = self.operation.signature.inputs[-len(bound) :] if bound else ()
        if any(x.shape != shape for x, (_, shape) in zip(bound, ports, strict=True)):
            return None
        return kernel.bind(fallback, self.wrap, bound, defaults, self._rows)

    def adopt(self, *, wait: bool = False) -> bool:
        """Take the compiled kernel if there is one by now (or wait for it); True where in use."""
        kernel = self._source.poll(wait=wait)
        if kernel is not None and self.call == self._general:
            self.call = kernel.bind(self._general, self.wrap, rows=NEW_ROWS)[0]
            if self._on_kernel is not None:
                self._on_kernel()
        return kernel is not None

    def _general(self, *inputs: ArrayLike) -> Any:
        """Evaluate any input, on whichever path there is."""
        arrays = self.careful(*inputs)
        return self.result.of(arrays) if self.result is not None else arrays[0]

    @property
    def state(self) -> str:
        """One of "plain", "compiling", "compiled"."""
        return self._source.state

    def careful(self, *inputs: ArrayLike, out: Sequence[Floats] | None = None) -> list[Floats]:
        """Evaluate any input: checked, converted, masked; results as a list of arrays.

        Raises:
            ArgumentError: wrong shapes, unequal batch sizes, a quaternion whose norm is not 1, or
                an unfit `out`.
        """
        self.adopt()
        if out is not None and self._filled(inputs, out):
            return list(out)
        arrays = [
            float_array(name, value, shape)
            for (name, shape), value in zip(self.operation.signature.inputs, inputs, strict=True)
        ]
        ports = self.operation.signature.inputs
        named = {
            name: (array, len(shape)) for (name, shape), array in zip(ports, arrays, strict=True)
        }
        size = batch_size(named)
        require_unit_quaternions(self._model, arrays[0])
        results = self._outputs(size, out)
        kernel = self._source.kernel
        refused = None
        if kernel is not None:
            rows = results if size is not None else [x[None] for x in results]
            refused = kernel.batch(arrays, rows)
        if refused != 0:
            finite = finite_rows(named)
            # A kernel also refuses angles of more than 2^50 rad; the plain function takes them.
            if refused is None or refused > np.count_nonzero(~finite):
                self._plainly(arrays, results, finite)
        return results

    def _filled(self, inputs: Sequence[ArrayLike], out: Sequence[Floats]) -> bool:
        """Return whether the kernel took rows of q and other arrays as they are, refusing none."""
        kernel = self._source.kernel
        if kernel is None or kernel.rows is None or self._rows != ANY_ROWS:
            return False
        q = inputs[0]
        return isinstance(q, np.ndarray) and q.ndim == 2 and kernel.rows(*inputs, *out) == 0

    def _outputs(self, size: int | None, out: Sequence[Floats] | None) -> list[Floats]:
        lead = () if size is None else (size,)
        ports = self.operation.signature.outputs
        if out is None:
            return [np.empty(lead + shape) for _, shape in ports]
        for (name, shape), array in zip(ports, out, strict=True):
            fit = isinstance(array, np.ndarray) and array.dtype == np.float64
            if not (fit and array.shape == lead + shape and array.flags.carray):
                raise ArgumentError(
                    f"out.{name} must be a writable C-contiguous float64 array of shape"
                    f" {lead + shape}"
                )
        return list(out)

    def _plainly(
        self, arrays: list[Floats], results: list[Floats], finite: NDArray[np.bool_]
    ) -> None:
        """Run the plain function with rows that are not finite replaced, then masked."""
        if not finite.all():
            arrays = self._replaced(arrays)
        with np.errstate(all="ignore"):
            values = self.operation.evaluate(*arrays)
        self._require_answer(arrays, values[len(results) :], finite)
        for result, value in zip(results, values, strict=False):
            result[...] = value
            result[~finite] = np.nan

    def _require_answer(
        self, arrays: list[Floats], verdicts: tuple[Floats, ...], finite: NDArray[np.bool_]
    ) -> None:
        """Raise the operation's error for the first sample that has no answer."""
        if verdicts and self.operation.refuse is not None:
            self.operation.refuse(np.where(finite, verdicts[0], 0.0), *arrays)

    def _replaced(self, arrays: list[Floats]) -> list[Floats]:
        """Return the inputs with the rows that are not finite set to a harmless state."""
        harmless = [np.zeros(shape) for _, shape in self.operation.signature.inputs]
        for joint in self._model.own_joints:
            begin, count = joint.q_index, joint.joint.nq
            harmless[0][begin : begin + count] = joint.joint.neutral()
        replaced = []
        for array, default in zip(arrays, harmless, strict=True):
            finite = np.isfinite(array).all(axis=-1, keepdims=True)
            replaced.append(np.where(finite, array, default))
        return replaced


def _layout(operation: Operation) -> Layout:
    """Return where each output lies in a kernel's flat result."""
    entries, begin = [], 0
    shapes = [shape for _, shape in operation.signature.outputs]
    for size, shape in zip(operation.signature.output_sizes, shapes, strict=True):
        entries.append((begin, begin + size, shape))
        begin += size
    return tuple(entries)
