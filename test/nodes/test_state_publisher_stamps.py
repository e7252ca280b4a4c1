"""state_publisher and time: missing, repeated, late and reset stamps, rates, backlogs, /clock."""

from __future__ import annotations

import signal
import time

import numpy as np
import pytest
from rosgraph_msgs.msg import Clock

from publisher_setup import Setup, xyz
from robots import OWN_ROBOTS
from ros_graph import Graph, seconds, time_message


def test_states_without_a_stamp_get_the_nodes_time_and_one_warning(arm: Setup) -> None:
    before = time.time()
    for k in range(10):
        arm.send(arm.joints[:2], [0.01 * k, 0.2])
        arm.graph.wait(lambda: len(arm.tf) > k, "transforms")  # noqa: B023 - called at once
    assert all(before <= stamp <= time.time() for stamp in arm.stamps())
    assert len(arm.stamps()) == 10
    assert len(arm.lines("without a stamp")) == 1


def test_after_a_clock_reset_transforms_resume_and_a_straggler_blocks_nothing(arm: Setup) -> None:
    sent = (arm.time(100.0), arm.time(101.0), 0.1, 0.2, arm.time(101.5), 0.3)
    for stamp in sent:
        arm.send(arm.joints[:1], [0.1], stamp=stamp)
    arm.wait_for(0.3)
    assert arm.stamps() == [sent[0], sent[1], 0.1, 0.2, 0.3]
    assert len(arm.lines("jumped back")) == 1


def test_after_a_clock_reset_no_velocity_comes_from_before(arm: Setup) -> None:
    joint = arm.joints[0]
    for k in range(5):
        before = arm.body_states([joint], [0.01 * k], at=0.01 * k)
    body = arm.robot.model.body_index(arm.child(joint))
    assert np.linalg.norm(xyz(before.bodies[body].twist.angular)) == pytest.approx(1.0)
    first = arm.body_states([joint], [1.0], at=-100.0)
    assert xyz(first.bodies[body].twist.angular) == [0.0, 0.0, 0.0]
    assert not first.bodies[body].valid
    second = arm.body_states([joint], [1.002], at=-99.99)
    assert np.linalg.norm(xyz(second.bodies[body].twist.angular)) == pytest.approx(0.2)
    assert second.bodies[body].valid


def test_the_same_state_five_times_gives_one_transform_per_child_and_stamp(arm: Setup) -> None:
    sent = [arm.time(0.1 * k) for k in range(3)]
    for stamp in sent:
        for _ in range(5):
            arm.send(arm.joints, [0.1] * len(arm.joints), stamp=stamp)
        arm.wait_for(stamp)
    arm.show(arm.joints[:1], [0.1], stamp=arm.time(1))
    assert len(arm.transforms()) == len(set(arm.transforms()))
    assert arm.stamps() == [*sent, arm.time(1)]


def test_two_positions_with_one_stamp_keep_the_velocity_before_them(arm: Setup) -> None:
    joint = arm.joints[0]
    body = arm.robot.model.body_index(arm.child(joint))
    for k in range(20):
        arm.body_states([joint], [0.01 * k], at=0.01 * k)
    arm.send([joint], [0.5], stamp=arm.time(0.19))
    last = arm.body_states([joint], [0.20], at=0.20)
    assert np.linalg.norm(xyz(last.bodies[body].twist.angular)) == pytest.approx(1.0)
    assert last.bodies[body].valid
    assert np.isfinite([x for m in arm.bodies for b in m.bodies for x in xyz(b.twist.linear)]).all()


def test_a_late_message_is_dropped_whole(arm: Setup) -> None:
    first, second = arm.joints[:2]
    arm.show([first], [0.1], stamp=arm.time(1.0))
    arm.show([second], [0.1], stamp=arm.time(1.0))
    arm.send([first, second], [0.2, 0.2], stamp=arm.time(0.9))
    arm.show([first], [0.1], stamp=arm.time(1.1))
    assert arm.stamps() == [arm.time(1.0), arm.time(1.0), arm.time(1.1)]
    assert len(arm.lines("older than what is published already")) <= 1


def paced(setup: Setup, count: int, period: float) -> list[float]:
    """Send states with pauses, never several at once; return their stamps."""
    sent = [setup.time(period * k) for k in range(count)]
    for k, stamp in enumerate(sent):
        setup.send(setup.joints, [1e-4 * k] * len(setup.joints), stamp=stamp)
        setup.graph.spin(period)
    return sent


def compiled(setup: Setup) -> None:
    """Wait for the kernel: the plain functions that serve until then cost milliseconds."""
    setup.graph.wait(
        lambda: setup.values("robot description").get("kernel state_step") == "compiled",
        "the kernel",
        timeout=120.0,
    )


def backlog(setup: Setup) -> int:
    return int(setup.values("joint states").get("merged only, backlog", 0))


def test_of_500_hz_reliable_all_appear_or_are_counted(arm: Setup) -> None:
    compiled(arm)
    before = backlog(arm)
    sent = paced(arm, 500, 0.002)
    arm.wait_for(sent[-1])
    assert arm.stamps() == sorted(set(sent) & set(arm.stamps()))
    arm.graph.wait(lambda: len(arm.tf) + backlog(arm) - before == len(sent), "all states")
    assert len(arm.tf) >= 0.95 * len(sent)


