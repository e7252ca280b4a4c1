"""`joint_trajectory_demo`: plays a smooth motion of any robot as joint states."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from sensor_msgs.msg import JointState, MultiDOFJointState
from std_srvs.srv import SetBool, Trigger

from robodyn_ros.errors import quoted
from robodyn_ros.robot import Robot
from robodyn_ros.ros import qos
from robodyn_ros.ros.conversions import multi_dof_joint_state, set_time
from robodyn_ros.ros.demo_player import DemoPlayer, Settings
from robodyn_ros.ros.description_source import DescriptionSource
from robodyn_ros.ros.joint_commands import CommandReader
from robodyn_ros.ros.parameter_tables import DEMO_PARAMETERS
from robodyn_ros.ros.parameters import Parameters
from robodyn_ros.ros.speaker import Speaker

NO_ROBOT = "there is no robot description yet, so nothing is played"


class JointTrajectoryDemo(Node):
    """Publishes joint states, of one number each and as poses, with exact velocities."""

    def __init__(self) -> None:
        super().__init__("joint_trajectory_demo")
        self._player: DemoPlayer | None = None
        self._message = JointState()
        self._start: int | None = None
        self._last_stamp = -1
        self._speaker = Speaker(self)
        self._source = DescriptionSource(self, self._adopt, publish=False)
        self._config = Parameters(
            self,
            DEMO_PARAMETERS,
            on_change=self._parameters_changed,
            checks={"robot_description": self._source.check},
        )
        make = partial(self.create_publisher, event_callbacks=qos.QUIET)
        self._publisher = make(JointState, "joint_states", qos.STREAM)
        self._pose_publisher = make(MultiDOFJointState, "multi_dof_joint_states", qos.STREAM)
        self._source.start(
            self._config.get("robot_description"),
            self._config.text("robot_description_file"),
            base=None,
        )
        self._listen()
        # A timer on simulated time would stand still after a reset of the clock.
        self._timer = self.create_timer(
            1.0 / self._config.number("rate"),
            self._publish,
            clock=Clock(clock_type=ClockType.STEADY_TIME),
        )

    def _listen(self) -> None:
        """Take what the motion is told from outside."""
        topic = "~/position_command"
        self.create_subscription(JointState, topic, self._commanded, qos.STREAM)
        self._commands = CommandReader(self.resolve_topic_name(topic), "position")
        self.create_service(SetBool, "~/pause", self._pause, qos_profile=qos.SERVICES)
        self.create_service(Trigger, "~/reset", self._reset, qos_profile=qos.SERVICES)

    def _adopt(self, robot: Robot) -> None:
        config = self._config
        settings = Settings(
            config.number("amplitude"),
            config.number("period"),
            int(config.number("seed")),
            bool(config["move_base"]),
        )
        player = DemoPlayer(robot.model, settings, self._time())
        self._player = player
        self._message.name = list(player.names)
        self._speaker.forget()
        what = f"{len(player.names)} coordinates"
        if player.joints:
            what += f" and the poses of {len(player.joints)} joints"
        self.get_logger().info(f"robot {quoted(robot.model.name)}: playing {what}")

    def _time(self) -> float:
        """Return the time of the node's clock since the first message, s."""
        if self._start is None:
            return 0.0
        return float(self.get_clock().now().nanoseconds - self._start) * 1e-9

    def _publish(self) -> None:
        stamp, player = self.get_clock().now().nanoseconds, self._player
        if player is None or stamp == self._last_stamp:
            return
        self._last_stamp = stamp
        if self._start is None:
            self._start = stamp
        time = (stamp - self._start) * 1e-9
        self._speaker.say(player.settle(time))
        if player.joints:
            message = multi_dof_joint_state(player.joints, player.poses_at(time), stamp)
            self._pose_publisher.publish(message)
        position, velocity = player.at(time)
        set_time(self._message.header.stamp, stamp)
        self._message.position = position.tolist()
        self._message.velocity = velocity.tolist()
        self._publisher.publish(self._message)

    def _commanded(self, message: JointState) -> None:
        player = self._player
        if player is None:
            return
        values, complaints = self._commands.read(message, player.refusal)
        self._speaker.say(complaints)
        if values:
            self._speaker.say(player.command(values))

    def _pause(self, request: Any, reply: Any) -> Any:
        if self._player is None:
            reply.success, reply.message = False, NO_ROBOT
            return reply
        self._player.pause(request.data, self._time())
        reply.success = True
        return reply

    def _reset(self, _: Any, reply: Any) -> Any:
        if self._player is None:
            reply.success, reply.message = False, NO_ROBOT
            return reply
        self._player.reset(self._time())
        reply.success = True
        return reply

    def _parameters_changed(self, names: set[str]) -> None:
        if "robot_description" in names:
            self._source.change(self._config["robot_description"])


def main() -> int:
    """Run the node; the installed executable enters by `robodyn_ros.nodes.executables`."""
    from robodyn_ros.nodes.executables import joint_trajectory_demo

    return joint_trajectory_demo()


if __name__ == "__main__":
    sys.exit(main())
