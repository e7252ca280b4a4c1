"""Small closed mechanisms, each with a configuration in which it is closed."""

from __future__ import annotations

import numpy as np

from robodyn_ros.expressions import parse
from robodyn_ros.joints import Prismatic, Revolute
from robodyn_ros.model import Model, ModelBuilder
from robodyn_ros.spatial import quaternion_from_matrix, rotation_from_rpy

Closed = tuple[Model, np.ndarray]


def four_bar(crank: float = 0.5) -> Closed:
    """Return a planar four-bar of lengths 2, 4, 3, 4, closed by a hinge: one row is redundant."""
    builder = ModelBuilder("four bar")
    z = Revolute((0.0, 0.0, 1.0))
    builder.add_body("ground")
    for name, length in (("crank", 2.0), ("coupler", 4.0), ("rocker", 3.0)):
        builder.add_body(name, mass=length, com=(length / 2, 0.0, 0.0), inertia=0.1 * np.eye(3))
    builder.add_joint("a", z, "ground", "crank")
    builder.add_joint("b", z, "crank", "coupler", position=(2.0, 0.0, 0.0))
    builder.add_joint("d", z, "ground", "rocker", position=(4.0, 0.0, 0.0))
    at = {"position": (4.0, 0.0, 0.0), "child_position": (3.0, 0.0, 0.0)}
    builder.add_loop("c", z, "coupler", "rocker", **at)
    builder.set_actuated(["a"])
    tip = 2.0 * np.array([np.cos(crank), np.sin(crank)])
    across = np.array([4.0, 0.0]) - tip
    reach = np.hypot(*across)
    inner = np.arccos((16.0 + reach**2 - 9.0) / (8.0 * reach))
    coupler = np.arctan2(across[1], across[0]) + inner
    end = tip + 4.0 * np.array([np.cos(coupler), np.sin(coupler)])
    rocker = np.arctan2(end[1], end[0] - 4.0)
    return builder.build(), np.array([crank, coupler - crank, rocker, rocker - coupler])


def slider_crank(crank: float = 0.7) -> Closed:
    """Return a crank of length 1 and a rod of length 3, whose end slides along x."""
    builder = ModelBuilder("slider crank")
    z = Revolute((0.0, 0.0, 1.0))
    builder.add_body("ground")
    for name, length in (("crank", 1.0), ("rod", 3.0), ("slider", 0.2)):
        builder.add_body(name, mass=length, com=(length / 2, 0.0, 0.0), inertia=0.1 * np.eye(3))
    builder.add_joint("a", z, "ground", "crank")
    builder.add_joint("b", z, "crank", "rod", position=(1.0, 0.0, 0.0))
    builder.add_joint("s", Prismatic((1.0, 0.0, 0.0)), "ground", "slider")
    builder.add_loop("c", z, "rod", "slider", position=(3.0, 0.0, 0.0))
    builder.set_actuated(["a"])
    tilt = np.arcsin(-np.sin(crank) / 3.0)
    reach = np.cos(crank) + 3.0 * np.cos(tilt)
    return builder.build(), np.array([crank, tilt - crank, reach, -tilt])


def stewart_platform() -> Closed:
    """Return a platform on six rods, whose lengths are control elements with motors."""
    builder = ModelBuilder("stewart")
    builder.add_body("base")
    builder.add_body("platform", mass=5.0, inertia=np.diag([0.3, 0.3, 0.5]))
    R, p = rotation_from_rpy((0.1, -0.05, 0.2)), np.array([0.03, -0.02, 0.8])
    lengths = []
    for k in range(6):
        below, above = (
            radius * np.array([np.cos(angle), np.sin(angle), 0.0])
            for radius, angle in (
                (0.5, np.pi / 3 * (k - k % 2) + (-1) ** k * 0.3 + 0.6 * (k % 2)),
                (0.3, np.pi / 3 * (k + k % 2) - (-1) ** k * 0.3 - 0.6 * (k % 2)),
            )
        )
        lengths.append(float(np.linalg.norm(p + R @ above - below)))
        builder.add_control(f"leg_{k}", initial=lengths[-1])
        builder.add_rod(f"rod_{k}", "base", below, "platform", above, parse(f"leg_{k}"))
    builder.set_actuated([f"leg_{k}" for k in range(6)])
    return builder.build(), np.concatenate([p, quaternion_from_matrix(R), lengths])
