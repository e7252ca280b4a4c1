"""Robots on pages, for tests of what is shown of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros import Robot
from robodyn_ros.description import load_description
from robodyn_ros.description.mechanism import Mechanism
from robodyn_ros.description.visuals import Visuals, visuals_of
from robodyn_ros.spatial import quaternion_from_matrix
from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.robot_scene import RobotScene

EXAMPLES = Path(__file__).parents[2] / "examples"


def read(path: Path | str) -> tuple[Mechanism, Visuals]:
    """Return what a description says, and draws its robot with."""
    description = load_description(path)
    return description, visuals_of(path, description)


def shown(page: Page, path: Path | str, **options: Any) -> tuple[RobotScene, Robot]:
    """Return the scene of a described robot, and the robot."""
    description, visuals = read(path)
    scene = RobotScene(
        page, description.model, visuals.shapes, collisions=visuals.collisions, **options
    )
    return scene, Robot(description.model, compile="off")


def move(scene: RobotScene, robot: Robot, q: NDArray[np.float64], **options: Any) -> Any:
    """Show a robot at q; return the motion of its bodies there."""
    motion = robot.body_motion(q)
    scene.show(motion.position, quaternion_from_matrix(motion.rotation), q=q, **options)
    return motion


def nodes(page: Page, below: str = "/") -> dict[str, Any]:
    """Return the nodes of a page's scene whose paths begin so, by path."""
    found = page.server.scene._handle_from_node_name
    return {name: node for name, node in found.items() if name.startswith(below)}


def rotation_of(node: Any) -> NDArray[np.float64]:
    """Return the rotation (3, 3) of a node, by the definition of a quaternion (w, x, y, z)."""
    w, x, y, z = node.wxyz
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
