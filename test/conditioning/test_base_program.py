"""A prescribed base's program: its motion is smooth, and its rates are its derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.conditioning.base_program import COLUMNS, BaseProgram
from robodyn_ros.errors import ArgumentError
from robodyn_ros.spatial import quaternion_exponential, quaternion_to_matrix

TIME = np.array([1.0, 1.5, 2.5, 3.0, 4.0])
STEP = 1e-4
#: Central differences with this step, of curves of order 1.
DIFFERENCED = 1e-4


def poses(count: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    turns = np.cumsum(rng.uniform(-0.5, 0.5, (count, 3)), axis=0)
    return rng.uniform(-1.0, 1.0, (count, 3)), np.asarray(quaternion_exponential(turns))


def program(kind: str) -> BaseProgram:
    position, quaternion = poses(len(TIME))
    if kind == "loop":
        position[-1], quaternion[-1] = position[0], -quaternion[0]
        return BaseProgram(TIME, position, quaternion, loop=True)
    rng = np.random.default_rng(8)
    given = rng.uniform(-1.0, 1.0, (4, len(TIME), 3))
    rates = {name: given[k] for k, name in enumerate(COLUMNS) if name in KINDS[kind]}
    return BaseProgram(TIME, position, quaternion, **rates)


KINDS = {
    "poses": (),
    "velocities": ("velocity",),
    "accelerations": ("velocity", "acceleration"),
    "turning": ("angular_velocity",),
    "all": tuple(COLUMNS),
    "loop": (),
}
OPEN = [kind for kind in KINDS if kind != "loop"]


@pytest.mark.parametrize("kind", KINDS)
def test_rates_are_the_derivatives_of_the_pose(kind: str) -> None:
    moving = program(kind)
    for t in (1.1, 1.49, 1.51, 2.0, 2.9, 3.7, *([5.2, -0.3] if kind == "loop" else [])):
        before, now, after = (moving.at(t + d) for d in (-STEP, 0.0, STEP))
        slope = (after.position - before.position) / (2.0 * STEP)
        assert now.linear_velocity == pytest.approx(slope, abs=DIFFERENCED)
        bend = (after.linear_velocity - before.linear_velocity) / (2.0 * STEP)
        assert now.linear_acceleration == pytest.approx(bend, abs=DIFFERENCED)
        R0, R, R1 = (quaternion_to_matrix(x.quaternion) for x in (before, now, after))
        spin = (R1 - R0) / (2.0 * STEP) @ R.T
        rate = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        assert now.angular_velocity == pytest.approx(rate, abs=DIFFERENCED)
        change = (after.angular_velocity - before.angular_velocity) / (2.0 * STEP)
        assert now.angular_acceleration == pytest.approx(change, abs=DIFFERENCED)


@pytest.mark.parametrize("kind", OPEN)
def test_it_passes_through_what_is_given(kind: str) -> None:
    moving = program(kind)
    position, quaternion = poses(len(TIME))
    for k, t in enumerate(TIME):
        found = moving.at(float(t))
        assert found.position == pytest.approx(position[k], abs=1e-12)
        assert abs(found.quaternion @ quaternion[k]) == pytest.approx(1.0, abs=1e-12)
    given = np.random.default_rng(8).uniform(-1.0, 1.0, (4, len(TIME), 3))
    for k, t in enumerate(TIME[1:-1], start=1):
        found = moving.at(float(t))
        ours = (
            found.linear_velocity,
            found.linear_acceleration,
            found.angular_velocity,
            found.angular_acceleration,
        )
        for name, mine, asked in zip(COLUMNS, ours, given[:, k], strict=True):
            if name in KINDS[kind]:
                assert mine == pytest.approx(asked, abs=1e-9), name


def test_of_given_rates_the_middle_is_between_and_large_turns_are_exact() -> None:
    # From rest to rest over 3 rad about one axis: the cubic 3 (3 s^2 - 2 s^3) of the angle.
    quaternion = np.asarray(quaternion_exponential(np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]])))
    still = np.zeros((2, 3))
    moving = BaseProgram(np.array([0.0, 2.0]), still, quaternion, angular_velocity=still)
    found = moving.at(0.5)
    assert quaternion_to_matrix(found.quaternion) == pytest.approx(
        quaternion_to_matrix(np.asarray(quaternion_exponential(np.array([0.46875, 0.0, 0.0]))))
    )
    assert found.angular_velocity == pytest.approx([3.0 * 6.0 * 0.25 * 0.75 / 2.0, 0.0, 0.0])
    assert found.angular_acceleration == pytest.approx([3.0 * 6.0 * 0.5 / 4.0, 0.0, 0.0])
    assert not moving.doubts


def test_it_rests_at_its_ends() -> None:
    moving = program("poses")
    for outside, end in ((0.0, 1.0), (9.0, 4.0)):
        found, expected = moving.at(outside), moving.at(end)
        assert found.position == pytest.approx(expected.position)
        assert not np.any(found[2:])


def test_a_loop_goes_on_without_a_jump() -> None:
    moving = program("loop")
    before, after = moving.at(4.0 - 1e-7), moving.at(4.0 + 1e-7)
    for x, y in zip(before[2:5], after[2:5], strict=True):
        assert x == pytest.approx(y, abs=1e-4)
    assert moving.at(2.2).position == pytest.approx(moving.at(2.2 + 6.0).position)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"time": [1.0, 1.0, 2.0, 3.0, 4.0]}, "row 2: time 1 s is not later than the one before"),
        ({"position": (2, np.nan)}, "row 3: position is not finite"),
        ({"quaternion": (1, 0.0)}, "row 2: the quaternion has norm 0 instead of 1"),
        ({"loop": True}, "must end with the pose that it begins with"),
        ({"rows": 1}, "needs two rows or more, got 1"),
        (
            {"angular_acceleration": np.zeros((5, 3))},
            "a motion of the base with angular_acceleration needs angular_velocity too",
        ),
        ({"angular_velocity": np.full((5, 3), np.inf)}, "row 1: angular_velocity is not finite"),
    ],
)
def test_what_is_no_program_is_refused(change: dict, text: str) -> None:
    rows = change.pop("rows", len(TIME))
    position, quaternion = poses(len(TIME))
    given = {"time": TIME.copy(), "position": position, "quaternion": quaternion}
    loop = change.pop("loop", False)
    for name, value in change.items():
        if isinstance(value, tuple):
            given[name][value[0]] = value[1]
        else:
            given[name] = np.array(value)
    with pytest.raises(ArgumentError, match=text):
        BaseProgram(**{name: x[:rows] for name, x in given.items()}, loop=loop)
