"""`viewer`: a page in the browser on which robots are seen, moved and pushed."""

from __future__ import annotations

import sys

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.subscription import Subscription

from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros import qos
from robodyn_ros.ros.parameter_specs import Value
from robodyn_ros.ros.parameter_tables import VIEWER_PARAMETERS
from robodyn_ros.ros.parameters import Parameters
from robodyn_ros.ros.viewer.handover import Handover
from robodyn_ros.ros.viewer.requests import Requests
from robodyn_ros.ros.viewer.robot_names import RobotNames
from robodyn_ros.ros.viewer.robot_view import RobotView
from robodyn_ros.ros.viewer.viewer_parameters import robot_names
from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.panel import Places

LOOK_PERIOD = 0.5
"""Seconds between two looks at who is there."""


class Viewer(Node):
    """Shows what robots publish, and asks their nodes for what people want.

    It listens while a browser shows the page, and costs next to nothing else.
    """

    def __init__(self) -> None:
        super().__init__("viewer")
        self._config = Parameters(
            self,
            VIEWER_PARAMETERS,
            on_change=self._parameters_changed,
            checks={"robot_description": self._check_description},
        )
        names = self._names()
        self._page = Page(
            self._config.text("host"),
            int(self._config.number("port")),
            origins=self._config.text("origins"),
        )
        self._handover = Handover(self)
        self._requests = Requests(self)
        places = Places(self._page.server.gui, [each.namespace for each in names])
        self._robots = [
            RobotView(self, self._page, places, each, self._handover, self._requests)
            for each in names
        ]
        self._diagnostics: Subscription | None = None
        clock = Clock(clock_type=ClockType.STEADY_TIME)
        period = 1.0 / self._config.number("scene_rate")
        self._timers = [
            self.create_timer(period, self._draw, clock=clock, autostart=False),
            self.create_timer(LOOK_PERIOD, self._look, clock=clock, autostart=False),
        ]
        self._start()

    def destroy_node(self) -> None:
        """Close the page, then leave the graph."""
        self._handover.close()
        self._page.close()
        super().destroy_node()

    def _names(self) -> list[RobotNames]:
        config = self._config
        topic = config.text("command_topic")
        if topic and not config["allow_commands"]:
            raise ArgumentError(
                f"command_topic {topic} may be a real robot's: give allow_commands:=true too, or"
                " leave command_topic out"
            )
        namespaces = robot_names(config.text("robots"))
        described = config.get("robot_description") or config.text("robot_description_file")
        if described and len(namespaces) > 1:
            raise ArgumentError(
                "robots names several, and one description is given: leave robot_description and"
                " robot_description_file out, they come from the robots' topics"
            )
        nodes = (config.text(name) for name in ("server", "simulator", "demo"))
        server, simulator, demo = nodes
        return [RobotNames(each, server, simulator, demo, topic) for each in namespaces]

    def _start(self) -> None:
        for robot in self._robots:
            robot.source.start(
                self._config.get("robot_description"),
                self._config.text("robot_description_file"),
                base=None,
            )
        server = self._page.server
        server.on_client_connect(lambda _: self._handover.post(self._clients_changed))
        server.on_client_disconnect(lambda _: self._handover.post(self._clients_changed))
        if self._page.warning is not None:
            self.get_logger().warning(self._page.warning)
        self.get_logger().info(f"viewer at {self._page.address}")

    def _clients_changed(self) -> None:
        if self._page.clients and self._diagnostics is None:
            self._diagnostics = self.create_subscription(
                DiagnosticArray, "/diagnostics", self._take_diagnostics, qos.DIAGNOSTICS
            )
            for robot in self._robots:
                robot.wake()
            for timer in self._timers:
                timer.reset()
        elif not self._page.clients and self._diagnostics is not None:
            for timer in self._timers:
                timer.cancel()
            for robot in self._robots:
                robot.sleep()
            self.destroy_subscription(self._diagnostics)
            self._diagnostics = None

    def _draw(self) -> None:
        for robot in self._robots:
            robot.draw()

    def _look(self) -> None:
        self._requests.look()
        for robot in self._robots:
            robot.look()

    def _take_diagnostics(self, message: DiagnosticArray) -> None:
        for robot in self._robots:
            robot.status.diagnostics.take(message)

    def _check_description(self, text: Value) -> str:
        if len(self._robots) > 1:
            return "robot_description comes from the topics of the robots, of which there are many"
        return self._robots[0].source.check(text)

    def _parameters_changed(self, names: set[str]) -> None:
        if "robot_description" in names:
            self._robots[0].source.change(self._config["robot_description"])


def main() -> int:
    """Run the node; the installed executable enters by `robodyn_ros.nodes.executables`."""
    from robodyn_ros.nodes.executables import viewer

    return viewer()


if __name__ == "__main__":
    sys.exit(main())
