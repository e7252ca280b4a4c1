"""What a node reports of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_ros import load
from robodyn_ros.conditioning.complaints import Complaint, Severity, Subject
from robodyn_ros.ros.clock_watch import ClockState
from robodyn_ros.ros.meters import Arrivals, Readings, Summary
from robodyn_ros.ros.rates import Traffic
from robodyn_ros.ros.reports import (
    FIRST,
    QUIET_AFTER,
    Level,
    clock_report,
    description_report,
    stamp_mismatch,
    traffic_report,
)

ARM = Path(__file__).parents[2] / "urdf" / "demo_arm.urdf"
TOPIC = "/cell/joint_states"


def report(traffic: Traffic, now: float):
    return traffic_report(traffic, TOPIC, ["/arm", "/gripper"], now)


def test_without_a_robot_the_topic_is_named() -> None:
    found = description_report(None, "/cell/robot_description")
    assert found.level is Level.ERROR
    assert "/cell/robot_description" in found.message
    assert "set robot_description" in found.message


def test_a_robot_is_named_with_its_sizes_and_kernels() -> None:
    robot = load(ARM, compile="off")
    found = description_report(robot, "", {"state_step": "plain"})
    assert found.level is Level.OK
    assert "demo_arm" in found.message
    assert found.values["bodies"] == str(robot.model.nb)
    assert found.values["kernel state_step"] == "plain"
    assert found.values["notes on the description"] == str(len(robot.model.notes))


def test_bodies_that_only_serve_a_loop_are_not_counted() -> None:
    robot = load(ARM.parents[1] / "examples" / "four_bar.yaml", compile="off")
    assert description_report(robot, "").values["bodies"] == "4"
    assert robot.model.nb > 4


def test_before_the_first_message_the_topic_and_its_publishers_are_named() -> None:
    found = report(Traffic(), 1.0)
    assert found.level is Level.WARN
    assert TOPIC in found.message
    assert "2 publishers" in found.message


def test_rates_and_age_are_reported_while_messages_come() -> None:
    traffic = Traffic()
    report(traffic, 0.0)
    traffic.count("input", 50)
    traffic.last_input = 0.9
    found = report(traffic, 1.0)
    assert found.level is Level.OK
    assert found.message == "50.0 joint states/s"
    assert found.values["input age"] == "0.100 s"


def test_silence_is_stale() -> None:
    traffic = Traffic(last_input=1.0)
    found = report(traffic, 1.1 + QUIET_AFTER)
    assert found.level is Level.STALE
    assert TOPIC in found.message


def test_troubles_are_warned_of_in_the_period_in_which_they_happen() -> None:
    traffic = Traffic(last_input=1.0)
    traffic.note([Complaint(Severity.WARN, "late", "late"), Complaint(Severity.DEBUG, "x", "x")])
    found = report(traffic, 1.0)
    assert found.level is Level.WARN
    assert found.message.endswith("lately: late")
    assert found.values["late"] == "1"
    assert report(traffic, 1.5).level is Level.OK


@pytest.mark.parametrize(("now", "level"), [(0, Level.WARN), (10**9, Level.OK)])
def test_a_clock_that_stands_at_zero_is_named(now: int, level: Level) -> None:
    found = clock_report(ClockState(simulated=True, now=now))
    assert found.level is level
    assert found.is_trouble == (level is not Level.OK)
    assert ("/clock" in found.message) == found.is_trouble


def test_simulated_time_that_does_not_begin_names_its_topic_and_what_to_do() -> None:
    found = clock_report(ClockState(simulated=True, topic="/sim/clock", publishers=0))
    assert found.level is Level.WARN
    assert "/sim/clock" in found.message
    assert "use_sim_time:=false" in found.message


def test_simulated_time_that_stands_still_is_named() -> None:
    found = clock_report(ClockState(simulated=True, now=5 * 10**9, still=3.0, publishers=1))
    assert found.level is Level.WARN
    assert "stands at 5.000 s for 3.0 s" in found.message


def test_jumps_back_are_told_with_their_place() -> None:
    state = ClockState(
        simulated=True, now=2 * 10**9, jumps=2, jumped_to=10**9, jumped_by=49 * 10**9
    )
    found = clock_report(state)
    assert found.level is Level.OK
    assert found.values["jumps back"] == "2"
    assert found.values["last jump back"] == "by 49.000 s to 1.000 s"


def test_time_of_the_system_may_stand_where_it_likes() -> None:
    found = clock_report(ClockState(simulated=False, now=7, still=9.0))
    assert found.level is Level.OK
    assert "clock topic" not in found.values


def test_rates_of_outputs_are_there_before_anything_is_published() -> None:
    found = report(Traffic(), 1.0)
    for output in ("tf", "body_states", "visualization"):
        assert found.values[f"{output} rate"] == "0.0 Hz"


def test_events_of_the_last_period_are_kept_for_other_reports() -> None:
    traffic = Traffic()
    traffic.count("late", 3)
    report(traffic, 0.0)
    traffic.count("late", 4)
    report(traffic, 1.0)
    assert traffic.recent == {"late": 4}


def test_publishers_are_listed_by_the_names_of_their_nodes() -> None:
    found = traffic_report(Traffic(), TOPIC, ["/arm", "/gripper"], 1.0)
    assert found.values["input publishers"] == "2"
    assert found.values["input publisher nodes"] == "/arm, /gripper"
    assert "2 publishers" in found.message


def test_what_the_meters_read_is_told() -> None:
    readings = Readings(
        processing=Summary(1e-4, 2e-4, 3e-3, 50),
        end_to_end=Summary(1e-3, 2e-3, 4e-3, 50),
        batch=Summary(1.0, 2.0, 5.0, 50),
        arrivals=Arrivals(99.5, 0.01, 0.0005, 0.03),
        lost=7,
    )
    found = traffic_report(Traffic(last_input=1.0), TOPIC, ["/arm"], 1.0, readings).values
    assert found["latency, arrival to published"] == "p50 0.100 ms, p99 0.200 ms, max 3.000 ms"
    assert found["latency, stamp to published"].endswith("max 4.000 ms")
    assert found["messages a turn"] == "p50 1, p99 2, max 5"
    assert found["input mean rate"] == "99.5 Hz"
    assert found["input jitter"] == "p99 0.500 ms off the median interval of 10.000 ms"
    assert found["input longest gap"] == "30.000 ms"
    assert found["input lost"] == "7"


def test_numbers_of_several_publishers_say_nothing_about_losses() -> None:
    found = traffic_report(Traffic(), TOPIC, ["/a", "/b"], 1.0, Readings(lost=7))
    assert "input lost" not in found.values


def test_what_nothing_was_read_of_is_left_out() -> None:
    found = traffic_report(Traffic(), TOPIC, ["/arm"], 1.0, Readings())
    assert not [key for key in found.values if "latency" in key or "jitter" in key]


@pytest.mark.parametrize("delay", [0.002, -0.05, 0.19])
def test_stamps_near_the_clock_are_no_trouble(delay: float) -> None:
    assert stamp_mismatch(Summary(delay, delay, delay, 9), TOPIC, simulated=False) == ""


def test_without_messages_stamps_are_no_trouble() -> None:
    assert stamp_mismatch(Summary(), TOPIC, simulated=True) == ""


@pytest.mark.parametrize(
    ("delay", "simulated", "remedy"),
    [
        (1.7e9, False, "set use_sim_time:=true here"),
        (-1.7e9, True, "set use_sim_time:=true in their publisher"),
        (75.0, False, "synchronise the clocks"),
        (-0.3, False, "synchronise the clocks"),
        (100.0, True, "use_sim_time alike in both"),
    ],
)
def test_stamps_of_another_clock_are_named_with_the_remedy(
    delay: float, simulated: bool, remedy: str
) -> None:
    readings = Readings(end_to_end=Summary(delay, delay, delay, 9))
    found = traffic_report(
        Traffic(last_input=1.0), TOPIC, ["/arm"], 1.0, readings, simulated=simulated
    )
    assert found.level is Level.WARN
    assert f"stamps on {TOPIC} differ from the node's clock by {delay:.3g} s" in found.message
    assert remedy in found.message


@pytest.mark.parametrize("delay", [0.21, 0.5, 59.0])
@pytest.mark.parametrize("simulated", [False, True])
def test_late_stamps_are_warned_of_with_what_they_may_mean(delay: float, simulated: bool) -> None:
    readings = Readings(end_to_end=Summary(delay, delay, delay, 9))
    found = traffic_report(
        Traffic(last_input=1.0), TOPIC, ["/arm"], 1.0, readings, simulated=simulated
    )
    assert found.level is Level.WARN
    assert f"stamps on {TOPIC} are {delay:.3g} s late by the node's clock" in found.message
    for part in ("transform", "clocks of the machines", "use_sim_time"):
        assert part in found.message


def test_troubles_are_told_with_the_joints_concerned() -> None:
    traffic = Traffic(last_input=1.0)
    late = Complaint(Severity.WARN, "late", "late")
    outlier = Complaint(Severity.WARN, "outliers", "x", subjects=(Subject("elbow", "position 9"),))
    traffic.note([late, outlier])
    assert report(traffic, 1.0).message.endswith("lately: late, outliers ('elbow')")
    traffic.note([late])
    assert report(traffic, 1.5).message.endswith("lately: late")


def test_of_many_joints_concerned_the_first_are_told() -> None:
    traffic = Traffic(last_input=1.0)
    subjects = tuple(Subject(f"j{k}") for k in range(30))
    traffic.note([Complaint(Severity.WARN, "outliers", "x", subjects=subjects)])
    assert report(traffic, 1.0).message.endswith(f"'j{FIRST - 1}' and {30 - FIRST} more)")


@pytest.mark.parametrize(("count", "told"), [(0, "0 publishers"), (1, "1 publisher"), (2, "2 pub")])
def test_one_publisher_is_no_publishers(count: int, told: str) -> None:
    names = [f"/arm{k}" for k in range(count)]
    silent = traffic_report(Traffic(), TOPIC, names, 1.0).message
    stale = traffic_report(Traffic(last_input=1.0), TOPIC, names, 2.0 + QUIET_AFTER).message
    unborn = clock_report(ClockState(simulated=True, publishers=count)).message
    still = clock_report(ClockState(simulated=True, now=1, still=9.0, publishers=count)).message
    for text in (silent, stale, unborn, still):
        assert f"({told}" in text
        assert "1 publishers" not in text


def test_stamps_that_stand_still_are_told() -> None:
    traffic = Traffic()
    traffic.rates(0.0)
    traffic.last_input = 1.0
    traffic.count("input", 100)
    traffic.count("repeated stamps", 99)
    found = traffic_report(traffic, "/joint_states", ["/arm"], 1.0)
    assert found.level is Level.WARN
    assert "stand still" in found.message
