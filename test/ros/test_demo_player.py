"""What the demo plays and is told: smooth ways to commanded positions, pauses, ways back."""

from __future__ import annotations

import math
import time
from pathlib import Path

import numpy as np
import pytest

from robodyn_ros import load
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.ros.demo_commands import LONGEST, SHORTEST
from robodyn_ros.ros.demo_motion import SmoothMotion
from robodyn_ros.ros.demo_player import OUT_OF_RANGE, OUT_OF_REACH, DemoPlayer, Settings
from robodyn_ros.ros.demo_tape import RAMP, Tape

ROOT = Path(__file__).parents[2]
ARM = ROOT / "urdf" / "demo_arm.urdf"
MIMICS = ROOT / "test" / "description" / "robots" / "mimic_chain.urdf"
EXAMPLES = ROOT / "examples"
SETTINGS = Settings(amplitude=1.0, period=4.0, seed=1, move_base=True)
DEADLINE = 60.0
STEP = 1e-4
SLOPE_ERROR = 1e-5
"""A central difference over 2e-4 s of curves whose third derivatives are of order 1000."""


def player(path: Path = ARM) -> DemoPlayer:
    return DemoPlayer(load(path, compile="off").model, SETTINGS, 0.0)


def told(demo: DemoPlayer, values: dict[str, float], now: float) -> list[str]:
    """Command, settle, and return the kinds of what is said."""
    return [x.kind for x in (*demo.command(values), *demo.settle(now))]


def test_without_a_command_it_plays_the_smooth_motion() -> None:
    demo = player()
    motion = SmoothMotion(load(ARM, compile="off").model, amplitude=1.0, period=4.0, seed=1)
    for now in np.linspace(0.0, 10.0, 21):
        position, velocity = demo.at(float(now))
        assert position == pytest.approx(motion.at(float(now)).position, abs=0.0)
        assert velocity == pytest.approx(motion.at(float(now)).velocity, abs=0.0)


def test_a_commanded_coordinate_goes_there_smoothly_and_stays_and_the_others_play() -> None:
    demo, plain = player(), player()
    assert told(demo, {"joint2": 0.7}, 1.0) == []
    limits = {one.name: one.joint.limits for one in told_coordinates(load(ARM).model)}
    number = demo.names.index("joint2")
    others = [k for k in range(len(demo.names)) if k != number]
    for now in np.linspace(1.0 + STEP, 12.0, 400):
        position, velocity = demo.at(float(now))
        before, after = demo.at(float(now) - STEP)[0], demo.at(float(now) + STEP)[0]
        slope = (after - before) / (2 * STEP)
        assert velocity == pytest.approx(slope, abs=SLOPE_ERROR)
        assert abs(velocity[number]) <= limits["joint2"].velocity * (1 + 1e-3)
        assert position[others] == pytest.approx(plain.at(float(now))[0][others], abs=0.0)
    assert demo.at(12.0)[0][number] == 0.7
    assert demo.at(12.0)[1][number] == 0.0


def test_commands_that_follow_each_other_quickly_are_smooth_and_end_at_the_last() -> None:
    demo = player()
    number = demo.names.index("joint1")
    last = demo.at(2.0)[0][number]
    for k in range(200):
        now = 2.0 + 0.01 * k
        assert told(demo, {"joint1": math.sin(0.05 * k)}, now) == []
        position = demo.at(now)[0][number]
        assert abs(position - last) < 0.03
        last = position
    for now in np.arange(4.0, 10.0, 0.01):
        demo.at(float(now))
    assert demo.at(10.0)[0][number] == pytest.approx(math.sin(0.05 * 199), abs=1e-12)


def test_a_reset_leads_all_back_into_the_motion() -> None:
    demo, plain = player(), player()
    told(demo, {"joint1": 0.5, "joint3": -0.5}, 0.0)
    demo.at(5.0)
    demo.reset(5.0)
    assert demo.at(5.0 + 0.5 * SHORTEST)[0] != pytest.approx(plain.at(5.0)[0], abs=1e-3)
    for now in np.arange(5.0, 5.0 + 10.0, 0.1):
        demo.at(float(now))
    for found, expected in zip(demo.at(16.0), plain.at(16.0), strict=True):
        assert found == pytest.approx(expected, abs=0.0)


def test_positions_beyond_the_limits_are_clipped_with_a_warning() -> None:
    demo = player()
    assert told(demo, {"joint1": 5.0, "joint2": 0.1}, 0.0) == [OUT_OF_RANGE]
    demo.at(LONGEST)
    position = dict(zip(demo.names, demo.at(2 * LONGEST)[0], strict=True))
    assert position["joint1"] == 2.9
    assert position["joint2"] == 0.1


