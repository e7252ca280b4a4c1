"""What one message made of a robot: cut out of a kernel's result, or computed when asked for."""

from __future__ import annotations

import itertools
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning import state_step
from robodyn_ros.conditioning.closed_step import MARGIN
from robodyn_ros.conditioning.conditioner import ROWS
from robodyn_ros.conditioning.driven_step import driven_accelerations
from robodyn_ros.conditioning.dynamics_step import DynamicsBlock
from robodyn_ros.model import Model
from robodyn_ros.robot.catalogue import Operation

Floats = NDArray[np.float64]
_NOTHING: Floats = np.zeros(2)
_NO_MARKERS: Floats = np.zeros(0)
_NO_CLOSURE: Floats = np.array([0.0, 0.0, MARGIN, 0.0])


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
    def markers(self) -> Floats:
        """(markers * 9,) motion of all markers, see `state_step.MARKER_SIZE`."""
        ...

    @property
    def dynamics(self) -> DynamicsBlock | None:
        """Efforts and energies, where they were computed along with the motion."""
        ...

    @property
    def forward(self) -> Floats:
        """(2,) tally of `driven_step.driven_accelerations`; zeros where nothing was driven."""
        ...

    @property
    def closure(self) -> Floats:
        """(4,) how a mechanism was closed: see `closed_step.CLOSURE`."""
        ...


class Layout:
    """Where the outputs of one model's kernel lie in its flat result."""

    def __init__(self, operation: Operation, joints: int) -> None:
        names = [name for name, _ in operation.signature.outputs]
        ends = list(itertools.accumulate(operation.signature.output_sizes, initial=0))
        slices = (slice(begin, end) for begin, end in itertools.pairwise(ends))
        self.places = dict(zip(names, slices, strict=True))
        self.memory_shape = (ROWS, joints)
        self.tally = self.places["tally"].start
        self.efforts_shape = dict(operation.signature.outputs).get("efforts", (0, 0))


class _CompiledResult:
    """A kernel's flat result."""

    __slots__ = ("_flat", "_layout", "alarms", "unsettled")

    def __init__(self, flat: Floats, layout: Layout) -> None:
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
    def markers(self) -> Floats:
        place = self._layout.places.get("markers")
        return self._flat[place] if place is not None else _NO_MARKERS

    @property
    def dynamics(self) -> DynamicsBlock | None:
        places = self._layout.places
        if "efforts" not in places:
            return None
        efforts = self._flat[places["efforts"]].reshape(self._layout.efforts_shape)
        return DynamicsBlock(efforts, self._flat[places["energies"]])

    @property
    def forward(self) -> Floats:
        place = self._layout.places.get("forward")
        return self._flat[place] if place is not None else _NOTHING

    @property
    def closure(self) -> Floats:
        place = self._layout.places.get("closure")
        return self._flat[place] if place is not None else _NO_CLOSURE


class _PlainResult:
    """The plain functions' result: kinematics only if somebody asks."""

    def __init__(
        self,
        model: Model,
        joints: state_step.JointsStep | state_step.ClosedJointsStep,
        base: tuple[Floats, ...],
        drive: tuple[Floats, ...] | None,
        wrenches: Floats | None,
        frame: str,
    ) -> None:
        """Take the joints; the rest as in `from_joints`."""
        self._model = model
        self._frame = frame
        self._base = base
        self._known = joints.a
        #: What comes next is written to the same arrays.
        self._drive = drive and tuple(x.copy() for x in drive)
        self._wrenches = None if wrenches is None else wrenches.copy()
        self.memory: Floats = joints.memory
        self.alarms, self.unsettled = (float(x) for x in joints.tally)
        self.q, self.v = joints.q, joints.v
        self.closure: Floats = (
            joints.closure if isinstance(joints, state_step.ClosedJointsStep) else _NO_CLOSURE
        )
        self.dynamics: DynamicsBlock | None = None

    @property
    def a(self) -> Floats:
        return self._driven[0]

    @property
    def forward(self) -> Floats:
        return self._driven[1]

    @cached_property
    def _driven(self) -> tuple[Floats, Floats]:
        if self._drive is None:
            return self._known, _NOTHING
        state = (self.q, self.v, self._known)
        with np.errstate(all="ignore"):
            return driven_accelerations(self._model, state, self._base, self._drive, self._wrenches)

    @cached_property
    def relative(self) -> Floats:
        with np.errstate(all="ignore"):
            return state_step.relative_block(self._model, self.q, self._base).reshape(-1)

    @property
    def bodies(self) -> Floats:
        return self._blocks[0].reshape(-1)

    @property
    def markers(self) -> Floats:
        return self._blocks[1].reshape(-1) if self._model.markers else _NO_MARKERS

    @cached_property
    def _blocks(self) -> tuple[Floats, ...]:
        with np.errstate(all="ignore"):
            state = (self.q, self.v, self.a)
            return state_step.motion_blocks(self._model, *state, self._base, self._frame)


def from_kernel(flat: Floats, layout: Layout) -> StepResult:
    """Return what a kernel's flat result says."""
    return _CompiledResult(flat, layout)


def from_joints(
    model: Model,
    joints: state_step.JointsStep | state_step.ClosedJointsStep,
    base: tuple[Floats, ...],
    drive: tuple[Floats, ...] | None,
    wrenches: Floats | None = None,
    frame: str = "",
) -> StepResult:
    """Return what follows from the joints, computed when it is asked for.

    Args:
        model: The model.
        joints: The first outputs of `state_step`.
        base: The motion (24,) of a prescribed base.
        drive: As in `driven_step.DRIVE`; None where nothing is driven.
        wrenches: As in `dynamics_step.dynamics_block`; None where none act.
        frame: What motion is seen from, as in `state_step`.
    """
    return _PlainResult(model, joints, base, drive, wrenches, frame)
