"""state_publisher tells which joints are misspelt, which jump and whose stamps are late."""

from __future__ import annotations

import time

from diagnostic_msgs.msg import DiagnosticStatus

from publisher_setup import Setup
from ros_graph import Graph


def test_a_misspelt_joint_is_named_and_warned_of_once(graph: Graph) -> None:
    setup = Setup(graph)
    missed, *others = setup.joints
    wrong, k = missed[:-2] + missed[-1], 0

    def send() -> None:
        nonlocal k
        k += 1
        names = [wrong, *others, "gripper_finger"]
        setup.send(names, [0.0] * len(names), stamp=setup.time(0.01 * k))

    def warned() -> bool:
        send()
        return bool(setup.status("joint names").level == DiagnosticStatus.WARN)

    graph.wait(warned, "the warning")
    values = setup.values("joint names")
    assert values[f"unknown name '{wrong}'"].startswith(f"did you mean '{missed}'? (")
    assert values["unknown name 'gripper_finger'"].startswith("resembles no joint (")
    told = f"'{wrong}': did you mean '{missed}'?"
    assert told in setup.status("joint names").message
    graph.wait(
        lambda: f"never received, but '{wrong}' is" in setup.status("joints").message,
        "the joint's reason",
    )
    count = len(setup.diagnostics)
    graph.wait(lambda: send() or len(setup.diagnostics) > count + 3, "more reports")
    (line,) = setup.lines("did you mean")
    assert "WARN" in line
    assert told in line
    assert "gripper_finger" not in line

    def calm() -> bool:
        nonlocal k
        k += 1
        setup.send(setup.joints, [0.0] * len(setup.joints), stamp=setup.time(0.01 * k))
        return bool(setup.status("joint names").level == DiagnosticStatus.OK)

    graph.wait(calm, "the end of the trouble")


def test_joints_with_outliers_are_counted_with_their_last_value(arm: Setup) -> None:
    joint, other, *_ = arm.joints
    for k in range(40):
        angle = 1.5 if k in (20, 30) else 0.0
        arm.body_states([joint, other], [angle, 0.0], at=0.01 * k)
    told = f"joint '{joint}'"
    arm.graph.wait(lambda: "2 outliers" in arm.values("joints").get(told, ""), "the count")
    assert "the last with position 1.5 rad or m" in arm.values("joints")[told]
    assert "outlier" not in arm.values("joints")[f"joint '{other}'"]
    assert any(
        f"outliers ('{joint}')" in status.message
        for message in arm.diagnostics
        for status in message.status
        if status.name.endswith(": joint states")
    )
    assert all(len(line) < 300 for line in arm.lines("does not follow"))


def test_stamps_late_by_half_a_second_are_a_warning_with_what_it_may_mean(graph: Graph) -> None:
    setup = Setup(graph)

    def late(by: float) -> str:
        setup.send(setup.joints, [0.0] * len(setup.joints), stamp=time.time() - by)
        graph.spin(0.002)
        return setup.status("joint states").message

    graph.wait(lambda: "s late by the node's clock" in late(0.5), "the warning")
    status = setup.status("joint states")
    assert status.level == DiagnosticStatus.WARN
    assert f"stamps on {setup.place}/joint_states are 0.5" in status.message
    for part in ("clocks of the machines", "use_sim_time"):
        assert part in status.message
    graph.wait(lambda: "late" not in late(0.0), "the end of the trouble")
