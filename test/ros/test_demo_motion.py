"""Demo motions: exact derivatives, inside all limits, the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_ros import load
from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.demo_motion import SmoothMotion

OWN = Path(__file__).parents[1] / "description" / "robots"
ROBOTS = [*sorted(OWN.glob("*.urdf")), OWN / "every_type.yaml"]
ARM = Path(__file__).parents[2] / "urdf" / "demo_arm.urdf"
DIFFERENCE_STEP = 1e-4
DIFFERENCE_ERROR = 1e-6
"""Truncation of a central difference: step^2 times a third derivative of order 10."""


def motion(path: Path = ARM, *, amplitude: float = 1.0, period: float = 4.0, seed: int = 1):
    model = load(path, compile="off").model
    return SmoothMotion(model, amplitude=amplitude, period=period, seed=seed)


@pytest.mark.parametrize("path", [ARM, *ROBOTS], ids=lambda path: path.stem)
def test_velocity_and_acceleration_are_the_derivatives(path: Path) -> None:
    plan = motion(path)
    for time in np.linspace(0.0, 20.0, 41):
        before, now, after = (plan.at(time + k * DIFFERENCE_STEP) for k in (-1, 0, 1))
        speed = (after.position - before.position) / (2 * DIFFERENCE_STEP)
        rate = (after.velocity - before.velocity) / (2 * DIFFERENCE_STEP)
        assert now.velocity == pytest.approx(speed, abs=DIFFERENCE_ERROR)
        assert now.acceleration == pytest.approx(rate, abs=10 * DIFFERENCE_ERROR)


@pytest.mark.parametrize("path", [ARM, *ROBOTS], ids=lambda path: path.stem)
@pytest.mark.parametrize("amplitude", [0.5, 1.0])
def test_all_joints_stay_within_their_limits_followers_too(path: Path, amplitude: float) -> None:
    model = load(path, compile="off").model
    plan = motion(path, amplitude=amplitude, period=1.0)
    samples = [plan.at(time) for time in np.linspace(0.0, 100.0, 2001)]
    positions = np.array([sample.position for sample in samples])
    speeds = np.array([sample.velocity for sample in samples])
    for _, joint in model.moving:
        driver = joint.driver or joint.name
        if driver not in plan.names or joint.joint.nv != 1:
            continue
        column = plan.names.index(driver)
        ratio = getattr(joint.coordinates, "multiplier", 1.0)
        shift = getattr(joint.coordinates, "offset", 0.0)
        values = ratio * positions[:, column] + shift
        if joint.limits.lower is not None and joint.limits.upper is not None:
            assert values.min() >= joint.limits.lower - 1e-12
            assert values.max() <= joint.limits.upper + 1e-12
        if joint.limits.velocity:
            assert np.abs(ratio * speeds[:, column]).max() <= joint.limits.velocity


def test_joints_really_move() -> None:
    plan = motion(amplitude=0.5)
    positions = np.array([plan.at(time).position for time in np.linspace(0, 20, 200)])
    assert (np.ptp(positions, axis=0) > 0.2 * plan.reach).all()
    assert (plan.reach > 0.0).all()


def test_without_limits_what_slides_goes_less_far_than_what_turns() -> None:
    plan = motion(OWN / "every_type.yaml")
    reach = dict(zip(plan.names, plan.reach, strict=True))
    assert {reach[name] for name in ("slide", "dh_prismatic")} == {0.2}
    assert {reach[name] for name in ("continuous", "dh_revolute", "helical")} == {np.pi}


def test_a_seed_names_a_motion() -> None:
    first, again, other = motion(seed=3), motion(seed=3), motion(seed=4)
    assert first.at(1.5).position.tolist() == again.at(1.5).position.tolist()
    assert first.at(1.5).position.tolist() != other.at(1.5).position.tolist()


@pytest.mark.parametrize(("amplitude", "period"), [(-0.1, 1.0), (1.1, 1.0), (0.5, 0.0)])
def test_impossible_motions_are_refused(amplitude: float, period: float) -> None:
    with pytest.raises(ArgumentError, match="amplitude must be 0 to 1"):
        motion(amplitude=amplitude, period=period)
