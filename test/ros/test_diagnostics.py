"""Reports as messages on /diagnostics."""

from __future__ import annotations

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from hypothesis import given
from hypothesis import strategies as st
from rclpy.parameter import Parameter
from rclpy.serialization import deserialize_message, serialize_message

from robodyn_ros.ros.clock_watch import ClockState
from robodyn_ros.ros.diagnostics import MAX_VALUES, DiagnosticsPublisher, diagnostic_array
from robodyn_ros.ros.graph_reports import RivalryReporter, connections_report
from robodyn_ros.ros.graph_watch import Connections, Mismatch
from robodyn_ros.ros.joint_reports import joints_report
from robodyn_ros.ros.meters import Arrivals, Readings, Summary
from robodyn_ros.ros.rates import Traffic
from robodyn_ros.ros.reports import Level, Report, clock_report, traffic_report
from ros_graph import Graph

PERIOD = 0.1
NAMES = st.text(st.characters(), max_size=80)
NUMBERS = st.floats()
COUNTS = st.integers(-(2**63), 2**63 - 1)
SUMMARIES = st.builds(Summary, NUMBERS, NUMBERS, NUMBERS, COUNTS)
READINGS = st.builds(
    Readings,
    SUMMARIES,
    SUMMARIES,
    SUMMARIES,
    st.builds(Arrivals, NUMBERS, NUMBERS, NUMBERS, NUMBERS),
    COUNTS,
)
NODES = st.lists(NAMES, max_size=12).map(tuple)
CONNECTIONS = st.builds(
    Connections,
    st.dictionaries(NAMES, NODES, max_size=3),
    st.dictionaries(NAMES, COUNTS, max_size=3),
    st.lists(st.builds(Mismatch, NAMES, NAMES, NAMES, st.booleans()), max_size=12).map(tuple),
    st.dictionaries(NAMES, NODES, max_size=3),
    COUNTS,
    st.dictionaries(NAMES, NAMES, max_size=3),
)
CLOCKS = st.builds(
    ClockState, st.booleans(), NAMES, COUNTS, COUNTS, NUMBERS, COUNTS, COUNTS, COUNTS
)
GOOD = Report("robot description", Level.OK, "robot 'arm'", "arm", {"bodies": "8"})
BAD = Report("joints", Level.WARN, "1 of 7 joints invalid")


def as_received(node: str, reports: list[Report]) -> DiagnosticArray:
    data = serialize_message(diagnostic_array(node, reports))
    return deserialize_message(data, DiagnosticArray)


def test_every_status_names_node_thing_and_robot() -> None:
    first, second = diagnostic_array("/cell/state_publisher", [BAD, GOOD]).status
    assert first.name == "cell/state_publisher: joints"
    assert second.name == "cell/state_publisher: robot description"
    assert (first.level, second.level) == (DiagnosticStatus.WARN, DiagnosticStatus.OK)
    assert first.hardware_id == second.hardware_id == "arm"
    assert [(x.key, x.value) for x in second.values] == [("bodies", "8")]


def test_without_a_robot_there_is_no_hardware_id() -> None:
    assert diagnostic_array("/node", [BAD]).status[0].hardware_id == ""


@pytest.mark.parametrize("level", Level)
def test_every_level_has_its_number(level: Level) -> None:
    status = diagnostic_array("/node", [Report("x", level, "")]).status[0]
    assert status.level == getattr(DiagnosticStatus, level.name)


def test_a_flood_of_values_is_cut() -> None:
    flood = Report("x", Level.OK, "", values={str(k): "" for k in range(2 * MAX_VALUES)})
    assert len(diagnostic_array("/node", [flood]).status[0].values) == MAX_VALUES


def test_a_robot_of_two_hundred_joints_with_long_names_stays_below_100_kb() -> None:
    joints = {f"{'joint' * 40}_{k}": (0.1 * k, "stale: 2.3 s") for k in range(200)}
    message = diagnostic_array("/node", [joints_report(joints), BAD, GOOD])
    assert len(serialize_message(message)) < 100_000


@given(NAMES, NAMES, NAMES, NAMES, st.dictionaries(NAMES, NAMES, max_size=4))
def test_any_text_arrives_as_text(
    node: str, name: str, text: str, robot: str, values: dict[str, str]
) -> None:
    status = as_received(node, [Report(name, Level.OK, text, robot, values)]).status[0]
    assert status.message.isprintable()
    assert len(status.values) == len(values)


@given(st.dictionaries(NAMES, st.tuples(NUMBERS, NAMES), max_size=12))
def test_any_joints_can_be_reported(joints: dict[str, tuple[float, str]]) -> None:
    status = as_received("/node", [joints_report(joints)]).status[0]
    invalid = any(reason for _, reason in joints.values())
    assert status.level == (DiagnosticStatus.WARN if invalid else DiagnosticStatus.OK)


@given(
    st.dictionaries(NAMES, COUNTS, max_size=4),
    NAMES,
    NODES,
    NUMBERS,
    NUMBERS,
    READINGS,
    st.booleans(),
)
def test_any_traffic_can_be_reported(
    counts: dict[str, int],
    topic: str,
    publishers: tuple[str, ...],
    last: float,
    now: float,
    readings: Readings,
    simulated: bool,
) -> None:
    traffic = Traffic(last_input=last)
    for name, number in counts.items():
        traffic.count(name, number)
    reports = [
        traffic_report(traffic, topic, publishers, time, readings, simulated=simulated)
        for time in (0.0, now)
    ]
    assert len(as_received("/node", reports).status) == 2


@given(CONNECTIONS, CLOCKS, st.dictionaries(NAMES | st.just("late"), COUNTS, max_size=3))
def test_any_graph_and_clock_can_be_reported(
    found: Connections, clock: ClockState, recent: dict[str, int]
) -> None:
    rivalry = RivalryReporter()
    reports = [connections_report(found), clock_report(clock)]
    reports += [rivalry.report(recent, each.topic, ("/a", "/b")) for each in found.mismatches]
    assert len(as_received("/node", reports).status) == len(reports)


def test_reports_are_published_with_the_time_of_the_node(graph: Graph) -> None:
    inbox = graph.listen(DiagnosticArray, "/diagnostics")
    DiagnosticsPublisher(graph.node, PERIOD, lambda: [GOOD, BAD])
    graph.wait(lambda: len(inbox) >= 2, "two reports")
    names = [status.name for status in inbox[0].status]
    own = graph.node.get_name()
    assert names == [f"{own}: robot description", f"{own}: joints"]
    assert inbox[0].header.stamp.sec > 10**9


def test_reports_are_collected_also_when_nobody_listens(graph: Graph) -> None:
    calls: list[int] = []

    def collect() -> list[Report]:
        calls.append(graph.node.count_subscribers("/diagnostics"))
        return [GOOD]

    DiagnosticsPublisher(graph.node, PERIOD, collect)
    graph.wait(lambda: len(calls) >= 2, "two collections")
    assert calls[:2] == [0, 0]


def test_reports_go_on_while_simulated_time_stands_at_zero(graph: Graph) -> None:
    graph.node.set_parameters([Parameter("use_sim_time", value=True)])
    inbox = graph.listen(DiagnosticArray, "/diagnostics")
    DiagnosticsPublisher(graph.node, PERIOD, lambda: [GOOD])
    graph.wait(lambda: len(inbox) >= 2, "two reports")
    assert (inbox[0].header.stamp.sec, inbox[0].header.stamp.nanosec) == (0, 0)
