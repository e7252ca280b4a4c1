"""External wrenches on one robot, estimated with every joint state."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.analysis.contact import ContactDetector, QuietThresholds, smallest_efforts
from robodyn_ros.analysis.momentum_observer import MomentumObserver
from robodyn_ros.analysis.wrench_estimate import WrenchEstimate, estimate_wrench
from robodyn_ros.conditioning.path_dynamics import PathDynamics
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.model import Frame, Model
from robodyn_ros.ros.measured_robot import MeasuredRobot
from robodyn_ros.spatial import quaternion_to_matrix

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SETTLES = 3.0
"""Time constants of the observer after which its output counts: 5 % are left of what was not."""
_SECOND = 1e-9


class Estimated(NamedTuple):
    """The wrench at one frame.

    Attributes:
        frame: Its name in the model.
        world: In the axes that states of bodies are given in.
        own: In the axes of the frame.
        valid: Whether all that it follows from is known.
    """

    frame: str
    world: WrenchEstimate
    own: WrenchEstimate
    valid: bool


class Settings(NamedTuple):
    """What the parameters say.

    Attributes:
        gain: Of the observer, 1/s.
        thresholds: (nv,) of contact, N m or N; NaN to learn them.
        duration: Seconds that contact lasts before it is told.
        compensated: Whether the driver compensates gravity.
    """

    gain: float
    thresholds: Floats
    duration: float
    compensated: bool


class WrenchEstimator:
    """Follows one state path; whoever calls it holds the path's lock.

    Attributes:
        dynamics: Efforts of that path.
        effort: (nv,) estimated external efforts, exerted on the robot, N m or N; 0 where not known.
        known: (nv,) which are.
        frames: Names of the frames.
    """

    def __init__(self, dynamics: PathDynamics, frames: tuple[str, ...], settings: Settings) -> None:
        """Begin.

        Raises:
            UnknownNameError: no such frame.
            ArgumentError: a closed mechanism.
        """
        model = dynamics.path.robot.model
        self.dynamics = dynamics
        self._places = [_frame(model, name) for name in frames]
        self.frames = tuple(place.name for place in self._places)
        self._carriers = [_carriers(model, place) for place in self._places]
        self._measured = MeasuredRobot(dynamics.path)
        try:
            self._observer = MomentumObserver(self._measured.now())
        except ArgumentError as error:
            raise ArgumentError(f"wrench_estimate_frames: {error}") from None
        told = [coordinate.v for coordinate in told_coordinates(model)]
        root = [j for _, j in model.moving[:1] if model.base == "floating"]
        #: A floating base has no motors.
        self._free = [k for joint in root for k in joint.coordinates.columns() if k not in told]
        self._smallest = smallest_efforts(model) + _coulomb(model)
        self.choose(settings)
        self.reset()

    def choose(self, settings: Settings) -> None:
        """Take other settings; thresholds are learnt anew where they are."""
        self._observer.gain = settings.gain
        if self._observer.driver_compensates_gravity is not settings.compensated:
            self._observer.driver_compensates_gravity = settings.compensated
            self._observer.reset()
        self._given = given = settings.thresholds
        unknown = np.isnan(given)
        self._learnt = QuietThresholds(self._smallest) if unknown.any() else None
        self._contact = ContactDetector(
            np.where(unknown, self._smallest, given), duration=settings.duration
        )

    def reset(self) -> None:
        """Forget all but thresholds, as after a time in which nobody asked."""
        self._observer.reset()
        self._contact.reset()
        self._stamp: int | None = None
        nv = len(self._smallest)
        self.effort: Floats = np.zeros(nv)
        self.known: Flags = np.zeros(nv, dtype=bool)

    def ask_for_kernels(self) -> bool:
        """Ask for the kernels that are used; True where all are there."""
        names = ["mass_matrix", "bias_force+friction", *(f"jacobian:{x}" for x in self.frames)]
        if self._observer.driver_compensates_gravity:
            names.append("gravity_force")
        self._measured.now()
        return self._measured.ask_for(*names)

    @property
    def in_contact(self) -> bool:
        """Whether something touches the robot."""
        return self._contact.in_contact

    @property
    def touched(self) -> Flags:
        """Return (nv,) which efforts are above their thresholds."""
        return self._contact.touched

    @property
    def thresholds(self) -> Floats:
        """Return (nv,) thresholds, N m or N."""
        return self._contact.thresholds

    @property
    def left_to_learn(self) -> float:
        """Seconds of motion that thresholds are still to be learnt from; 0 for none."""
        return 0.0 if self._learnt is None else self._learnt.left

    @property
    def is_settled(self) -> bool:
        """Whether the observer has forgotten that it began with nothing."""
        return self._observer.age >= SETTLES / self._observer.gain

    def update(self, measured: Floats) -> bool:
        """Take the state of the path; False where it is none later than the one before.

        Args:
            measured: (nv,) measured efforts, N m or N; NaN where not known.
        """
        path = self.dynamics.path
        stamp = path.stamp
        if stamp is None or stamp == self._stamp:
            return False
        dt = math.inf if self._stamp is None else (stamp - self._stamp) * _SECOND
        self._stamp = stamp
        self._measured.now()
        effort = measured.copy()
        effort[self._free] = 0.0
        effort[~self.dynamics.valid(stamp)] = np.nan
        result = path.result
        self.effort = self._observer.update(result.q, result.v, effort, dt)
        self.known = self._observer.known & self._have_settled
        self._look_for_contact(dt)
        return True

    @property
    def _have_settled(self) -> Flags:
        """Return (nv,) whose efforts count again, if they were not known for long."""
        least = SETTLES / self._observer.gain
        settled: Flags = (self._observer.ages >= least) | (self._observer.age < least)
        return settled

    def _look_for_contact(self, dt: float) -> None:
        """Compare efforts with their thresholds, or learn these from them."""
        if not self.is_settled:
            self._contact.reset()
            return
        if self._learnt is None:
            # A message without an effort does not end a contact.
            self._contact.update(np.where(self._have_settled, self._observer.held, np.nan), dt)
            return
        told = np.where(self.known, self.effort, np.nan)
        if self.known.any():
            self._learnt.update(told, dt)
        if self._learnt.is_done:
            learnt = self._learnt.thresholds
            self._contact.thresholds = np.where(np.isnan(self._given), learnt, self._given)
            self._learnt = None

    def wrenches(self) -> list[Estimated]:
        """Return the wrench that the efforts amount to at each frame."""
        path, robot = self.dynamics.path, self._measured.now()
        bodies, q = path.bodies(), path.result.q
        R_SW = self._measured.R_SW
        told = np.where(self.known, self.effort, np.nan)
        found = []
        for place, carriers in zip(self._places, self._carriers, strict=True):
            J_WF = np.asarray(robot.jacobian(q, place.name))
            sound = bool(np.isfinite(J_WF).all() and np.isfinite(bodies[place.body]).all())
            estimate = estimate_wrench(J_WF if sound else np.zeros(J_WF.shape), told)
            in_world = estimate.turned(R_SW)
            R_SF = np.eye(3)
            if sound:
                R_SF = quaternion_to_matrix(bodies[place.body, 3:7]) @ place.rotation
            own = in_world.turned(R_SF.T)
            valid = sound and self.is_settled and bool(self.known[carriers].all())
            found.append(Estimated(place.name, in_world, own, valid))
        return found


def _frame(model: Model, name: str) -> Frame:
    try:
        return model.frame(name)
    except UnknownNameError as error:
        raise UnknownNameError(f"wrench_estimate_frames: {error}") from None


def _carriers(model: Model, place: Frame) -> list[int]:
    """Return the coordinates that move a frame."""
    return sorted({k for body in model.support(place.body) for k in _columns(model, body)})


def _columns(model: Model, body: int) -> list[int]:
    joint = model.joints[body]
    return [] if joint is None else list(joint.coordinates.columns())


def _coulomb(model: Model) -> Floats:
    """Return the Coulomb friction (nv,) that may act either way on joints at rest, N m or N."""
    found = np.zeros(model.nv)
    for joint in model.own_joints:
        rates = slice(joint.v_index, joint.v_index + joint.joint.nv)
        found[rates] = np.maximum(joint.rate_parameters[:, 2], 0.0)
    return found