def test_of_500_hz_best_effort_nearly_all_appear(graph: Graph) -> None:
    setup = Setup(graph, joint_states_reliability="best_effort")
    compiled(setup)
    sent = paced(setup, 500, 0.002)
    graph.wait(lambda: setup.stamps()[-1] >= sent[-5], "the end")
    assert setup.stamps() == sorted(set(sent) & set(setup.stamps()))
    assert len(setup.stamps()) >= 0.95 * len(sent)


def test_of_a_backlog_the_newest_is_published_and_the_rest_counted(arm: Setup) -> None:
    compiled(arm)
    before = backlog(arm)
    arm.process.process.send_signal(signal.SIGSTOP)
    sent = [arm.time(0.002 * k) for k in range(40)]
    for stamp in sent:
        arm.send(arm.joints, [0.1] * len(arm.joints), stamp=stamp)
    arm.graph.spin(0.1)
    arm.process.process.send_signal(signal.SIGCONT)
    arm.wait_for(sent[-1])
    arm.graph.wait(lambda: backlog(arm) > before, "the backlog in the diagnostics")
    assert len(arm.tf) + backlog(arm) - before == len(sent)
    assert len(arm.tf) <= 10


def test_of_a_backlog_that_repeats_every_stamp_the_newest_state_is_shown(arm: Setup) -> None:
    arm.process.process.send_signal(signal.SIGSTOP)
    sent = [arm.time(0.01 * k) for k in range(6)]
    for stamp in sent:
        for _ in range(5):
            arm.send(arm.joints, [0.1] * len(arm.joints), stamp=stamp)
    arm.graph.spin(0.1)
    arm.process.process.send_signal(signal.SIGCONT)
    arm.wait_for(sent[-1])
    assert arm.stamps().count(sent[-1]) == 1


def test_publish_frequency_limits_each_joint(arm: Setup) -> None:
    """100 states a second limited to 20: one of five."""
    assert arm.graph.set_parameters(arm.node, publish_frequency=20) == [(True, "")]
    try:
        for k in range(20):
            for i in range(5):
                arm.send(arm.joints[:1], [0.1], stamp=arm.time(0.05 * k + 0.01 * i))
            arm.graph.wait(lambda: len(arm.tf) > k, "one of five")  # noqa: B023 - called at once
        arm.show(arm.joints[1:2], [0.1], stamp=arm.time(0.995))
        periods = [int((stamp - arm.time(0)) / 0.05 + 1e-6) for stamp in arm.stamps()[:-1]]
        assert periods == list(range(20))
    finally:
        assert arm.graph.set_parameters(arm.node, publish_frequency=0) == [(True, "")]


def test_with_ignore_timestamp_every_message_is_published(arm: Setup) -> None:
    assert arm.graph.set_parameters(arm.node, ignore_timestamp=True) == [(True, "")]
    try:
        sent = [arm.time(t) for t in (1.0, 1.0, 0.5, 2.0)]
        for stamp in sent:
            arm.send(arm.joints[:1], [0.1], stamp=stamp)
        arm.wait_for(sent[-1])
        assert arm.stamps() == sent
    finally:
        assert arm.graph.set_parameters(arm.node, ignore_timestamp=False) == [(True, "")]


@pytest.mark.parametrize("stamped", [False, True])
def test_simulated_time_going_back_stops_nothing(graph: Graph, stamped: bool) -> None:
    """/clock 50 to 0: outputs resume within a second of the new time."""
    setup = Setup(graph, OWN_ROBOTS / "arm_about_z.urdf", use_sim_time=True)
    clock = graph.publisher(Clock, "/clock")
    graph.connect(clock)

    def run(start: float, until) -> float:
        now = start
        while not until():
            now += 0.02
            clock.publish(Clock(clock=time_message(now)))
            setup.send(setup.joints[:1], [0.1], stamp=now if stamped else 0.0)
            graph.spin(0.01)
            assert now < start + 5.0, setup.process.output
        return now

    run(50.0, lambda: sum(50.0 < stamp < 52.0 for stamp in setup.stamps()) > 20)
    setup.tf.clear()
    end = run(0.0, lambda: sum(0.0 < stamp < 2.0 for stamp in setup.stamps()) > 5)
    assert end < 1.0
    assert [stamp for stamp in setup.stamps() if stamp < 50.0] == sorted(
        {stamp for stamp in setup.stamps() if stamp < 50.0}
    )


def test_without_a_clock_yet_states_without_a_stamp_are_dropped_with_the_reason(
    graph: Graph,
) -> None:
    setup = Setup(graph, OWN_ROBOTS / "arm_about_z.urdf", use_sim_time=True)
    for _ in range(5):
        setup.send(setup.joints[:1], [0.1])
    setup.show(setup.joints[:1], [0.1], stamp=setup.time(1))
    assert setup.stamps() == [setup.time(1)]
    (line,) = setup.lines("nothing came on /clock yet$")
    assert "WARN" in line
    assert "use_sim_time" in line
    graph.wait(lambda: setup.status("clock").level == b"\x01", "the clock's report")
    assert "nothing came on /clock" in setup.status("clock").message
    assert seconds(setup.tf[-1].transforms[0].header.stamp) == setup.time(1)
