"""Random coordinates within the limits, whatever drivers write for "no limit"."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from joint_cases import JOINTS
from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints import Floating, JointLimits, Planar, Prismatic, Revolute
from robodyn_ros.joints.joint import per_rate
from sampling import bounded

EXAMPLES = {
    "none known": JointLimits(),
    "both": JointLimits(-0.3, 1.2),
    "only lower": JointLimits(lower=0.5),
    "only upper": JointLimits(upper=-0.5),
    "far from zero": JointLimits(40.0, 50.0),
    "far below zero": JointLimits(-50.0, -40.0),
    "a single point": JointLimits(0.25, 0.25),
    "zero range at zero": JointLimits(0.0, 0.0),
    "absurd": JointLimits(-1e16, 1e16),
    "absurd upper": JointLimits(0.0, 1e16),
    "absurd both": JointLimits(1e16, 1e16),
    "infinite": JointLimits(-math.inf, math.inf),
    "largest floats": JointLimits(-1.7e308, 1.7e308),
}


def bounds(limits: JointLimits) -> tuple[float, float]:
    lower = -math.inf if limits.lower is None else limits.lower
    upper = math.inf if limits.upper is None else limits.upper
    return lower, upper


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(
    "joint", [Revolute((0, 0, 1)), Prismatic((0, 0, 1))], ids=lambda j: j.type_name
)
def test_random_coordinates_lie_within_the_limits(joint: Revolute | Prismatic, name: str) -> None:
    limits = EXAMPLES[name]
    lower, upper = bounds(limits)
    rng = np.random.default_rng(0)
    drawn = np.array([joint.random(rng, limits) for _ in range(50)])
    assert drawn.shape == (50, 1)
    assert np.all((drawn >= lower) & (drawn <= upper))
    reach = 2.0 * math.pi if isinstance(joint, Revolute) else 1.0
    nearest = min(max(0.0, lower), upper)
    assert np.all(np.abs(drawn - nearest) <= reach)
    if upper - lower > 1e-9:
        assert np.ptp(drawn) > 0.2 * min(upper - lower, 2.0)


def test_inverted_limits_give_the_lower_one() -> None:
    """Nothing lies between 1 and -1; the report says so, a random draw must not raise."""
    rng = np.random.default_rng(0)
    for joint in (Revolute((0, 0, 1)), Prismatic((0, 0, 1))):
        assert joint.random(rng, JointLimits(1.0, -1.0)).tolist() == [1.0]


@bounded
@given(st.floats(-1e300, 1e300), st.floats(0.0, 1e300), st.floats(1e-3, 10.0))
def test_span_is_a_part_of_the_range_near_zero(lower: float, width: float, reach: float) -> None:
    upper = lower + width
    begin, end = JointLimits(lower, upper).span(reach)
    assert lower <= begin <= end <= upper
    assert end - begin <= 2.0 * reach * (1.0 + 1e-15)
    if lower <= 0.0 <= upper:
        assert begin <= 0.0 <= end


def test_joints_without_a_range_ignore_limits() -> None:
    rng = np.random.default_rng(0)
    narrow = JointLimits(0.1, 0.2)
    continuous = JOINTS["continuous-x"]
    angles = np.array([continuous.random(rng, narrow) for _ in range(100)])
    assert np.all(np.abs(angles) <= np.pi)
    assert np.ptp(angles) > 4.0
    for joint, reach in ((Planar(), [1.0, 1.0, np.pi]), (Floating(), [1.0] * 7)):
        drawn = np.array([joint.random(rng, narrow) for _ in range(100)])
        assert np.all(drawn.min(axis=0) < -0.5 * np.array(reach))
        assert np.all(drawn.max(axis=0) > 0.5 * np.array(reach))
        assert np.all(np.abs(drawn) <= reach)


def test_random_attitudes_are_unit_and_in_every_direction() -> None:
    rng = np.random.default_rng(0)
    q = np.array([Floating().random(rng, JointLimits()) for _ in range(400)])
    assert np.allclose(np.linalg.norm(q[:, 3:], axis=1), 1.0, atol=1e-15)
    assert np.all(np.abs(q[:, 3:].mean(axis=0)) < 0.1)
    assert np.all(np.abs(q[:, :3]) <= 1.0)


@pytest.mark.parametrize("name", sorted(JOINTS))
def test_the_same_seed_gives_the_same_draw(name: str) -> None:
    joint = JOINTS[name]
    first, again = (joint.random(np.random.default_rng(9), JointLimits()) for _ in range(2))
    assert np.array_equal(first, again)


def test_limits_are_values() -> None:
    assert JointLimits(1.0, 2.0) == JointLimits(lower=1.0, upper=2.0)
    with pytest.raises(AttributeError):
        JointLimits().lower = 0.0  # type: ignore[misc]


@pytest.mark.parametrize("name", sorted(n for n, joint in JOINTS.items() if joint.nv > 1))
def test_limits_of_every_rate_hold_where_there_is_a_coordinate_of_its_own(name: str) -> None:
    joint = JOINTS[name]
    rng = np.random.default_rng(0)
    limits = [JointLimits(0.1 * k, 0.1 * k + 0.05) for k in range(joint.nv)]
    for _ in range(5):
        drawn = joint.random(rng, limits)
        assert drawn.shape == (joint.nq,)
        for limit, place in zip(limits, joint.rate_coordinates(), strict=True):
            if place is None or joint.type_name == "global":
                continue  # an attitude as a whole: any
            assert limit.lower <= drawn[place] <= limit.upper


def test_limits_are_one_or_as_many_as_rates() -> None:
    assert per_rate(JointLimits(0.0, 1.0), 1) == (JointLimits(0.0, 1.0),)
    assert per_rate(JointLimits(0.0, 1.0), 3) == (JointLimits(),) * 3
    assert per_rate([JointLimits(0.0, 1.0)] * 2, 2) == (JointLimits(0.0, 1.0),) * 2
    with pytest.raises(ArgumentError, match="limits must be one or 3, one for each rate, got 2"):
        per_rate([JointLimits()] * 2, 3)
    with pytest.raises(ArgumentError, match="one for each rate"):
        Planar().random(np.random.default_rng(0), [JointLimits()] * 2)
