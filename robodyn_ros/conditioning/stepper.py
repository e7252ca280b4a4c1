"""The functions that take one message, of one model: compiled where a kernel is there, or plain.

`state_step` gives the motion. On request `dynamics_step` takes its place, with the efforts behind
the motion, once that has a kernel; `driven_step` and `driven_dynamics_step` do where accelerations
come from forward dynamics. While external wrenches act, a variant of each that takes them does.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning import driven_step, dynamics_step, state_step
from robodyn_ros.conditioning.step_result import Layout, StepResult, from_joints, from_kernel
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.model import Model, Partition
from robodyn_ros.robot.catalogue import Operation
from robodyn_ros.robot.kernel_source import Compile, KernelSource

Floats = NDArray[np.float64]
MAX_PARTITIONS = 8
"""Choices of independent coordinates of one mechanism whose kernels are kept."""
_Function = Callable[..., Floats | None]


class _Kind(NamedTuple):
    """Whether accelerations are driven, efforts wanted, and external wrenches taken."""

    driven: bool
    efforts: bool
    external: bool

    def operation(self, model: Model, frame: str) -> tuple[Operation, ModuleType]:
        """Return the operation, and the module that knows it by its name."""
        external = self.external
        if not self.driven and not self.efforts:
            return state_step.state_step(model, frame), state_step
        if not self.driven:
            return dynamics_step.dynamics_step(model, frame, external=external), dynamics_step
        make = driven_step.driven_dynamics_step if self.efforts else driven_step.driven_step
        return make(model, frame, external=external), driven_step


class _Compiled:
    """The kernel of one operation, asked for at the first look."""

    def __init__(self, model: Model, kind: _Kind, compile: Compile, frame: str) -> None:
        operation, module = kind.operation(model, frame)
        self.layout = Layout(operation, len(told_coordinates(model)))
        self.source = KernelSource(model, operation, compile, module.__name__)
        self._function: _Function | None = None
        self._bound: tuple[int, ...] = ()

    def function(self, bound: tuple[Floats, ...], *, wait: bool = False) -> _Function | None:
        """Return the kernel's function, its last inputs bound; None while there is no kernel."""
        arrays = tuple(map(id, bound))
        if self._function is None or arrays != self._bound:
            kernel = self.source.poll(wait=wait)
            if kernel is not None:
                self._function = kernel.call_with(_no_kernel, bound=bound)
                self._bound = arrays
        return self._function


