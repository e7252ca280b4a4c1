"""A robot as an ordinary differential equation, at the cost of its kernels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model import Model
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]

ONE = np.array(1.0)
"""s, in the form that kernels take."""
_SAMPLES = 3
_HALF_TURN = np.pi**2


class Mechanics:
    """What a step asks of a robot in the environment of the moment: rates, inertia, steps.

    Kernels are waited for, so that the same steps give the same bits from the first one on; a robot
    that is never compiled stays plain.

    Attributes:
        robot: the robot.
        plain: whether every rate is the derivative of the coordinate in its place.
        damping: (nv,) or (nv, nv) what takes `damping v` of the efforts; None for nothing.
    """

    #: Operations that a step may use.
    OPERATIONS: tuple[str, ...] = ("forward_dynamics", "mass_matrix", "gravity_force")

    def __init__(self, robot: Robot) -> None:
        """Compile what steps need."""
        self.robot = robot
        self.plain = _is_plain(robot)
        self.damping: Floats | None = None
        self._wrenches: Floats | None = None
        self._norms = _norms(robot.model)
        self._turns = [
            slice(joint.q_index, joint.q_index + joint.joint.nq)
            for joint in robot.model.own_joints
            if joint.joint.type_name == "global"
        ]
        self._rest = np.zeros(robot.model.nv)
        self.refresh()
        if robot.compile_mode == "background":
            later = ("forward_dynamics+external", *(f"{x}+loaded" for x in self.OPERATIONS[:3]))
            robot.compile(*later, wait=False)

    @property
    def is_current(self) -> bool:
        """Whether the robot's environment is still the one of the last `refresh`."""
        return self.robot.environment is self._environment

    def refresh(self) -> None:
        """Take the robot's environment of now, and the kernels that it needs."""
        robot = self.robot
        self._environment = robot.environment
        if robot.compile_mode != "off":
            names = [*self.OPERATIONS, *([] if self.plain else ["integrate", "coordinate_rates"])]
            robot.compile(*names)
        self._bind()

    def push(self, wrenches: Floats | None) -> None:
        """Let packed external wrenches act from now on, None for none."""
        self._wrenches = wrenches
        if wrenches is not None and self.robot.compile_mode != "off":
            self.robot.compile("forward_dynamics+external")
        self._bind()

    def _bind(self) -> None:
        """Choose the function that gives accelerations."""
        self._forward: Callable[[Floats, Floats, Floats], Floats] = self.robot.forward_dynamics
        if self._wrenches is not None:
            self._forward = self._pushed

    def _pushed(self, q: Floats, v: Floats, tau: Floats) -> Floats:
        return self.robot.forward_dynamics(q, v, tau, self._wrenches)

    def accelerations(self, q: Floats, v: Floats, tau: Floats) -> Floats:
        """Return the accelerations (nv,) under efforts (nv,), wrenches and explicit damping."""
        damping = self.damping
        if damping is not None:
            tau = tau - (damping * v if damping.ndim == 1 else damping.dot(v))
        return self._forward(q, v, tau)

    def stage(self, q: Floats, v: Floats, tau: Floats) -> tuple[Floats, Floats]:
        """Return dq/dt (nq,) and accelerations (nv,) within a step."""
        if self.plain:
            return v, self.accelerations(q, v, tau)
        q = self.normalized(q)
        return self.robot.coordinate_rates(q, v), self.accelerations(q, v, tau)

    def moved(self, q: Floats, v: Floats, step: Floats) -> Floats:
        """Return the coordinates (nq,) that constant rates (nv,) lead to in a time () s."""
        return q + step * v if self.plain else self.robot.integrate(q, v, step)

    def normalized(self, q: Floats) -> Floats:
        """Return q (nq,) with quaternions of norm 1, itself where it has none."""
        if self._norms is None:
            return q
        squares, others = self._norms
        unit: Floats = q / np.sqrt(squares.dot(q * q) + others)
        return unit

    def settled(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Return a state that a step ended with, put right: norms, and constraints if any."""
        return self.charted(q), v

    def charted(self, q: Floats) -> Floats:
        """Return q (nq,) with quaternions of norm 1 and rotation vectors of norm pi at most."""
        q = self.normalized(q)
        if any(q[turn].dot(q[turn]) > _HALF_TURN for turn in self._turns):
            q = self.robot.integrate(q, self._rest, ONE)
        return q

    def placed(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Return the state that a motion begins with for one that is given.

        Raises:
            SingularMassMatrixError: efforts do not determine the accelerations.
        """
        q = self.robot.integrate(q, self._rest)
        self.stage(q, v, self._rest)
        return q, v

    def felt_inertias(self, q: Floats) -> Floats:
        """Return the inertia (nv,) that a motor on each coordinate feels, the others held."""
        return np.diagonal(self.robot.mass_matrix(q)).copy()

    def directions(self, q: Floats) -> Floats | None:
        """Return N (nv, mobility) of the rates that are possible, v = N y; None for all."""
        return None

    def inertia(self, q: Floats, directions: Floats | None) -> Floats:
        """Return the mass matrix of the possible rates, or (nv, nv)."""
        M = self.robot.mass_matrix(q)
        return M if directions is None else directions.T.dot(M).dot(directions)


def _norms(model: Model) -> tuple[Floats, Floats] | None:
    """Return A and b of the squared norm A q^2 + b that each coordinate is divided by.

    1 of those that are in no quaternion; None where there is none.
    """
    places = model.quaternion_places
    if not len(places):
        return None
    squares, others = np.zeros((model.nq, model.nq)), np.ones(model.nq)
    for entries in places:
        squares[np.ix_(entries, entries)] = 1.0
        others[entries] = 0.0
    return squares, others


def _is_plain(robot: Robot) -> bool:
    """Return whether dq/dt is v everywhere; a joint that turns its rates shows it anywhere."""
    model = robot.model
    if model.nq != model.nv:
        return False
    rng = np.random.default_rng(0)
    for _ in range(_SAMPLES):
        q, v = robot.random_configuration(rng), rng.normal(size=model.nv)
        if not np.array_equal(robot.coordinate_rates(q, v), v):
            return False
    return True