def test_the_limits_of_followers_count_too() -> None:
    model = load(MIMICS, compile="off").model
    demo = DemoPlayer(model, SETTINGS, 0.0)
    for name in demo.names:
        told(demo, {name: 1e6}, 0.0)
    demo.at(LONGEST)
    q = demo.at(2 * LONGEST)[0]
    for _, joint in model.moving:
        if joint.is_follower and joint.limits.upper is not None:
            (z,) = joint.coordinates.position(q)
            assert joint.limits.lower - 1e-9 <= z <= joint.limits.upper + 1e-9


def test_names_that_cannot_be_commanded_are_explained() -> None:
    assert "joint1" in player().refusal("joint_1")
    assert "follows joint 'left_finger_joint'" in player().refusal("right_finger_joint")
    crank = player(EXAMPLES / "four_bar.yaml")
    assert "follows from other coordinates" in crank.refusal("crank_pin")
    assert crank.refusal("motor") == ""


def settled(demo: DemoPlayer, values: dict[str, float]) -> list[str]:
    """Command a closed mechanism at the time 0, wait, and return the kinds of what is said."""
    said = [x.kind for x in demo.command(values)]
    end = time.monotonic() + DEADLINE
    said += [x.kind for x in demo.settle(0.0)]
    while demo.is_settling and time.monotonic() < end:
        said += [x.kind for x in demo.settle(0.0)]
        time.sleep(0.01)
    assert not demo.is_settling
    return said


def test_a_closed_mechanism_goes_where_it_can_be() -> None:
    demo = player(EXAMPLES / "slider_crank.yaml")
    target = float(demo.at(0.0)[0][0]) + 0.3
    assert settled(demo, {"motor": target}) == []
    assert demo.at(2 * LONGEST)[0] == pytest.approx([target], abs=0.0)


def test_a_closed_mechanism_without_limits_goes_a_turn_at_most() -> None:
    demo = player(EXAMPLES / "slider_crank.yaml")
    assert [x.kind for x in demo.command({"motor": 1e6})] == [OUT_OF_RANGE]


def test_a_closed_mechanism_is_not_sent_where_it_cannot_be(tmp_path: Path) -> None:
    text = (
        (EXAMPLES / "four_bar.yaml").read_text().replace("actuated: [motor]", "actuated: [pivot]")
    )
    path = tmp_path / "rocker.yaml"  # it cannot turn as far as its range says
    path.write_text(text)
    demo, plain = player(path), player(path)
    assert settled(demo, {"pivot": 0.05}) == [OUT_OF_REACH]
    assert demo.at(5.0)[0] == pytest.approx(plain.at(5.0)[0], abs=0.0)


def test_a_pause_stops_the_motion_smoothly_and_not_the_commands() -> None:
    demo = player()
    demo.pause(True, 1.0)
    assert demo.is_paused
    rest = demo.at(1.0 + RAMP)
    assert np.all(rest[1] == 0.0)
    assert demo.at(3.0)[0] == pytest.approx(rest[0], abs=0.0)
    told(demo, {"joint1": 0.25}, 3.0)
    demo.at(30.0)
    assert demo.at(60.0)[0][0] == 0.25
    assert demo.at(60.0)[0][1:] == pytest.approx(rest[0][1:], abs=0.0)
    demo.pause(False, 60.0)
    assert np.any(demo.at(60.0 + 0.5 * RAMP)[1][1:] != 0.0)


def test_a_tape_runs_with_the_clock_and_never_jumps() -> None:
    tape = Tape(10.0)
    assert float(tape.at(12.5).time) == 2.5
    tape.pause(True, 12.5)
    tape.pause(False, 12.5 + 0.5 * RAMP)
    tape.pause(True, 14.0)
    times = np.linspace(12.0, 15.0, 3001)
    along = np.array([float(tape.at(float(t)).time) for t in times[times >= 14.0]])
    assert np.all(np.diff(along) >= 0.0)
    assert np.diff(along).max() <= 1e-3 * (1 + 1e-9)
    assert float(tape.at(20.0).rate) == 0.0
    moments = tape.at(np.array([14.0, 20.0]))
    assert moments.time[1] - moments.time[0] == pytest.approx(0.5 * RAMP)


def test_poses_of_a_paused_motion_stand_still() -> None:
    demo = DemoPlayer(load(EXAMPLES / "five_bodies.yaml", compile="off").model, SETTINGS, 0.0)
    assert demo.joints
    assert any(np.any(pose.angular != 0.0) for pose in demo.poses_at(1.0))
    demo.pause(True, 1.0)
    first, later = demo.poses_at(1.0 + RAMP), demo.poses_at(9.0)
    for one, other in zip(first, later, strict=True):
        assert np.all(one.angular == 0.0)
        assert np.all(one.linear == 0.0)
        assert one.position == pytest.approx(other.position, abs=0.0)