class Stepper:
    """Takes one model's messages by the function that is called for."""

    def __init__(self, model: Model, compile: Compile, frame: str = "") -> None:
        """Start on the plain path; the kernel is asked for at the first call.

        Motion is seen from a frame of the model that is fixed in the world, "" for the world.
        """
        self._model = model
        self._mode: Compile = compile
        self._frame = frame
        self._kernels: dict[_Kind, _Compiled] = {}
        self._drive: tuple[Floats, ...] = ()
        self._loads: tuple[Floats, ...] = ()
        self._wrenches: tuple[Floats, ...] = ()
        self._driven = self._with_efforts = False
        self._compiled: _Function = _no_kernel
        self._layout = self._kernel(efforts=False).layout
        self._family: dict[Partition | None, Stepper] = {}

    def for_model(self, model: Model) -> Stepper:
        """Return the stepper that goes on with the same model in another partition.

        It is kept, with its kernels: what was chosen before is there at once.
        """
        family = self._family
        key = model.closure.partition
        family.setdefault(self._model.closure.partition, self)
        found = family.get(key)
        if found is None:
            if len(family) >= MAX_PARTITIONS:
                family.clear()
            found = family[key] = Stepper(model, self._mode, self._frame)
        found._family = family
        found._drive, found._driven = self._drive, self._driven
        found._wrenches = self._wrenches
        found._compiled = _no_kernel
        found.prepare()
        if self._with_efforts:
            found.join_dynamics(self._loads)
        elif found._with_efforts:
            found.part_dynamics()
        return found

    @property
    def state(self) -> str:
        """One of "plain", "compiling", "compiled"; a kernel that is done is taken into use."""
        self.prepare()
        return self._kernel(efforts=False).source.state

    @property
    def dynamics_state(self) -> str:
        """The same of the function with efforts; "" as long as nobody asked for it."""
        found = self._kernels.get(_Kind(self._driven, True, False))
        if found is None:
            return ""
        found.source.poll()
        return found.source.state

    def prepare(self, *, wait: bool = False) -> bool:
        """Ask for the kernel of the motion, or wait for it; True where there is one."""
        kernel = self._kernel(efforts=False)
        pushed = self._wrenches * self._driven
        function = kernel.function((*self._drive * self._driven, *pushed), wait=wait)
        if function is not None and self._compiled is _no_kernel:
            self._compiled, self._layout = function, kernel.layout
        return function is not None

    @property
    def is_compiled(self) -> bool:
        """Whether a kernel takes the messages."""
        return self._compiled is not _no_kernel

    def drive(self, arrays: tuple[Floats, ...]) -> None:
        """Take accelerations from forward dynamics from now on.

        Args:
            arrays: See `driven_step.DRIVE`; always the same arrays, whose entries may change.
        """
        self._drive = arrays
        self._switch(driven=True)

    def leave_drive(self) -> None:
        """Take accelerations as joint states are conditioned again."""
        self._switch(driven=False)

    def push(self, wrenches: tuple[Floats, ...]) -> None:
        """Take external wrenches into account from now on, or no longer.

        Args:
            wrenches: As in `dynamics_step.dynamics_block`; none where nothing acts. Always the same
                array, whose entries may change.
        """
        if bool(wrenches) is not bool(self._wrenches):
            self._wrenches = wrenches
            self._renew()

    def join_dynamics(self, loads: tuple[Floats, ...], *, wait: bool = False) -> bool:
        """Compute efforts along with the motion from now on; True where a kernel does.

        While there is no kernel that takes external wrenches, one without does, unless
        accelerations depend on them: `StepResult.dynamics` lacks their share then.

        Args:
            loads: See `dynamics_step.LOADS`; always the same arrays, whose entries may change.
            wait: Whether to wait for the kernel.
        """
        self._loads, self._with_efforts = loads, True
        bound = (*self._drive * self._driven, *loads)
        kernel = self._kernel(efforts=True)
        function = kernel.function((*bound, *self._wrenches), wait=wait)
        if function is None and self._wrenches and not self._driven:
            kernel = self._kernel(efforts=True, external=False)
            function = kernel.function(bound)
        if function is None:
            return False
        self._compiled, self._layout = function, kernel.layout
        return True

    def foresee_dynamics(self, *, external: bool = False) -> None:
        """Ask for the kernel with efforts before these are wanted, after the other one.

        Args:
            external: Whether to ask for that, after it, which takes external wrenches.
        """
        self.prepare()
        self._kernel(efforts=True, external=False).source.poll()
        if external:
            self._kernel(efforts=True, external=True).source.poll()

    def foresee_wrenches(self) -> None:
        """Ask for the kernel of the motion that takes external wrenches, if they matter to it."""
        self.prepare()
        if self._driven:
            self._kernel(efforts=False, external=True).source.poll()

    def part_dynamics(self) -> None:
        """Compute the motion alone again."""
        self._with_efforts = False
        self._compiled = _no_kernel
        self.prepare()

    def _switch(self, *, driven: bool) -> None:
        if driven is self._driven:
            return
        self._driven = driven
        self._renew()

    def _renew(self) -> None:
        """Go on with the kernels that are called for now, as far as they are there."""
        self._compiled = _no_kernel
        self.prepare()
        if self._with_efforts:
            self.join_dynamics(self._loads)

    def _kernel(self, *, efforts: bool, external: bool | None = None) -> _Compiled:
        """Return the kernel of what is called for, with external wrenches if these act."""
        taken = bool(self._wrenches) if external is None else external
        kind = _Kind(self._driven, efforts, taken and (efforts or self._driven))
        if kind not in self._kernels:
            self._kernels[kind] = _Compiled(self._model, kind, self._mode, self._frame)
        return self._kernels[kind]

    def quick(self, *inputs: Floats) -> StepResult | None:
        """Take one message by the kernel; None without one, or for input that it refuses."""
        flat = self._compiled(*inputs)
        return from_kernel(flat, self._layout) if flat is not None else None

    def __call__(self, q: Floats, v: Floats, a: Floats, *rest: Floats) -> StepResult:
        """Take one message; see `state_step` for the inputs, all of them finite."""
        self.prepare()
        result = self.quick(q, v, a, *rest)
        if result is None:
            *base, memory, samples, control = rest
            joints = state_step.joints_step(self._model, q, v, a, memory, samples, control)
            drive = self._drive if self._driven else None
            wrenches = self._wrenches[0] if self._wrenches else None
            result = from_joints(self._model, joints, tuple(base), drive, wrenches, self._frame)
        return result


def _no_kernel(*inputs: Floats) -> Floats | None:
    """Answer where there is no kernel, or it refuses its input: nothing."""
    return None
