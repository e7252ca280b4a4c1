"""The function `state_step` of one model: compiled where a kernel is there, plain meanwhile.

Both give a `StepResult`, whose parts are cut out or computed when they are asked for. On request
`dynamics_step` takes its place, once that has a kernel.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning import dynamics_step, state_step
from robodyn_ros.conditioning.conditioner import ROWS
from robodyn_ros.conditioning.dynamics_step import DynamicsBlock, Efforts
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

    @property
    def dynamics(self) -> DynamicsBlock | None:
        """Efforts and energies, where they were computed along with the motion."""
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

    @property
    def dynamics(self) -> DynamicsBlock | None:
        places = self._layout.places
        if "efforts" not in places:
            return None
        efforts = self._flat[places["efforts"]].reshape(len(Efforts._fields), -1)
        return DynamicsBlock(efforts, self._flat[places["energies"]])


class _PlainResult:
    """The plain functions' result: kinematics only if somebody asks."""

    def __init__(self, model: Model, joints: state_step.JointsStep, base: tuple[Floats, ...]):
        self._model = model
        self._base = base
        self.memory: Floats = joints.memory
        self.alarms, self.unsettled = (float(x) for x in joints.tally)
        self.q, self.v, self.a = joints.q, joints.v, joints.a
        self.dynamics: DynamicsBlock | None = None

    @cached_property
    def relative(self) -> Floats:
        with np.errstate(all="ignore"):
            return state_step.relative_block(self._model, self.q, self._base).reshape(-1)

    @cached_property
    def bodies(self) -> Floats:
        with np.errstate(all="ignore"):
            block = state_step.body_block(self._model, self.q, self.v, self.a, self._base)
        return block.reshape(-1)


class _Compiled:
    """The kernel of one operation, asked for at the first look."""

    def __init__(self, model: Model, operation: Operation, compile: Compile, module: str) -> None:
        self.layout = _Layout(operation, len(state_step.single_joints(model)))
        self.source = KernelSource(model, operation, compile, module)

    def function(self, *bound: Floats, wait: bool = False) -> Callable[..., Floats | None] | None:
        """Return the kernel's function, its last inputs bound; None while there is no kernel."""
        kernel = self.source.poll(wait=wait)
        return kernel.call_with(_no_kernel, bound=bound) if kernel is not None else None


class Stepper:
    """Calls `state_step` of one model, or `dynamics_step`."""

    def __init__(self, model: Model, compile: Compile) -> None:
        """Start on the plain path; the kernel is asked for at the first call."""
        self._model = model
        self._mode: Compile = compile
        self._motion = _Compiled(model, state_step.state_step(model), compile, state_step.__name__)
        self._dynamics: _Compiled | None = None
        self._layout = self._motion.layout
        self._compiled: Callable[..., Floats | None] = _no_kernel
        #: The two kernels' functions, once they are there.
        self._alone: Callable[..., Floats | None] | None = None
        self._joined: Callable[..., Floats | None] | None = None

    @property
    def state(self) -> str:
        """One of "plain", "compiling", "compiled"; a kernel that is done is taken into use."""
        self.prepare()
        return self._motion.source.state

    @property
    def dynamics_state(self) -> str:
        """The same of `dynamics_step`; "" as long as nobody asked for it."""
        if self._dynamics is None:
            return ""
        self._dynamics.source.poll()
        return self._dynamics.source.state

    def prepare(self, *, wait: bool = False) -> bool:
        """Ask for the kernel, or wait for it; True where it is in use."""
        if self._alone is None:
            self._alone = self._motion.function(wait=wait)
            if self._alone is not None and self._compiled is _no_kernel:
                self._compiled = self._alone
        return self._alone is not None

    def join_dynamics(self, loads: tuple[Floats, ...], *, wait: bool = False) -> bool:
        """Compute efforts along with the motion from now on; True where a kernel does.

        Args:
            loads: See `dynamics_step.LOADS`; always the same arrays, whose entries may change.
            wait: Whether to wait for the kernel.
        """
        if self._joined is None:
            self._joined = self._of_dynamics().function(*loads, wait=wait)
            if self._joined is None:
                return False
        if self._dynamics is not None:
            self._compiled, self._layout = self._joined, self._dynamics.layout
        return True

    def foresee_dynamics(self) -> None:
        """Ask for the kernel of `dynamics_step` before efforts are wanted, after the other one."""
        self.prepare()
        self._of_dynamics().source.poll()

    def _of_dynamics(self) -> _Compiled:
        if self._dynamics is None:
            operation = dynamics_step.dynamics_step(self._model)
            self._dynamics = _Compiled(self._model, operation, self._mode, dynamics_step.__name__)
        return self._dynamics

    def part_dynamics(self) -> None:
        """Compute the motion alone again."""
        self._compiled = self._alone if self._alone is not None else _no_kernel
        self._layout = self._motion.layout

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


def _no_kernel(*inputs: Floats) -> Floats | None:
    """Answer where there is no kernel, or it refuses its input: nothing."""
    return None
