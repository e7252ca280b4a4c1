"""Platforms held by constraint elements, made with a builder."""

from __future__ import annotations

import numpy as np

from mechanisms import add_link
from robodyn_ros.expressions import parse
from robodyn_ros.model import Model, ModelBuilder


def stewart(*, scale: float = 1.0, controls: bool = True) -> Model:
    """Return a platform, held by six rods only, whose lengths are control elements leg_1 ..."""
    builder = ModelBuilder("stewart")
    builder.add_body("base")
    add_link(builder, "platform", 0.5, scale)
    low = [_ring(0.6, 60.0 * k + 10.0 * (-1) ** k) for k in (0, 1, 2, 3, 4, 5)]
    high = [_ring(0.35, 60.0 * k - 20.0 * (-1) ** k) for k in (0, 1, 2, 3, 4, 5)]
    height = np.array([0.0, 0.0, 0.7])
    for k in range(6):
        length = scale * float(np.linalg.norm(high[k] + height - low[k]))
        if controls:
            builder.add_control(f"leg_{k + 1}", initial=length)
        builder.add_rod(
            f"rod_{k + 1}",
            "base",
            scale * low[k],
            "platform",
            scale * high[k],
            parse(f"leg_{k + 1}") if controls else length,
        )
    if controls:
        builder.set_actuated([f"leg_{k + 1}" for k in range(6)])
    return builder.build(root="base")


def stewart_guess(model: Model, *, scale: float = 1.0) -> np.ndarray:
    """Return the platform over its base, legs as in the description."""
    q = np.array(model.defaults.q)
    joint = model.joint("platform_free")
    q[joint.q_index : joint.q_index + 3] = (0.01 * scale, -0.02 * scale, 0.68 * scale)
    return q


def mixed_platform(*, scale: float = 1.0) -> Model:
    """Return a platform on all kinds of elements, a rod of which is driven; mobility 1."""
    builder = ModelBuilder("mixed_platform")
    builder.add_body("base")
    add_link(builder, "platform", 0.4, scale)
    builder.add_control("drive", initial=0.0)
    s = scale
    length = float(np.hypot(0.5, 0.2) * s)
    builder.add_rod("driven", "base", (0.0, 0.0, 0.0), "platform", (0.2 * s, 0.0, 0.0),
                    parse(f"{length!r} + drive"))  # fmt: skip
    builder.add_rod("stay", "base", (0.0, 0.3 * s, 0.0), "platform", (0.0, 0.3 * s, 0.0), 0.5 * s)
    builder.add_point_on_plane(
        "table", "base", (0.0, 0.1, 1.0), 0.45 * s, "platform", (-0.2 * s, 0.0, 0.0)
    )
    builder.add_point_on_cylinder(
        "tube", "base", (0.0, -0.3 * s, 0.0), (0.1, 0.2, 1.0), "platform", (0.1 * s, 0.0, 0.1 * s),
        0.35 * s,
    )  # fmt: skip
    builder.add_point_on_plane(
        "wall", "base", (1.0, 0.0, 0.2), 0.2 * s, "platform", (0.1 * s, 0.2 * s, 0.0)
    )
    builder.add_skew_axes(
        "pins", "base", (0.3 * s, 0.0, 0.0), (0.0, 0.0, 1.0), "platform", (0.0, 0.0, 0.2 * s),
        (0.0, 1.0, 0.1), 0.25 * s,
    )  # fmt: skip
    builder.set_actuated(["drive"])
    return builder.build(root="base")


def mixed_guess(model: Model, *, scale: float = 1.0) -> np.ndarray:
    """Return the platform about where its elements want it."""
    q = np.array(model.defaults.q)
    joint = model.joint("platform_free")
    q[joint.q_index : joint.q_index + 3] = (0.0, 0.0, 0.5 * scale)
    return q


def _ring(radius: float, degrees: float) -> np.ndarray:
    """Return a point (3,) of a circle about z."""
    angle = np.radians(degrees)
    return radius * np.array([np.cos(angle), np.sin(angle), 0.0])
