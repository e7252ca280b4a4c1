"""state_publisher in a process of its own: what it says of itself on /diagnostics."""

from __future__ import annotations

import math

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState

from publisher_setup import Setup, newest_status
from ros_graph import Graph, joint_state

OK, WARN, ERROR, STALE = (
    DiagnosticStatus.OK,
    DiagnosticStatus.WARN,
    DiagnosticStatus.ERROR,
    DiagnosticStatus.STALE,
)


def test_rates_counts_and_what_was_wrong(arm: Setup) -> None:
    count = len(arm.joints)
    for k in range(30):
        arm.body_states([*arm.joints, "wheel"], [0.01] * (count + 1), at=0.01 * k)
    arm.body_states(arm.joints, [math.nan] * count, at=1.0)

    def counted() -> bool:
        values = arm.values("joint states")
        return int(values.get("not finite", 0)) == count and int(values["input"]) >= 31

    arm.graph.wait(counted, "the counts of NaN and of unknown names")
    values = arm.values("joint states")
    assert int(values["unknown names"]) >= 30
    assert values["input topic"] == f"{arm.place}/joint_states"
    assert values["input publishers"] == "1"
    assert values["input publisher nodes"] == arm.graph.node.get_fully_qualified_name()
    assert int(values["body_states"]) >= 30
    assert values["input rate"].endswith(" Hz")
    assert float(values["input age"].removesuffix(" s")) >= 0.0
    assert "latency, arrival to published" in values
    description = arm.values("robot description")
    assert description["bodies"] == str(arm.robot.model.nb)
    assert description["kernel state_step"] in ("plain", "compiling", "compiled")
    assert arm.values("message path")["served by"] == "thread"


def test_each_joint_has_its_reason_and_age(arm: Setup) -> None:
    """One never heard of after a reset, one NaN, one stale, the rest good."""
    stale, nan, missing, *good = arm.joints
    arm.body_states(arm.joints, [0.0] * len(arm.joints), at=0.0)
    arm.body_states([stale], [0.0], [0.0], at=-500.0)
    for k in range(3):
        arm.body_states(good, [0.0] * len(good), [0.0] * len(good), at=-498.0 + 0.01 * k)
    arm.body_states([nan], [math.nan], at=-497.97)

    def told() -> bool:
        values = arm.values("joints")
        return all(f"joint '{name}'" in values for name in arm.joints) and (
            "not finite" in values[f"joint '{nan}'"] and "never" in values[f"joint '{missing}'"]
        )

    arm.graph.wait(told, "the reasons")
    values, status = arm.values("joints"), arm.status("joints")
    assert values[f"joint '{stale}'"].startswith("invalid, stale: 2.")
    assert values[f"joint '{missing}'"] == "invalid, never received; no age"
    assert values[f"joint '{good[0]}'"].startswith("age 0.")
    assert values["invalid joints"] == "3"
    assert status.level == WARN
    assert status.message.startswith(f"3 of {len(arm.joints)} joints invalid: '{stale}' (stale")


def test_outliers_are_troubles_until_they_end(arm: Setup) -> None:
    joint, k = arm.joints[0], 0

    def send(angle: float) -> None:
        nonlocal k
        k += 1
        arm.body_states([joint], [angle], at=0.01 * k)

    for _ in range(30):
        send(0.0)
    send(1.5)
    arm.graph.wait(lambda: "outliers" in arm.status("joint states").message, "the outlier")
    assert arm.status("joint states").level == WARN
    assert arm.values("joint states")["outliers"] == "1"

    def calm() -> bool:
        send(0.0)
        status = arm.status("joint states")
        return status.level == OK and status.message.endswith("joint states/s")

    arm.graph.wait(calm, "the end of the trouble")


def test_a_publisher_whose_reliability_does_not_fit_is_named_with_the_remedy(arm: Setup) -> None:
    weak = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
    publisher = arm.graph.publisher(JointState, f"{arm.place}/joint_states", weak)
    arm.graph.wait(lambda: arm.status("connections").level == ERROR, "the mismatch")
    text, me = arm.status("connections").message, arm.graph.node.get_fully_qualified_name()
    assert f"{arm.place}/joint_states: {me} publishes best_effort" in text
    assert "set joint_states_reliability:=best_effort" in text
    assert len(arm.process.lines(f"WARN.*{me} publishes best_effort")) == 1
    arm.graph.node.destroy_publisher(publisher)
    arm.graph.wait(lambda: arm.status("connections").level == OK, "the end of it")


def test_two_publishers_that_contradict_each_other_are_both_named(arm: Setup) -> None:
    rivals = Graph()
    try:
        other = rivals.publisher(JointState, f"{arm.place}/joint_states")
        rivals.connect(other)
        count, k = len(arm.joints), 0

        def told() -> bool:
            nonlocal k
            k += 1
            arm.send(arm.joints, [0.0] * count, stamp=arm.time(0.02 * k))
            arm.graph.spin(0.005)
            other.publish(joint_state(arm.joints, [1.0] * count, stamp=arm.time(0.02 * k + 0.01)))
            arm.graph.spin(0.005)
            return bool(arm.status("joint state publishers").level == WARN)

        arm.graph.wait(told, "the rivals")
        text = arm.status("joint state publishers").message
        for graph in (arm.graph, rivals):
            assert graph.node.get_fully_qualified_name() in text
    finally:
        rivals.close()


def test_silence_of_the_input_is_stale(arm: Setup) -> None:
    arm.graph.wait(lambda: arm.status("joint states").level == STALE, "the silence")
    assert (
        f"no joint state on {arm.place}/joint_states for 2." in arm.status("joint states").message
    )


def test_what_is_waited_for_is_named_in_full(graph: Graph) -> None:
    diagnostics = graph.listen(DiagnosticArray, "/diagnostics")
    options = {"use_sim_time": True, "diagnostics_period": 0.2}
    graph.start("state_publisher", options, "-r", "__ns:=/cell")
    graph.wait(lambda: bool(diagnostics), "diagnostics")
    for name, level, text in (
        ("robot description", ERROR, "/cell/robot_description"),
        ("joint states", WARN, "/cell/joint_states"),
        ("clock", WARN, "nothing came on /clock yet"),
    ):
        status = newest_status(diagnostics, name)
        assert status.level == level, name
        assert text in status.message
        assert status.name == f"cell/state_publisher: {name}"
