"""`joint_trajectory_demo`: plays a smooth motion of any robot as joint states."""

from __future__ import annotations

import sys

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from sensor_msgs.msg import JointState, MultiDOFJointState

from robodyn_ros.errors import quoted
from robodyn_ros.robot import Robot
from robodyn_ros.ros import qos
from robodyn_ros.ros.conversions import multi_dof_joint_state, set_time
from robodyn_ros.ros.demo_motion import SmoothMotion
from robodyn_ros.ros.demo_poses import PoseMotion
from robodyn_ros.ros.description_source import DescriptionSource
from robodyn_ros.ros.parameter_tables import DEMO_PARAMETERS
from robodyn_ros.ros.parameters import Parameters


class JointTrajectoryDemo(Node):
    """Publishes joint states, of one number each and as poses, with exact velocities."""

    def __init__(self) -> None:
        super().__init__("joint_trajectory_demo")
        self._motion: SmoothMotion | None = None
        self._message = JointState()
        self._poses: PoseMotion | None = None
        self._start: int | None = None
        self._last_stamp = -1
        self._source = DescriptionSource(self, self._adopt, publish=False)
        self._config = Parameters(
            self,
            DEMO_PARAMETERS,
            on_change=self._parameters_changed,
            checks={"robot_description": self._source.check},
        )
        self._publisher = self.create_publisher(
            JointState, "joint_states", qos.STREAM, event_callbacks=qos.QUIET
        )
        self._pose_publisher = self.create_publisher(
            MultiDOFJointState, "multi_dof_joint_states", qos.STREAM, event_callbacks=qos.QUIET
        )
        self._source.start(
            self._config.get("robot_description"),
            self._config.text("robot_description_file"),
            base=None,
        )
        # A timer on simulated time would stand still after a reset of the clock.
        self._timer = self.create_timer(
            1.0 / self._config.number("rate"),
            self._publish,
            clock=Clock(clock_type=ClockType.STEADY_TIME),
        )

    def _adopt(self, robot: Robot) -> None:
        options = {name: self._config.number(name) for name in ("amplitude", "period")}
        seed, move_base = int(self._config.number("seed")), bool(self._config["move_base"])
        self._motion = SmoothMotion(robot.model, **options, seed=seed)
        self._poses = PoseMotion(robot.model, **options, seed=seed, move_base=move_base)
        self._message.name = list(self._motion.names)
        what = f"{len(self._motion.names)} coordinates"
        if self._poses.names:
            what += f" and the poses of {len(self._poses.names)} joints"
        self.get_logger().info(f"robot {quoted(robot.model.name)}: playing {what}")

    def _publish(self) -> None:
        stamp = self.get_clock().now().nanoseconds
        if self._motion is None or self._poses is None or stamp == self._last_stamp:
            return
        self._last_stamp = stamp
        if self._start is None:
            self._start = stamp
        time = (stamp - self._start) * 1e-9
        if self._poses.names:
            poses = self._poses.at(time)
            message = multi_dof_joint_state(self._poses.names, poses, stamp)
            self._pose_publisher.publish(message)
        sample = self._motion.at(time)
        set_time(self._message.header.stamp, stamp)
        self._message.position = sample.position.tolist()
        self._message.velocity = sample.velocity.tolist()
        self._publisher.publish(self._message)

    def _parameters_changed(self, names: set[str]) -> None:
        if "robot_description" in names:
            self._source.change(self._config["robot_description"])


def main() -> int:
    """Run the node; the installed executable enters by `robodyn_ros.nodes.executables`."""
    from robodyn_ros.nodes.executables import joint_trajectory_demo

    return joint_trajectory_demo()


if __name__ == "__main__":
    sys.exit(main())
