"""The function `state_step` of one model: compiled where a kernel is there, plain meanwhile.

Both give a `StepResult`, whose parts are cut out or computed when they are asked for.
"""

from __future__ import annotations

import itertools
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning import state_step
from robodyn_ros.conditioning.conditioner import ROWS
from robodyn_ros.model import Model
from robodyn_ros.robot.catalogue import Operation
from robodyn_ros.robot.kernel_source import Compile, KernelSource

Floats = NDArray[np.float64]


class StepResult(Protocol):
    """What one message made of a robot."""

    @property
    def memory(self) -> Floats:
        """(ROWS, n) of the conditioner."""
        ...

    @property
    def alarms(self) -> float:
        """Number of samples that are flagged or not sane."""
        ...

    @property
    def unsettled(self) -> float:
        """Number of joints without a good new position and velocity."""
        ...

    @property
    def q(self) -> Floats:
        """(nq,) coordinates of the whole model."""
        ...

    @property
    def v(self) -> Floats:
        """(nv,) rates."""
        ...

    @property
    def a(self) -> Floats:
        """(nv,) accelerations."""
        ...

    @property
    def relative(self) -> Floats:
        """(nb * 7,) poses of bodies in their parent bodies."""
        ...

    @property
    def bodies(self) -> Floats:
        """(nb * 28,) motion of all bodies, see `state_step.BODY_SIZE`."""
        ...


class _Layout:
    """Where the outputs of one model's kernel lie in its flat result."""

    def __init__(self, operation: Operation, joints: int) -> None:
        names = [name for name, _ in operation.signature.outputs]
        ends = list(itertools.accumulate(operation.signature.output_sizes, initial=0))
        slices = (slice(begin, end) for begin, end in itertools.pairwise(ends))
        self.places = dict(zip(names, slices, strict=True))
        self.memory_shape = (ROWS, joints)
        self.tally = self.places["tally"].start


class _CompiledResult:
    """A kernel's flat result."""

    __slots__ = ("_flat", "_layout", "alarms", "unsettled")

    def __init__(self, flat: Floats, layout: _Layout) -> None:
        self._flat = flat
        self._layout = layout
        tally, item = layout.tally, flat.item
        self.alarms, self.unsettled = item(tally), item(tally + 1)

    @property
    def memory(self) -> Floats:
        layout = self._layout
        return self._flat[layout.places["memory"]].reshape(layout.memory_shape)

    @property
    def q(self) -> Floats:
        return self._flat[self._layout.places["q"]]

    @property
    def v(self) -> Floats:
        return self._flat[self._layout.places["v"]]

    @property
    def a(self) -> Floats:
        return self._flat[self._layout.places["a"]]

    @property
    def relative(self) -> Floats:
        return self._flat[self._layout.places["relative"]]

    @property
    def bodies(self) -> Floats:
        return self._flat[self._layout.places["bodies"]]


class _PlainResult:
    """The plain functions' result: kinematics only if somebody asks."""

    def __init__(self, model: Model, joints: state_step.JointsStep, base: tuple[Floats, ...]):
        self._model = model
        self._base = base
        self.memory: Floats = joints.memory
        self.alarms, self.unsettled = (float(x) for x in joints.tally)
        self.q, self.v, self.a = joints.q, joints.v, joints.a

    @cached_property
    def relative(self) -> Floats:
        with np.errstate(all="ignore"):
            return state_step.relative_block(self._model, self.q, self._base).reshape(-1)

    @cached_property
    def bodies(self) -> Floats:
        with np.errstate(all="ignore"):
            block = state_step.body_block(self._model, self.q, self.v, self.a, self._base)
        return block.reshape(-1)


class Stepper:
    """Calls `state_step` of one model."""

    def __init__(self, model: Model, compile: Compile) -> None:
        """Start on the plain path; the kernel is asked for at the first call."""
        self._model = model
        operation = state_step.state_step(model)
        self._layout = _Layout(operation, len(state_step.single_joints(model)))
        self._source = KernelSource(model, operation, compile, state_step.__name__)
        self._compiled = self._no_kernel

    @property
    def state(self) -> str:
        """One of "plain", "compiling", "compiled"; a kernel that is done is taken into use."""
        self.prepare()
        return self._source.state

    def prepare(self, *, wait: bool = False) -> bool:
        """Ask for the kernel, or wait for it; True where it is in use."""
        kernel = self._source.poll(wait=wait)
        if kernel is not None and self._compiled == self._no_kernel:
            self._compiled = kernel.call_with(self._no_kernel)
        return kernel is not None

    def quick(self, *inputs: Floats) -> StepResult | None:
        """Take one message by the kernel; None without one, or for input that it refuses."""
        flat = self._compiled(*inputs)
        return _CompiledResult(flat, self._layout) if flat is not None else None

    def __call__(self, q: Floats, v: Floats, a: Floats, *rest: Floats) -> StepResult:
        """Take one message; see `state_step` for the inputs, all of them finite."""
        self.prepare()
        result = self.quick(q, v, a, *rest)
        if result is None:
            *base, memory, samples, control = rest
            joints = state_step.joints_step(self._model, q, v, a, memory, samples, control)
            result = _PlainResult(self._model, joints, tuple(base))
        return result

    def _no_kernel(self, *inputs: Floats) -> Floats | None:
        """Answer where there is no kernel, or it refuses its input: nothing."""
        return None
