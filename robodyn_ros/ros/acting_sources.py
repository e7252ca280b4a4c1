"""What `~/visualization` shows of what acts on a robot, as far as its node knows it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms import pose_in_world
from robodyn_ros.conditioning.dynamics_step import DynamicsBlock, Efforts
from robodyn_ros.conditioning.joint_efforts import JointEfforts
from robodyn_ros.conditioning.path_dynamics import PathDynamics
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.errors import RobodynError
from robodyn_ros.ros.dynamics import Dynamics
from robodyn_ros.ros.external_wrench import ExternalWrenches
from robodyn_ros.ros.followed_environment import FollowedEnvironment
from robodyn_ros.ros.joint_dynamics import PATIENCE
from robodyn_ros.ros.markers.acting import NOTHING, Acting, Push
from robodyn_ros.ros.markers.settings import VisualizationSettings
from robodyn_ros.ros.state_node import StateNode

Floats = NDArray[np.float64]
_TOTAL = Efforts._fields.index("total")
_WHO = "visualization"


class ActingSource(Protocol):
    """Knows what acts on a robot; called by the node's executor."""

    def acting(self, path: StatePath, settings: VisualizationSettings) -> Acting:
        """Return what acts of what is to be shown, and have efforts taken from now on.

        Args:
            path: The state path that is shown.
            settings: What is shown.
        """
        ...

    def leave(self) -> None:
        """Have efforts no longer taken for this: nobody looks."""
        ...


class MeasuredActing:
    """Measured efforts, external wrenches and payloads: what a node without dynamics knows."""

    def __init__(self, node: StateNode, environment: FollowedEnvironment) -> None:
        """Take efforts in the units that the environment has."""
        self._node = node
        self._environment = environment
        self._efforts: JointEfforts | None = None
        self._path: StatePath | None = None

    def acting(self, path: StatePath, settings: VisualizationSettings) -> Acting:
        """Return what acts, computed efforts aside."""
        measured: Floats | None = None
        with self._node.lock:
            if not settings.efforts:
                self._leave()
            elif self._path is not path or self._efforts is None:
                self._leave()
                self._path, self._efforts = path, JointEfforts(len(path.plan.slots))
                path.efforts = self._efforts
            elif path.stamp is not None:
                measured = self._efforts.by_coordinate(
                    self._environment.factor,
                    path.plan.v_index,
                    path.model.nv,
                    self._node.present(path.stamp),
                    path.stale_after,
                )
            around = _around(path, settings)
        return around._replace(measured=measured)

    def leave(self) -> None:
        """Take no efforts any more."""
        with self._node.lock:
            self._leave()

    def _leave(self) -> None:
        if self._path is not None:
            self._path.efforts = None
        self._path = self._efforts = None


class ComputedActing:
    """All that a node with dynamics knows: computed efforts and forces of constraints too.

    Without a kernel these take long: of the time many times as long is left to the rest.
    """

    def __init__(self, node: StateNode, dynamics: Dynamics, external: ExternalWrenches) -> None:
        """Have it of the node's dynamics, and estimated wrenches of `external`."""
        self._node = node
        self._dynamics = dynamics
        self._external = external
        self._effort: Floats | None = None
        self._multipliers: Floats | None = None
        self._of: StatePath | None = None
        self._effort_due = self._multipliers_due = 0.0

    def acting(self, path: StatePath, settings: VisualizationSettings) -> Acting:
        """Return what acts."""
        dynamics = self._dynamics.of_path
        if dynamics is None or dynamics.path is not path or path.stamp is None:
            return NOTHING
        if self._of is not path:
            self._of, self._effort, self._multipliers = path, None, None
        held = settings.wrenches and path.model.is_closed
        wanted = settings.efforts or held
        self._dynamics.watch(_WHO, wanted=wanted)
        known = not self._dynamics.surroundings_trouble
        self._external.is_watched = settings.wrenches
        with self._node.lock:
            around = self._guessed(_around(path, settings), settings)
            if not wanted:
                return around
            stamp = self._node.present(path.stamp)
            valid = dynamics.valid(stamp)
            measured = self._dynamics.stream.measured_at(dynamics, stamp)
            result = path.result
            self._compute(dynamics)
        if held:
            around = around._replace(
                multipliers=self._held(around, result.q, result.v) if valid.any() else None
            )
        if not settings.efforts:
            return around
        valid = valid if known else np.zeros_like(valid)
        return around._replace(effort=self._effort, valid=valid, measured=measured)

    def leave(self) -> None:
        """Have efforts computed for their stream only."""
        self._dynamics.watch(_WHO, wanted=False)
        self._external.is_watched = False

    def _guessed(self, around: Acting, settings: VisualizationSettings) -> Acting:
        """Add external wrenches as they are estimated."""
        if not settings.wrenches:
            return around
        estimates, in_contact = self._external.estimates()
        pushes = tuple(Push(x.frame, x.own.wrench) for x in estimates)
        return around._replace(estimates=pushes, in_contact=in_contact)

    def _compute(self, dynamics: PathDynamics) -> None:
        """Take the efforts of this moment, or keep those of a moment ago; with the lock held."""
        block: DynamicsBlock | None = dynamics.computed()
        started = time.monotonic()
        if block is None and started >= self._effort_due:
            block = dynamics.block()
            self._effort_due = started + (1.0 + PATIENCE) * (time.monotonic() - started)
        if block is not None:
            self._effort = np.array(block.efforts[_TOTAL])

    def _held(self, around: Acting, q: Floats, v: Floats) -> Floats | None:
        """Return the multipliers of the constraints, or those of a moment ago."""
        started, robot = time.monotonic(), self._dynamics.robot
        if robot is None or self._effort is None or started < self._multipliers_due:
            return self._multipliers
        try:
            self._multipliers = robot.constraint_forces(
                q, v, self._effort, _by_frame(around.pushes), friction=True, wrench_axes="local"
            )
        except RobodynError:
            self._multipliers = None
        self._multipliers_due = started + PATIENCE * (time.monotonic() - started)
        return self._multipliers


def _around(path: StatePath, settings: VisualizationSettings) -> Acting:
    """Return the wrenches and payloads of a path; with the lock held."""
    if not settings.wrenches:
        return NOTHING
    environment = path.robot.environment
    gravity = np.asarray(path.gravity)
    if path.plan.seen_from:
        gravity = pose_in_world(path.robot.model, path.plan.seen_from)[0].T @ gravity
    pushes = tuple(Push(x.frame, x.wrench) for x in path.wrenches.acting)
    return Acting(pushes=pushes, payloads=tuple(environment.payloads), gravity=gravity)


def _by_frame(pushes: tuple[Push, ...]) -> Mapping[str, Floats] | None:
    """Return wrenches by frame, those at one frame added up; None for none."""
    found: dict[str, Floats] = {}
    for push in pushes:
        found[push.frame] = found[push.frame] + push.wrench if push.frame in found else push.wrench
    return found or None
