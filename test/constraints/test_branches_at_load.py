"""A description whose tree closes keeps its branch, whatever it says of the loop's joint."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.constraints.loading import assembled_at_load
from robodyn_ros.joints import Revolute
from robodyn_ros.model import Model, ModelBuilder

CRANK, COUPLER, ROCKER, GROUND = 0.1, 0.3, 0.25, 0.3
AXIS = (0, 0, 1)


def four_bar(crank: float, branch: int) -> Model:
    """Return a four-bar that closes as described; its loop joint is left at 0."""
    pin = CRANK * np.array([np.cos(crank), np.sin(crank)])
    to_pivot = np.array([GROUND, 0.0]) - pin
    far = float(np.hypot(*to_pivot))
    inner = np.arccos((far**2 + COUPLER**2 - ROCKER**2) / (2 * far * COUPLER))
    coupler = np.arctan2(to_pivot[1], to_pivot[0]) + branch * inner
    end = pin + COUPLER * np.array([np.cos(coupler), np.sin(coupler)])
    rocker = np.arctan2(end[1], end[0] - GROUND)
    builder = ModelBuilder("four_bar")
    for name in ("ground", "crank", "coupler", "rocker"):
        builder.add_body(name, mass=1.0, inertia=np.eye(3))
    builder.add_joint("motor", Revolute(AXIS), "ground", "crank", initial=crank)
    builder.add_joint(
        "pin", Revolute(AXIS), "crank", "coupler", position=(CRANK, 0, 0), initial=coupler - crank
    )
    builder.add_joint(
        "pivot", Revolute(AXIS), "ground", "rocker", position=(GROUND, 0, 0), initial=rocker
    )
    builder.add_loop(
        "closing",
        Revolute(AXIS),
        "coupler",
        "rocker",
        position=(COUPLER, 0, 0),
        child_position=(ROCKER, 0, 0),
    )
    return builder.build()


@pytest.mark.parametrize("branch", [1, -1])
@pytest.mark.parametrize("crank", [0.3, 1.5, 3.0, 4.5])
def test_what_closes_as_described_stays_as_described(crank: float, branch: int) -> None:
    described = four_bar(crank, branch)
    closed = assembled_at_load(described)
    assert closed.defaults.q[:3] == pytest.approx(described.defaults.q[:3], abs=1e-9)
    assert abs(closed.defaults.q[3]) > 0.01
