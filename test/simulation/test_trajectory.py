"""Motion in time: closed forms, energy, joints of every manifold, and bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_ros import ArgumentError, ModelBuilder, Robot, SingularMassMatrixError, load
from robodyn_ros.errors import RobodynError
from robodyn_ros.joints import JOINT_TYPES, Floating, Joint, Prismatic, Revolute, Spherical
from robodyn_ros.simulation import simulate, trajectory


def one_link(joint: Joint, **options: object) -> Robot:
    """Return a body of 2 kg with its centre 0.5 m below its joint."""
    builder = ModelBuilder("one link")
    builder.add_body("base")
    builder.add_body("link", mass=2.0, com=(0.0, 0.0, -0.5), inertia=np.diag([0.03, 0.02, 0.01]))
    builder.add_joint("joint", joint, "base", "link", **options)  # type: ignore[arg-type]
    return Robot(builder.build(), compile="off")


def test_a_falling_weight() -> None:
    trajectory = simulate(one_link(Prismatic((0, 0, 1))), 1.0, 0.25, v=[3.0])
    t = trajectory.time
    np.testing.assert_allclose(t, [0.0, 0.25, 0.5, 0.75, 1.0])
    np.testing.assert_allclose(trajectory.q[:, 0], 3.0 * t - 9.81 * t**2 / 2.0, atol=1e-12)
    np.testing.assert_allclose(trajectory.v[:, 0], 3.0 - 9.81 * t, atol=1e-12)
    assert trajectory.energy_drift < 1e-12


def test_a_pendulum_keeps_its_energy_and_its_period() -> None:
    robot = one_link(Revolute((0, 1, 0)), initial=0.01)
    inertia = 0.02 + 2.0 * 0.25
    period = 2.0 * np.pi * np.sqrt(inertia / (2.0 * 9.81 * 0.5)) * (1.0 + 0.01**2 / 16.0)
    trajectory = simulate(robot, 2.0 * period, period / 4.0, tolerance=1e-8)
    np.testing.assert_allclose(
        trajectory.q[:, 0], 0.01 * np.cos(np.pi / 2.0 * np.arange(9)), atol=1e-7
    )
    swinging = simulate(one_link(Revolute((0, 1, 0)), initial=2.0), 2.0, 0.25)
    assert swinging.relative_energy_drift < 1e-8
    assert np.ptp(swinging.kinetic) > 5.0


def test_damping_takes_energy_unless_told_not_to() -> None:
    robot = one_link(Revolute((0, 1, 0)), initial=1.0, damping=0.1)
    damped = simulate(robot, 1.0, 0.5, tolerance=1e-6)
    assert np.all(np.diff(damped.energy) < 0.0)
    assert simulate(robot, 1.0, 0.5, friction=False).relative_energy_drift < 1e-8


def test_efforts_act() -> None:
    def lift(time: float, q: np.ndarray, v: np.ndarray) -> list[float]:
        return [2.0 * 9.81 + 4.0 * np.cos(time)]

    trajectory = simulate(one_link(Prismatic((0, 0, 1))), 2.0, 0.5, effort=lift)
    np.testing.assert_allclose(trajectory.q[:, 0], 2.0 - 2.0 * np.cos(trajectory.time), atol=1e-9)


def test_a_body_in_free_fall_turns_with_constant_angular_momentum() -> None:
    robot = one_link(Floating())
    v = np.array([3.0, 0.1, 0.05, 1.0, 0.0, 2.0])
    trajectory = simulate(robot, 1.0, 0.25, v=v)
    np.testing.assert_allclose(np.linalg.norm(trajectory.q[:, 3:], axis=1), 1.0, atol=1e-14)
    momentum = robot.centroidal_momentum(trajectory.q, trajectory.v)
    np.testing.assert_allclose(momentum[:, :3], momentum[[0] * len(momentum), :3], atol=1e-8)
    com = robot.robot_center_of_mass(trajectory.q, trajectory.v)
    t = trajectory.time[:, None]
    ballistic = com.position[0] + com.velocity[0] * t + np.array([0, 0, -9.81]) * t**2 / 2.0
    np.testing.assert_allclose(com.position, ballistic, atol=1e-8)
    assert trajectory.relative_energy_drift < 1e-8


BALLS = [Spherical(), JOINT_TYPES["global"]()]


@pytest.mark.parametrize("joint", BALLS, ids=lambda joint: joint.type_name)
def test_a_ball_joint_spins_through_all_attitudes(joint: Joint) -> None:
    robot = one_link(joint)
    still = robot.neutral()
    trajectory = simulate(robot, 1.5, 0.5, q=still, v=[4.0, 1.0, 6.0], tolerance=1e-8)
    assert trajectory.relative_energy_drift < 1e-7
    momentum = robot.momentum(trajectory.q, trajectory.v)[:, 2]  # about the vertical axis
    np.testing.assert_allclose(momentum, momentum[0], atol=1e-7)
    if joint.type_name == "global":
        assert np.all(np.linalg.norm(trajectory.q, axis=1) <= np.pi + 1e-9)


def test_ball_joints_move_alike_in_both_coordinates() -> None:
    ends = [
        one_link(joint).body_motion(
            simulate(one_link(joint), 1.0, 1.0, v=[4.0, 1.0, 6.0], tolerance=1e-8).q[-1]
        )
        for joint in BALLS
    ]
    np.testing.assert_allclose(ends[0].rotation, ends[1].rotation, atol=1e-6)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"duration": 0.0}, "duration must be a positive number"),
        ({"duration": float("nan")}, "duration must be a positive number"),
        ({"step": -1.0}, "step must be a positive number"),
        ({"step": 2.0}, "makes 0 steps"),
        ({"step": 1e-9}, "it must be 1 to"),
        ({"q": [1.0, 2.0]}, "q must be 1 finite numbers"),
        ({"v": [np.inf]}, "v must be 1 finite numbers"),
        ({"tolerance": 0.0}, "tolerance must be between"),
    ],
)
def test_bad_arguments(change: dict[str, object], text: str) -> None:
    arguments: dict[str, object] = {"duration": 1.0, "step": 0.1, **change}
    with pytest.raises(ArgumentError, match=text):
        simulate(one_link(Revolute()), **arguments)  # type: ignore[arg-type]


def test_what_cannot_be_followed_says_so() -> None:
    builder = ModelBuilder("massless")
    builder.add_body("base")
    builder.add_body("link")
    builder.add_joint("joint", Revolute(), "base", "link")
    with pytest.raises(SingularMassMatrixError, match="'joint'"):
        simulate(Robot(builder.build(), compile="off"), 1.0, 0.1)
    growing = one_link(Revolute((0, 1, 0)))
    with pytest.raises(RobodynError, match="cannot be followed beyond"):
        simulate(growing, 10.0, 1.0, effort=lambda t, q, v: v**3 + 100.0, tolerance=1e-2)


@pytest.mark.parametrize("damping", [0.0, 0.1])
def test_what_is_beyond_all_numbers_does_not_begin(
    damping: float, capfd: pytest.CaptureFixture[str]
) -> None:
    robot = one_link(Revolute((0, 1, 0)), damping=damping)
    with pytest.raises(RobodynError, match="cannot begin"):
        simulate(robot, 0.1, 0.1, v=[1e300])
    assert capfd.readouterr() == ("", "")


def test_what_is_too_fast_to_follow_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trajectory, "_TRIED", 300)
    monkeypatch.setattr(trajectory, "MOST_EVALUATIONS", 1000)
    with pytest.raises(RobodynError, match="too fast to be followed beyond 0 s"):
        simulate(one_link(Revolute((0, 1, 0))), 0.1, 0.1, v=[1e4])


def test_a_step_that_is_too_long_for_stiff_friction_is_taken_again() -> None:
    """It ends so far away that the mass matrix drowns in rounding: no fault of the robot."""
    arm = Path(__file__).parents[2] / "examples/arm_with_tool.yaml"
    trajectory = simulate(load(arm, compile="wait"), 0.01, 0.01, tolerance=1e-2)
    assert np.abs(trajectory.v).max() < 5.0
    assert trajectory.energy[-1] < trajectory.energy[0]
