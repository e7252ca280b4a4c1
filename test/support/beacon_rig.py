"""A small arm with a magenta ball: what moves it, robodyn_node and the viewer as processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser
from sensor_msgs.msg import JointState

import robodyn_ros as rd
from browser import Camera, Floats, ViewerPage
from ros_graph import Graph, Inbox

BEACON_ARM = Path(__file__).parents[1] / "browser" / "beacon_arm.urdf"
#: Where the middle of the magenta ball is in its link, m: beside the arrows to pull it by.
BEACON = (0.1, 0.0, 0.3)
CAMERA = Camera((0.0, -2.2, 0.9), (0.1, 0.0, 0.6))
#: Pixels between where a ball is seen and where it is: its edge is drawn in steps of one.
PIXELS = 1.5


class BeaconRig:
    """The arm's processes, on the graph of a test."""

    def __init__(self, graph: Graph, source: str, **more: Any) -> None:
        """Start them and wait until the page is served and there are joint states.

        Args:
            graph: The test's.
            source: The executable that publishes joint states.
            more: Further parameters of it.
        """
        self.graph = graph
        self.joint_states: Inbox = graph.listen(JointState, "joint_states")
        simulated = source == "simulator"
        file = {"robot_description_file": str(BEACON_ARM)}
        follows = {"use_sim_time": True, "wrench_topics": "simulator/external_wrenches"}
        self.viewer = graph.start("viewer", {"port": 0})
        self.source = graph.start(source, {**file, **more})
        self.server = graph.start("robodyn_node", follows if simulated else file)
        line = self.viewer.wait_for(r"http://127\.0\.0\.1:\d+")
        self.address = next(word for word in line.split() if word.startswith("http://"))
        graph.wait(lambda: self.joint_states, "joint states")
        self.names: Sequence[str] = list(self.joint_states[-1].name)

    def open(self, browser: Browser, camera: Camera = CAMERA) -> ViewerPage:
        """Return a tab that shows the page, its sliders there."""
        page = ViewerPage(browser, self.address, camera)
        for name in self.names:
            page.control(f"{name} [rad]")
        return page

    def newest(self) -> JointState:
        """Return the newest joint state."""
        self.graph.spin(0.02)
        del self.joint_states[:-1]
        return self.joint_states[-1]

    def positions(self) -> dict[str, float]:
        """Return the newest positions, rad or m."""
        newest = self.newest()
        return dict(zip(newest.name, newest.position, strict=True))

    def is_still(self) -> bool:
        """Return whether nothing moves."""
        return max(map(abs, self.newest().velocity)) < 1e-6

    def time(self) -> float:
        """Return the newest stamp, s."""
        stamp = self.newest().header.stamp
        return float(stamp.sec + stamp.nanosec * 1e-9)


def beacon(positions: Mapping[str, float]) -> Floats:
    """Return where the middle of the magenta ball is (3,), m, by the library's kinematics."""
    arm = rd.load(BEACON_ARM, compile="off")
    motion = arm.body_motion(arm.configuration(dict(positions)))
    link = arm.model.body_index("lower")
    return np.asarray(motion.position[link] + motion.rotation[link] @ BEACON)


def wait_until_shown(page: ViewerPage, positions: Mapping[str, float]) -> None:
    """Wait until the ball is seen where it is, for a pinhole at the page's camera."""
    ball = beacon(positions)

    def is_there() -> bool:
        # Looked at each time: the scene becomes narrower once the panels are there.
        canvas = page.canvas
        where = CAMERA.project(ball, canvas["width"], canvas["height"])
        spot = page.spot()
        return spot.count > 50 and bool(np.all(np.abs(spot.center - where) < PIXELS))

    page.wait(is_there, f"the ball of the arm at {dict(positions)}")
