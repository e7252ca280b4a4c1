"""What is reported of the nodes at the other ends."""

from __future__ import annotations

from robodyn_ros.ros.graph_reports import RivalryReporter, connections_report
from robodyn_ros.ros.graph_watch import Connections, Mismatch
from robodyn_ros.ros.reports import FIRST, Level

TOPIC = "/cell/joint_states"
BOTH = ("/arm_driver", "/replay")
BEST_EFFORT = Mismatch(TOPIC, "/driver", f"{TOPIC}: /driver publishes best_effort", inward=True)
LATCHED = Mismatch("/tf", "/rviz", "/tf: this node publishes volatile", inward=False)


def test_publishers_that_contradict_each_other_again_and_again_are_named() -> None:
    reporter = RivalryReporter()
    assert reporter.report({"late": 40}, TOPIC, BOTH).level is Level.OK
    found = reporter.report({"late": 38, "outliers": 2}, TOPIC, BOTH)
    assert found.level is Level.WARN
    assert "/arm_driver, /replay" in found.message
    assert "38 late, 2 outliers" in found.message
    assert "namespace" in found.message


def test_a_fight_that_ended_is_no_longer_reported() -> None:
    reporter = RivalryReporter()
    for _ in range(3):
        reporter.report({"late": 40}, TOPIC, BOTH)
    assert reporter.report({"late": 0}, TOPIC, BOTH).level is Level.OK
    assert reporter.report({"late": 9}, TOPIC, BOTH).level is Level.OK


def test_one_publisher_alone_cannot_fight() -> None:
    reporter = RivalryReporter()
    levels = {reporter.report({"late": 40}, TOPIC, BOTH[:1]).level for _ in range(5)}
    assert levels == {Level.OK}


def test_a_few_late_messages_are_no_fight() -> None:
    reporter = RivalryReporter()
    reports = [reporter.report({"late": 1}, TOPIC, BOTH) for _ in range(3)]
    assert {each.level for each in reports} == {Level.OK}


def test_publishers_are_listed_also_in_peace() -> None:
    found = RivalryReporter().report({}, TOPIC, BOTH)
    assert found.values["publishers"] == "/arm_driver, /replay"
    assert RivalryReporter().report({}, TOPIC, ()).values["publishers"] == "none"


def test_one_is_told_as_one() -> None:
    assert RivalryReporter().report({}, TOPIC, BOTH[:1]).message == f"1 publisher of {TOPIC}"
    assert "1 other node has this" in connections_report(Connections(namesakes=1)).message
    assert "2 other nodes have this" in connections_report(Connections(namesakes=2)).message


def test_what_fits_is_listed_with_its_ends() -> None:
    found = connections_report(Connections({TOPIC: BOTH, "/x": ()}, {"/tf": 3}))
    assert found.level is Level.OK
    assert found.values[f"publishers of {TOPIC}"] == "/arm_driver, /replay"
    assert found.values["publishers of /x"] == "none"
    assert found.values["subscriptions of /tf"] == "3"


def test_an_input_that_gets_nothing_is_an_error_and_a_deaf_listener_a_warning() -> None:
    found = connections_report(Connections(mismatches=(LATCHED,)))
    assert found.level is Level.WARN
    assert found.message == LATCHED.text
    found = connections_report(Connections(mismatches=(BEST_EFFORT, LATCHED)))
    assert found.level is Level.ERROR
    assert found.values["mismatch 2"] == LATCHED.text


def test_rivals_namesakes_and_what_could_not_be_read_are_warnings() -> None:
    found = connections_report(
        Connections(
            rivals={"/robot_description": ("/robot_state_publisher",)},
            namesakes=1,
            unread={"/tf": "no such thing"},
        )
    )
    assert found.level is Level.WARN
    for part in ("/robot_state_publisher", "this node's name", "/tf: cannot be looked at"):
        assert part in found.message


def test_of_many_mismatches_the_first_are_told() -> None:
    many = tuple(Mismatch(TOPIC, f"/n{k}", f"text {k}", inward=False) for k in range(20))
    found = connections_report(Connections(mismatches=many))
    assert found.message.endswith(f"and {20 - FIRST} more")
    assert len([key for key in found.values if key.startswith("mismatch ")]) == 20


def test_each_mismatch_is_a_warning_to_be_logged_once() -> None:
    said = list(Connections(mismatches=(BEST_EFFORT, LATCHED)).complaints())
    assert [each.text for each in said] == [BEST_EFFORT.text, LATCHED.text]
    assert all(each.once for each in said)
