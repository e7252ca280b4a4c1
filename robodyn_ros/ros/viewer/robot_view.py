"""One robot on the page: what is heard of it is shown, what is asked for is sent."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node

from robodyn_ros.conditioning.complaints import one_line
from robodyn_ros.errors import quoted
from robodyn_ros.robot import Robot
from robodyn_ros.ros.description_source import TOPIC, DescriptionSource
from robodyn_ros.ros.viewer.handover import Handover
from robodyn_ros.ros.viewer.posted_actions import PostedActions
from robodyn_ros.ros.viewer.requests import Requests
from robodyn_ros.ros.viewer.robot_commands import RobotCommands
from robodyn_ros.ros.viewer.robot_inputs import RobotInputs
from robodyn_ros.ros.viewer.robot_names import RobotNames
from robodyn_ros.ros.viewer.robot_picture import RobotPicture
from robodyn_ros.ros.viewer.robot_status import RobotStatus
from robodyn_ros.ros.viewer.samples import Drive, drive_of, efforts_of, positions_of
from robodyn_ros.ros.viewer.slider_ranges import slider_ranges
from robodyn_ros.viewer.panel import Places, RobotPanel

if TYPE_CHECKING:
    from robodyn_ros.viewer.page import Page

Floats = NDArray[np.float64]


class RobotView:
    """One robot; it lives in the executor's thread."""

    def __init__(
        self,
        node: Node,
        page: Page,
        places: Places,
        names: RobotNames,
        handover: Handover,
        requests: Requests,
    ) -> None:
        """Put the controls on the page.

        Args:
            node: The node.
            page: The page.
            places: Where its controls go.
            names: Where the robot is.
            handover: Leads from the page's threads into the executor's.
            requests: Calls services.
        """
        self._node = node
        self._page = page
        self._names = names
        self._handover = handover
        self._robot: Robot | None = None
        self._drive: Drive | None = None
        self._measured: dict[str, float] = {}
        self._awake = False
        self._painting = threading.Lock()
        self._painted: RobotPicture | None = None
        self.source = DescriptionSource(node, self._adopt, publish=False, topic=names.own(TOPIC))
        self.inputs = RobotInputs(node, names)
        self.status = RobotStatus(node, names, self.inputs)
        self.commands = RobotCommands(node, names, requests, self._rotation, self.status.say)
        self.panel = RobotPanel(
            page.server.gui,
            places,
            names.namespace,
            PostedActions(self.commands, handover),
            warning=_warning(node, names),
        )
        self._picture: RobotPicture | None = None

    def wake(self) -> None:
        """Listen to the robot: somebody looks."""
        self._awake = True
        model = self._robot.model if self._robot is not None else None
        self.inputs.listen(markers=model is None or bool(model.markers))

    def sleep(self) -> None:
        """Listen no more: nobody looks."""
        self._awake = False
        self.inputs.stop()

    def draw(self) -> None:
        """Show what is new."""
        self._take_drive()
        self._take_joints()
        self._take_efforts()
        picture = self._picture
        if picture is not None:
            bodies = picture.draw(self.inputs)
            if bodies is not None:
                self.panel.add_motion(bodies.motion(picture.model))
            picture.pull(self.commands)
            if picture.gravity is not None:
                self.panel.loads.show_gravity(picture.gravity)
        self.panel.plots.draw()

    def look(self) -> None:
        """Look who is there, and tell how things are."""
        abilities = self.commands.abilities()
        self.panel.allow(abilities)
        self.panel.time.show(self._is_paused(), self._drive.target if self._drive else np.nan)
        picture = self._picture
        if picture is not None:
            picture.choose_pushed(self.panel.push.handled)
        self.panel.tell(
            self.status.lines(
                name="" if self._robot is None else self._robot.model.name,
                waiting=self.source.waiting_for,
                refusal=self.source.refusal,
                source=self.commands.source,
                drive=self._drive,
                payloads=() if picture is None else picture.payloads,
                notes=() if picture is None else (picture.trouble, *picture.notes),
            )
        )

    def _adopt(self, robot: Robot) -> None:
        self._robot = robot
        # What the description is drawn with is known once the source has it in use.
        self._handover.post(lambda: self._build(robot))

    def _build(self, robot: Robot) -> None:
        """Begin to draw a robot."""
        self._picture = None
        # Meshes may take seconds to be read, for which the executor has no time.
        threading.Thread(target=self._paint, args=(robot,), daemon=True).start()

    def _paint(self, robot: Robot) -> None:
        """Draw a robot in place of the one before, in a thread of its own."""
        with self._painting:
            if self._painted is not None:
                self._painted.remove()
                self._painted = None
            if robot is not self._robot:
                return  # the thread of the next one waits
            name = self._names.namespace
            try:
                visuals = self.source.visuals()
                picture = RobotPicture(self._page, robot.model, visuals, name, self._handover)
            except Exception as error:  # noqa: BLE001 - whatever it is, the page lives on
                text = f"drawing {robot.model.name}: {one_line(error)}"
                self._handover.post(lambda: self.status.say(False, text))
                return
            self._painted = picture
        self._handover.post(lambda: self._show(robot, picture))

    def _show(self, robot: Robot, picture: RobotPicture) -> None:
        """Show a robot that is drawn, and have controls for it."""
        if robot is not self._robot:
            return
        model = robot.model
        self._picture = picture
        self.panel.show.arrange(picture.scene)
        self.panel.joints.arrange(slider_ranges(model))
        self._measured.clear()
        self.panel.offer(model.coordinate_names, picture.frames, picture.bodies, picture.last)
        if self._awake:
            self.inputs.listen(markers=bool(model.markers))
        self._node.get_logger().info(f"robot {quoted(model.name)} is on the page")

    def _rotation(self, frame: str) -> Floats | None:
        return None if self._picture is None else self._picture.rotation(frame)

    def _take_drive(self) -> None:
        message = self.inputs.simulator.new()
        if message is not None:
            self._drive = drive_of(message)
        if self._drive is not None and self.status.is_silent(self.inputs.simulator):
            self._drive = None

    def _take_joints(self) -> None:
        message = self.inputs.joints.new()
        if message is not None:
            self._measured.update(positions_of(message))
        self.panel.follow({**self._measured, **self._held()})

    def _held(self) -> Mapping[str, float]:
        """Return where coordinates are commanded to be."""
        return self._drive.held if self._drive is not None else self.commands.demo_held

    def _take_efforts(self) -> None:
        message = self.inputs.dynamics.new()
        sample = None if message is None else efforts_of(message)
        if sample is not None:
            self.panel.add_efforts(sample)

    def _is_paused(self) -> bool:
        return self._drive.paused if self._drive is not None else self.commands.demo_paused


def _warning(node: Node, names: RobotNames) -> str:
    """Return what people should know before they use the sliders; "" for nothing."""
    if not names.command_topic:
        return ""
    topic = node.resolve_topic_name(names.own(names.command_topic))
    return f"Sliders move what listens on {topic}, at once. It may be a real robot."
