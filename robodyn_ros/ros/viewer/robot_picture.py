"""The scene of one robot, fed with messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.errors import RobodynError
from robodyn_ros.model import Model, Payload
from robodyn_ros.ros.environment_message import environment_told
from robodyn_ros.ros.viewer.handover import Handover
from robodyn_ros.ros.viewer.robot_commands import RobotCommands
from robodyn_ros.ros.viewer.robot_inputs import RobotInputs
from robodyn_ros.ros.viewer.samples import Bodies, bodies_of, markers_of
from robodyn_ros.spatial import quaternion_to_matrix
from robodyn_ros.viewer.panel_actions import Vector
from robodyn_ros.viewer.push_handle import PushHandle
from robodyn_ros.viewer.robot_scene import RobotScene, Wrench

if TYPE_CHECKING:
    from robodyn_ros.description.visuals import Visuals
    from robodyn_ros.viewer.page import Page

Floats = NDArray[np.float64]

_STRONGEST = 1e6


class RobotPicture:
    """A robot's scene; it lives in the executor's thread.

    Attributes:
        model: The robot.
        scene: What is seen of it.
        frames: Links and frames that may carry something or be pushed.
        bodies: Bodies that are seen.
        last: The body at the end of the first chain, say a hand.
        gravity: What the server last said of it, world axes, m/s^2; None before.
        payloads: What it last said of them.
        trouble: What is wrong with what it said; "" for nothing.
    """

    def __init__(
        self, page: Page, model: Model, visuals: Visuals, name: str, handover: Handover
    ) -> None:
        """Put the robot on the page.

        Args:
            page: The page.
            model: The robot.
            visuals: What it is drawn with.
            name: By which the page tells it from others.
            handover: Leads from the page's threads into the executor's.
        """
        self.model = model
        self.scene = RobotScene(
            page, model, visuals.shapes, collisions=visuals.collisions, name=name
        )
        self.scene.look_at()
        plan = FramePlan(model)
        seen = [model.body_names[body] for body in plan.visible]
        moving = [name for name in seen if name != model.body_names[0]]
        hidden = set(model.body_names) - set(moving)
        self.frames = tuple(x for x in model.frames if x not in hidden) or tuple(seen)
        self.bodies = tuple(seen)
        self.last = moving[-1] if moving else ""
        self.gravity: Vector | None = None
        self.payloads: tuple[Payload, ...] = ()
        self.trouble = ""
        self._now: Bodies | None = None
        self._pull: tuple[str, Floats, Floats] | None = None
        self._notes = (*visuals.notes, *self.scene.notes)
        self._handle = PushHandle(self.scene)
        self._handle.on_push(
            lambda body, force, point: handover.post(lambda: self._pulled(body, force, point))
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be shown as described."""
        return self._notes

    def remove(self) -> None:
        """Take the robot off the page."""
        self._handle.attach(None)
        self.scene.remove()

    def draw(self, inputs: RobotInputs) -> Bodies | None:
        """Show what is new; return how bodies move, if that is."""
        message = inputs.bodies.new()
        bodies = None if message is None else bodies_of(message, self.model)
        if bodies is not None:
            self._now = bodies
            self.scene.show(bodies.position, bodies.quaternion, bodies.valid)
            self.scene.show_motion(
                linear_velocity=bodies.velocity[:, :3],
                angular_velocity=bodies.velocity[:, 3:],
                linear_acceleration=bodies.acceleration[:, :3],
                angular_acceleration=bodies.acceleration[:, 3:],
            )
        self._handle.update()
        markers = inputs.markers.new()
        if markers is not None:
            self.scene.show_markers(*markers_of(markers, self.model))
        environment = inputs.environment.new()
        if environment is not None:
            self._surround(environment)
        self._show_wrenches(inputs)
        return bodies

    def rotation(self, frame: str) -> Floats | None:
        """Return how a frame is turned in the world, R_WF (3, 3); None where that is not known."""
        place = self._place(frame)
        return None if place is None else place[0]

    def choose_pushed(self, frame: str) -> None:
        """Put the handle for pushes on the body of a frame; "" takes it away."""
        known = self.model.frames.get(frame)
        body = None if known is None else self.model.body_names[known.body]
        if body != self._handle.body:
            self._handle.attach(body)

    def pull(self, commands: RobotCommands) -> None:
        """Pull where somebody drags the handle."""
        if self._pull is None:
            return
        frame, force, point = self._pull
        place = self._place(frame)
        if place is not None:
            moment: Floats = np.cross(point - place[1], force).astype(np.float64)
            commands.hold(frame, _vector(force), _vector(moment))
        if not force.any():
            self._pull = None

    def _pulled(self, body: str, force: Floats, point: Floats) -> None:
        wrench = np.concatenate([force, point]).astype(np.float64)
        if np.isfinite(wrench).all() and body in self.model.frames:
            self._pull = body, np.clip(wrench[:3], -_STRONGEST, _STRONGEST), wrench[3:]

    def _place(self, frame: str) -> tuple[Floats, Floats] | None:
        """Return R_WF (3, 3) and p_WF (3,) of a frame, None where they are not known."""
        known, now = self.model.frames.get(frame), self._now
        if known is None or now is None or not np.isfinite(now.quaternion[known.body]).all():
            return None
        R_WB = np.asarray(quaternion_to_matrix(now.quaternion[known.body]))
        return R_WB @ known.rotation, now.position[known.body] + R_WB @ known.position

    def _surround(self, message: Any) -> None:
        """Take gravity and payloads."""
        try:
            told = environment_told(message, self.model, message.header.frame_id, "")
        except RobodynError as error:
            self.trouble = f"environment: {error}"
            return
        x, y, z = told.gravity.tolist()
        self.gravity, self.payloads, self.trouble = (x, y, z), told.payloads, ""
        self.scene.show_payloads(told.payloads)

    def _show_wrenches(self, inputs: RobotInputs) -> None:
        shown = []
        # What a simulator knows to act is not shown again as it is estimated.
        acting = {**inputs.estimates.now(), **inputs.wrenches.now()}
        for frame, wrench in acting.items():
            rotation = self.rotation(frame)
            if rotation is not None:
                turned = np.concatenate([rotation @ wrench[:3], rotation @ wrench[3:]])
                shown.append(Wrench(frame, turned))
        self.scene.show_wrenches(shown)


def _vector(values: Floats) -> Vector:
    x, y, z = values.tolist()
    return (x, y, z)
