"""`~/joint_dynamics`: the efforts behind every joint state, split into their causes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node
from robodyn_interfaces.msg import JointDynamics

from robodyn_ros.conditioning.complaints import Complaint, Severity, listed
from robodyn_ros.conditioning.dynamics_step import EXTERNAL_ROW, Efforts
from robodyn_ros.conditioning.path_dynamics import PathDynamics
from robodyn_ros.conditioning.state_path import Step
from robodyn_ros.errors import quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.audience import Audience
from robodyn_ros.ros.cdr.template import Template
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.rates import Traffic

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

OUTPUT = "joint_dynamics"
PATIENCE = 9.0
"""Without a kernel efforts take long: of the time so many times as long is left to the rest."""
NOT_MEASURED = float("nan")
"""What `measured` and `residual` are where there is nothing to compare: the message says so."""

_MOTION = ("position", "velocity", "acceleration")
_TERMS = ("inertial", "coriolis", "gravity", "friction", "armature", "payload", "effort")
"""Fields of the message that the first rows of `Efforts` fill, in their order."""
_OTHERS = ("external", "measured", "residual")
_FIELDS = (*_MOTION, *_TERMS, *_OTHERS)
_EFFORT, _EXTERNAL, _MEASURED, _RESIDUAL = map(
    _FIELDS.index, ("effort", "external", "measured", "residual")
)
_COMPUTED = slice(1, _MEASURED)
"""Rows of what is computed, positions aside."""
_PAYLOAD_WEIGHT = Efforts._fields.index("payload_weight")


class Measured:
    """How the efforts of joint states compare with computed ones; see `effort_units`.

    Attributes:
        factor: (n,) from what a slot of joint states reports to N m or N; 0 where it is refused.
        refused: Why it is refused, by joint.
        driver_compensates_gravity: Whether measured efforts lack those that hold the weight.
    """

    def __init__(self, factor: Floats, refused: dict[str, str], *, compensated: bool) -> None:
        self.factor = factor
        self.refused = refused
        self.driver_compensates_gravity = compensated


class JointDynamicsStream:
    """Publishes efforts with every state, while somebody listens."""

    def __init__(self, node: Node, traffic: Traffic) -> None:
        """Make the publisher; what is published is counted in `traffic`."""
        self._publisher = node.create_publisher(
            JointDynamics, "~/joint_dynamics", qos.STREAM, event_callbacks=qos.QUIET
        )
        self._audience = Audience(self._publisher)
        self._traffic = traffic
        self._due = 0.0
        self._template: Template | None = None
        self.measured = Measured(np.zeros(0), {}, compensated=False)

    @property
    def end(self) -> Endpoint:
        """What is published, for a look at the other ends."""
        return Endpoint("~/joint_dynamics", JointDynamics, qos.STREAM)

    def begin(self, dynamics: PathDynamics, frame: str) -> None:
        """Start over with another description; `frame` is the world's."""
        model = dynamics.path.robot.model
        self._names = model.coordinate_names
        self._numbers: Floats = np.zeros(len(_FIELDS) * model.nv + 2)
        self._table: Floats = self._numbers[:-2].reshape(len(_FIELDS), model.nv)
        self._own: Indices = np.flatnonzero(model.rate_places >= 0)
        self._q_index = model.rate_places[self._own]
        self._template = joint_dynamics_template(model.coordinate_names, frame)

    def prepare(self, dynamics: PathDynamics, now: float, *, watched: bool = False) -> None:
        """Have efforts computed along with the motion, or no longer; `now` is monotonic, s.

        `watched` tells that somebody else wants them.
        """
        if watched or self._audience.is_there(now):
            dynamics.want()
        elif dynamics.is_wanted:
            dynamics.leave()

    def publish(
        self, dynamics: PathDynamics, step: Step, now: float, *, gravity_known: bool
    ) -> Iterable[Complaint]:
        """Publish the efforts of a step, if somebody listens; return what could not be.

        Args:
            dynamics: The path's dynamics.
            step: What is to be published.
            now: Monotonic time, s.
            gravity_known: Whether gravity is; no effort is valid without it.
        """
        template = self._template
        if template is None or not step.bodies or not self._audience.is_there(now):
            return ()
        result = dynamics.path.result
        block = dynamics.computed()
        if block is None:
            if now < self._due:
                self._traffic.count("efforts left out while there is no kernel")
                return ()
            block = dynamics.block()
            took = time.monotonic() - now
            self._due = now + (1.0 + PATIENCE) * took
        efforts, energies = block
        valid = dynamics.valid(step.stamp)
        if not gravity_known:
            valid = np.zeros_like(valid)
        table = self._table
        table[0] = NOT_MEASURED
        table[0, self._own] = result.q[self._q_index]
        table[1], table[2] = result.v, result.a
        table[3:_EXTERNAL] = efforts[:_PAYLOAD_WEIGHT]
        table[_EXTERNAL] = efforts[EXTERNAL_ROW] if len(efforts) > EXTERNAL_ROW else 0.0
        self._numbers[-2:] = energies
        complaints: tuple[Complaint, ...] = ()
        if not (
            np.isfinite(table[_COMPUTED]).all() and isfinite(energies.item(0) + energies.item(1))
        ):
            valid, complaints = self._repaired(valid)
        self._compare(dynamics, step.stamp, efforts, valid)
        self._audience.send(template.fill(step.stamp, self._numbers, valid))
        self._traffic.count(OUTPUT)
        return complaints

    def _compare(
        self, dynamics: PathDynamics, stamp: int, efforts: Floats, valid: NDArray[np.bool_]
    ) -> None:
        """Fill in what was measured, and what is left of it."""
        measured, residual = self._table[_MEASURED], self._table[_RESIDUAL]
        measured[:] = self.measured_at(dynamics, stamp)
        computed = self._table[_EFFORT]
        if self.measured.driver_compensates_gravity:
            with np.errstate(all="ignore"):
                weight = self._table[5] + efforts[_PAYLOAD_WEIGHT]
                computed = computed - weight
        np.subtract(measured, computed, out=residual)
        residual[~valid] = NOT_MEASURED

    def measured_at(self, dynamics: PathDynamics, stamp: int) -> Floats:
        """Return the efforts (nv,) that are known at a stamp in ns, N m or N; NaN for others."""
        path = dynamics.path
        return dynamics.measured.by_coordinate(
            self.measured.factor, path.plan.v_index, path.model.nv, stamp, path.stale_after
        )

    def _repaired(
        self, valid: NDArray[np.bool_]
    ) -> tuple[NDArray[np.bool_], tuple[Complaint, ...]]:
        """Put zeros for what is not finite: a robot's dimensions may take sane joints there."""
        finite = np.isfinite(self._table[_COMPUTED]).all(axis=0)
        self._table[1:, ~finite] = 0.0
        self._numbers[-2:][~np.isfinite(self._numbers[-2:])] = 0.0
        names = [quoted(self._names[k]) for k in np.flatnonzero(~finite)] or ["the energies"]
        text = (
            f"efforts not finite and shown as 0: {listed(names)}; the joints' values and the"
            " robot's masses are too large"
        )
        told = Complaint(Severity.WARN, "efforts not finite", text, once=False)
        return valid & finite, (told,)


