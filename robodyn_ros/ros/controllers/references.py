"""References that come as messages: trajectories of joints, and poses of a frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from geometry_msgs.msg import PoseStamped
from numpy.typing import NDArray
from trajectory_msgs.msg import JointTrajectory

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.control import RobotState, TrajectoryPoints
from robodyn_ros.control.cartesian_impedance import frame_pose
from robodyn_ros.control.joint_trajectory import LARGEST
from robodyn_ros.errors import ArgumentError, RobodynError, UnknownNameError
from robodyn_ros.ros import qos
from robodyn_ros.ros.cdr.trajectory_reader import ReadTrajectory, read_trajectory
from robodyn_ros.ros.controllers.assembly import Assembly
from robodyn_ros.ros.controllers.controller import Controller
from robodyn_ros.ros.feature import Ends, Feature
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.state_node import StateNode
from robodyn_ros.spatial import quaternion_to_matrix

Floats = NDArray[np.float64]
TRAJECTORY_TOPIC, POSE_TOPIC = "~/joint_trajectory", "~/target_pose"
_UNIT = 1e-3
"""By how much the norm of a quaternion may differ from 1."""


class References(Feature):
    """Takes references for a controller; a bad one is refused whole, the one before goes on."""

    def __init__(self, node: StateNode, controller: Controller, *, poses: bool) -> None:
        """Subscribe to trajectories, or to poses."""
        self._node, self._controller = node, controller
        kind = PoseStamped if poses else JointTrajectory
        self._topic = POSE_TOPIC if poses else TRAJECTORY_TOPIC
        take = self._take_pose if poses else self._take_trajectory
        # A trajectory comes as bytes: rclpy would make a message of it with all threads stopped.
        node.create_subscription(kind, self._topic, self._guarded(take), qos.STREAM, raw=not poses)
        self._end = Endpoint(self._topic, kind, qos.STREAM)
        self._path: StatePath | None = None

    @property
    def ends(self) -> Ends:
        """What is subscribed to."""
        return Ends(inward=(self._end,))

    def adopt(self, path: StatePath) -> None:
        """Take another description."""
        self._path = path

    def _guarded(self, take: Callable[..., None]) -> Callable[..., None]:
        def received(message: bytes | PoseStamped) -> None:
            try:
                take(message)
            except RobodynError as error:
                topic = self._node.resolve_topic_name(self._topic)
                text = f"a reference on {topic} is refused: {error}"
                self._node.complain(
                    [Complaint(Severity.WARN, "references refused", text, text, once=False)]
                )

        return received

    def _ready(self) -> tuple[Assembly, RobotState]:
        """Return the controller and where its robot is, if it takes references; with the lock."""
        made, state = self._controller.assembly, self._controller.state
        if made is None or state is None:
            raise ArgumentError("there is no robot, or no state of it yet")
        if not made.supervisor.is_active:
            raise ArgumentError("the controller is not active: activate it first")
        if made.supervisor.form is not None:
            raise ArgumentError("the controller is in a safe form: call ~/clear_faults first")
        return made, state

    def _take_trajectory(self, data: bytes) -> None:
        read = read_trajectory(data)
        points = trajectory_points(read)
        with self._node.lock:
            made, state = self._ready()
            follower = made.referenced.follower
            if follower is None:
                raise ArgumentError("this law follows no trajectory")
            reference = follower.reference(state.stamp)
        # States come meanwhile: thousands of points take as long as several of them.
        planned = follower.planned(read.names, points, read.stamp, state.stamp, reference)
        with self._node.lock:
            if self._ready()[0] is not made:
                raise ArgumentError("the description was replaced meanwhile: send it again")
            follower.follow(planned)

    def _take_pose(self, message: PoseStamped) -> None:
        position, rotation = pose_of(message)
        with self._node.lock:
            made, state = self._ready()
            cartesian = made.referenced.cartesian
            if cartesian is None:
                raise ArgumentError("this law goes to no pose")
            R_WA, p_WA = self._axes(message.header.frame_id, made, state)
            cartesian.take(p_WA + R_WA @ position, R_WA @ rotation, state.stamp)

    def _axes(self, frame: str, made: Assembly, state: RobotState) -> tuple[Floats, Floats]:
        """Return rotation and position in the world of the frame that a pose is given in."""
        path = self._path
        if path is None or (frame in ("", path.plan.world_frame) and not path.plan.seen_from):
            return np.eye(3), np.zeros(3)
        name = frame or path.plan.seen_from
        prefix = self._node.config.text("frame_prefix")
        if name.startswith(prefix):
            name = name.removeprefix(prefix)
        if name not in made.robot.model.frames:
            raise UnknownNameError.among("frame", frame, made.robot.model.frames)
        position, rotation = frame_pose(made.robot, state.q, name)
        return rotation, position


def trajectory_points(read: ReadTrajectory) -> TrajectoryPoints:
    """Return the points of a trajectory that was read.

    Raises:
        ArgumentError: they are no trajectory.
    """
    if not read.times:
        raise ArgumentError("it has no points")
    count = len(read.names)
    if not count:
        raise ArgumentError("it names no joints: set joint_names")
    positions = _table("positions", read.positions, count)
    if positions is None:
        raise ArgumentError("its points have no positions")
    return TrajectoryPoints(
        np.array(read.times),
        positions,
        _table("velocities", read.velocities, count),
        _table("accelerations", read.accelerations, count),
    )


def _table(name: str, rows: Sequence[Sequence[float]], count: int) -> Floats | None:
    """Return the numbers (points, joints) of a field, None where no point has any."""
    lengths = {len(row) for row in rows}
    if lengths == {0}:
        return None
    if lengths != {count}:
        odd = next(k for k, row in enumerate(rows) if len(row) != count)
        raise ArgumentError(
            f"point {odd} has {len(rows[odd])} {name} for {count} joints; give one for each"
        )
    return np.array(rows, dtype=np.float64)


def pose_of(message: PoseStamped) -> tuple[Floats, Floats]:
    """Return position (3,) and rotation (3, 3) of a message.

    Raises:
        ArgumentError: numbers that are not finite, or a quaternion that is none.
    """
    p, o = message.pose.position, message.pose.orientation
    position, quaternion = np.array([p.x, p.y, p.z]), np.array([o.x, o.y, o.z, o.w])
    if not (np.isfinite(position).all() and np.isfinite(quaternion).all()):
        raise ArgumentError("its pose is not finite")
    if np.max(np.abs(position)) > LARGEST:
        raise ArgumentError(f"its position is beyond {LARGEST:g} m")
    norm = float(np.linalg.norm(quaternion))
    if abs(norm - 1.0) > _UNIT:
        raise ArgumentError(
            f"the norm of its orientation is {norm:.4g}; give a quaternion of norm 1 (0, 0, 0, 1"
            " for none)"
        )
    return position, np.asarray(quaternion_to_matrix(quaternion / norm), dtype=np.float64)
