"""A described robot on a page: sliders move it, and what gravity asks of its joints is told."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.description.visuals import Visuals
from robodyn_ros.errors import ClosureError, RobodynError
from robodyn_ros.robot import Robot
from robodyn_ros.spatial import quaternion_from_matrix
from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.panel_inputs import on_user
from robodyn_ros.viewer.panel_show import ShowControls
from robodyn_ros.viewer.robot_scene import RobotScene
from robodyn_ros.viewer.sliders import Sliders

Floats = NDArray[np.float64]

_STEP = 0.05
"""rad or m: the longest step of a closed mechanism that is moved by what is no number of q."""
_MOST_STEPS = 200
_FULL = 10
"""Letters of a bar that stands for the whole of a limit."""


class FileView:
    """One robot on a page, without any motion but by its sliders.

    Attributes:
        page: the page.
        robot: the robot.
        scene: what is seen of it.
        sliders: its sliders.
        notes: what could not be drawn as described, one line each.
    """

    def __init__(self, page: Page, robot: Robot, visuals: Visuals, q: Floats) -> None:
        """Put the robot and its panel on the page.

        Args:
            page: the page.
            robot: the robot.
            visuals: what it is drawn with.
            q: (nq,) where it is at first; of a closed mechanism, where it is closed.
        """
        self.page = page
        self.robot = robot
        self._q = self._begin = np.array(q, dtype=np.float64)
        self._lock = threading.Lock()
        self._asked: dict[str, float] = {}
        self._back = False
        self._news = threading.Event()
        gui = page.server.gui
        self._note = gui.add_markdown("", visible=False)
        self.scene = RobotScene(page, robot.model, visuals.shapes, collisions=visuals.collisions)
        self.sliders = Sliders(page, robot.model, q=q, reach=2.0 * self.scene.extent.radius)
        self.sliders.on_move(self._ask)
        self._reset = gui.add_button("Back to the beginning")
        on_user(self._reset, self._ask_back)
        with gui.add_folder("At rest under gravity"):
            self._table = gui.add_markdown("")
        with gui.add_folder("Show", expand_by_default=False):
            ShowControls(gui).arrange(self.scene)
        self.notes = (*visuals.notes, *self.scene.notes)
        if self.notes:
            title = f"{len(self.notes)} not drawn as described"
            with gui.add_folder(title, expand_by_default=False):
                gui.add_markdown("\n".join(f"* {escaped(note)}" for note in self.notes))
        self._show()
        self.scene.look_at()

    @property
    def q(self) -> Floats:
        """Coordinates (nq,) that are shown."""
        return self._q.copy()

    @property
    def note(self) -> str:
        """Why the robot is not where the sliders are; "" where it is."""
        return str(self._note.content) if self._note.visible else ""

    def wait(self, timeout: float) -> None:
        """Wait for somebody to move a slider, at most `timeout` s, and move the robot so."""
        if self._news.wait(timeout):
            self.move()
        else:
            self.sliders.show(self._q)

    def move(self) -> None:
        """Move the robot to where the sliders are; where it cannot go there, say why."""
        with self._lock:
            asked, back = self._asked, self._back
            self._asked, self._back = {}, False
            self._news.clear()
        note = ""
        try:
            if back:
                self._q = self._begin.copy()
            if asked:
                self._q = self._moved(tuple(asked), np.array(list(asked.values())))
        except RobodynError as error:
            note = str(error)
        self._note.content = escaped(note)
        self._note.visible = bool(note)
        self._show()

    def _ask(self, names: Sequence[str], values: Floats) -> None:
        with self._lock:
            self._asked.update(zip(names, values.tolist(), strict=True))
        self._news.set()

    def _ask_back(self) -> None:
        with self._lock:
            self._asked.clear()
            self._back = True
        self._news.set()

    def _moved(self, names: tuple[str, ...], values: Floats) -> Floats:
        """Return q with some coordinates changed, and closed on the branch on which it is.

        Raises:
            ClosureError: it cannot be closed there.
        """
        goal = self.sliders.configuration(self._q, names, values)
        if not self.robot.model.is_closed:
            return goal
        if all(self.sliders.has_number(name) for name in names):
            inputs = dict(zip(names, values.tolist(), strict=True))
            return np.array(self.robot.follow(self._q, [inputs])[-1].q)
        return self._followed(goal)

    def _followed(self, goal: Floats) -> Floats:
        """Return the closed configuration on the way to a goal, by small steps."""
        way = self.robot.difference(self._q, goal)
        count = int(np.clip(np.ceil(np.max(np.abs(way)) / _STEP), 1, _MOST_STEPS))
        q = self._q
        for _ in range(count):
            q = self.robot.closed(self.robot.integrate(q, way, 1.0 / count))
            if not np.isfinite(q[0]):
                raise ClosureError("the mechanism cannot be closed there; it stays where it was")
        return q

    def _show(self) -> None:
        robot, q = self.robot, self._q
        with self.page.atomic():
            motion = robot.body_motion(q)
            turns = quaternion_from_matrix(motion.rotation)
            self.scene.show(motion.position, turns, q=q)
            self._table.content = "\n".join(self.lines())
            self.sliders.show(q)

    def lines(self) -> Iterator[str]:
        """Yield a table of the coordinates and of the efforts that hold the robot, in Markdown."""
        robot, q = self.robot, self._q
        efforts = robot.gravity_force(q)
        numbers = dict(zip(robot.model.position_names, q.tolist(), strict=True))
        yield "| coordinate | position | range | effort | of its limit |"
        yield "|---|--:|---|--:|---|"
        rates = [
            (limits, turns)
            for joint in robot.model.own_joints
            for limits, turns in zip(joint.rate_limits, joint.joint.turning(), strict=True)
        ]
        names = robot.model.coordinate_names
        for name, (limits, turns), effort in zip(names, rates, efforts.tolist(), strict=True):
            position = f"{numbers[name]:.3f} {'rad' if turns else 'm'}" if name in numbers else ""
            unit = "N m" if turns else "N"
            span = _span(limits.lower, limits.upper)
            yield (
                f"| {escaped(name)} | {position} | {span} | {effort + 0.0:.3f} {unit} |"
                f" {bar(effort, limits.effort)} |"
            )
        energy = robot.energy(q)
        yield ""
        yield f"Mass {robot.mass:.4g} kg, potential energy {float(energy.potential):.5g} J"


def bar(value: float, limit: float | None) -> str:
    """Return a bar of letters for the size of a value and the share of its limit that it is."""
    if limit is None or not limit > 0.0 or not np.isfinite(value):
        return ""
    share = abs(value) / limit
    full = round(min(share, 1.0) * _FULL)
    return f"{'█' * full}{'░' * (_FULL - full)} {100.0 * share:.0f} %"


def escaped(text: str) -> str:
    """Return foreign text so that Markdown takes none of it for its own."""
    return "".join(f"\\{letter}" if letter in _MARKS else letter for letter in text)


_MARKS = frozenset("\\`*_{}[]()<>#+-!|~&")


def _span(lower: float | None, upper: float | None) -> str:
    """Return a range as text, "" for none."""
    if lower is None and upper is None:
        return ""
    return f"{'' if lower is None else f'{lower:.3g}'} .. {'' if upper is None else f'{upper:.3g}'}"