def measured_reasons(
    names: Sequence[str], measured: Measured, reasons: Callable[[], Sequence[str]]
) -> dict[str, str]:
    """Return why the efforts of joint states are not compared, by joint slot name."""
    found = {}
    for name, reason in zip(names, reasons(), strict=True):
        if why := measured.refused.get(name) or reason:
            found[name] = why
    return found


def joint_dynamics_template(names: Sequence[str], frame_id: str) -> Template:
    """Return a JointDynamics to be filled with `_FIELDS`, (nv,) each, and the two energies.

    The flags are the coordinates' validity (nv,).

    Args:
        names: Names of the coordinates.
        frame_id: World frame.
    """
    count = len(names)
    zeros = [0.0] * count
    fields = dict.fromkeys(_FIELDS, zeros)
    message = JointDynamics(names=list(names), valid=[False] * count, **fields)
    message.header.frame_id = frame_id
    every = range(count)
    numbers = [
        (f"{field}[{k}]", row * count + k) for row, field in enumerate(_FIELDS) for k in every
    ]
    numbers += [
        ("kinetic_energy", len(_FIELDS) * count),
        ("potential_energy", len(_FIELDS) * count + 1),
    ]
    return Template(message, ("header.stamp",), numbers, [(f"valid[{k}]", k) for k in every])
