"""~/external_wrench_estimate over DDS: pushes, contact, what is not known, what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from geometry_msgs.msg import WrenchStamped
from robodyn_interfaces.msg import ExternalWrenchEstimate, ModelCheck
from visualization_msgs.msg import MarkerArray

from dynamics_setup import DynamicsSetup
from publisher_setup import ARM, xyz
from ros_graph import Graph, joint_state, seconds
from simulator_rig import SimulatorRig

TOOL = "tool_center_point"
PUSH = np.array([0.3, -0.2, 0.1, 14.0, -15.0, 16.0])
"""[moment; force], world axes."""
REGULAR = np.array([0.3, 0.6, 0.2, -1.4, 0.4, 1.1, 0.5, 0.02])
"""A position far from singular ones."""
CLOSE = 1e-3
WITHIN = 0.1
"""Share of a push on a simulated arm that an estimate may miss."""


def wrench_of(message: Any) -> np.ndarray:
    """Return a Wrench as [moment; force]."""
    return np.array([*xyz(message.torque), *xyz(message.force)])


class Felt(DynamicsSetup):
    """A running robodyn_node that feels pushes at the tool."""

    def __init__(self, graph: Graph, **parameters: Any) -> None:
        super().__init__(
            graph,
            executable="robodyn_node",
            listen=False,
            frame_prefix="r1/",
            **{"wrench_estimate_frames": TOOL, "wrench_estimate_gain": 50.0, **parameters},
        )
        self.estimates = graph.listen(
            ExternalWrenchEstimate, f"{self.node}/external_wrench_estimate"
        )
        self.wrenches = graph.listen(WrenchStamped, f"{self.node}/external_wrench")
        graph.hear(f"{self.node}/external_wrench")
        self.q = REGULAR

    def effort(self, push: np.ndarray) -> np.ndarray:
        """Return what holds the arm at rest against its weight and a push."""
        J = self.robot.jacobian(self.q, TOOL)
        return self.robot.gravity_force(self.q) - J.T @ push

    def rest_until(self, condition: Any, what: str, effort: Any) -> ExternalWrenchEstimate:
        """Send states at rest until the newest estimate is such; return it."""
        position = dict(zip(self.joints, self.q.tolist(), strict=True))

        def done() -> bool:
            stamp = self.send(position, [0.0] * len(position), effort)
            self.graph.holds(
                lambda: self.estimates and seconds(self.estimates[-1].header.stamp) == stamp,
                within=0.05,
            )
            return bool(self.estimates and condition(self.estimates[-1]))

        self.graph.wait(done, what)
        return self.estimates[-1]  # type: ignore[no-any-return]


def settled(push: np.ndarray) -> Any:
    return lambda m: m.valid and np.abs(wrench_of(m.wrench.wrench) - push).max() < CLOSE


@pytest.fixture(scope="module")
def arm() -> Iterator[Felt]:
    with closing(Graph()) as graph:
        yield Felt(graph, contact_threshold=1.5, contact_thresholds="joint1=40")


def test_a_push_is_told_with_all_that_goes_with_it(arm: Felt) -> None:
    found = arm.rest_until(settled(PUSH), "the push", arm.effort(PUSH))
    assert found.frame == f"r1/{TOOL}"
    assert found.header.frame_id == found.wrench.header.frame_id == "r1/base_link"
    assert found.names == list(arm.robot.model.coordinate_names)
    external = arm.robot.jacobian(arm.q, TOOL).T @ PUSH
    assert np.array(found.effort) == pytest.approx(external, abs=CLOSE)
    assert all(found.known)
    assert found.unexplained < CLOSE
    assert found.unobservable == 0
    assert found.contact
    above = np.abs(external) > np.where(np.array(arm.joints) == "joint1", 40.0, 1.5)
    assert found.touched == above.tolist()
    arm.graph.wait(lambda: arm.wrenches, "the plain wrench")
    plain = arm.wrenches[-1]
    assert plain.header.frame_id == f"r1/{TOOL}"
    R_WF = arm.robot.body_motion(arm.q).rotation[arm.robot.model.frame(TOOL).body]
    there = wrench_of(plain.wrench)
    world = np.concatenate([R_WF @ there[:3], R_WF @ there[3:]])
    assert world == pytest.approx(PUSH, abs=0.1)
    free = arm.rest_until(lambda m: not m.contact, "its end", arm.effort(0.0 * PUSH))
    assert not any(free.touched)


def test_the_axes_of_the_frame_on_request(arm: Felt) -> None:
    ((done, _),) = arm.graph.set_parameters(arm.node, wrench_estimate_axes="frame")
    assert done
    R_WF = arm.robot.body_motion(arm.q).rotation[arm.robot.model.frame(TOOL).body]
    own = np.concatenate([R_WF.T @ PUSH[:3], R_WF.T @ PUSH[3:]])
    found = arm.rest_until(settled(own), "the push in its axes", arm.effort(PUSH))
    assert found.wrench.header.frame_id == f"r1/{TOOL}"
    arm.graph.set_parameters(arm.node, wrench_estimate_axes="world")


def test_efforts_that_are_none_make_it_invalid_and_are_named(arm: Felt) -> None:
    good = arm.effort(PUSH)
    for bad in (np.nan, np.inf, -1e300):
        arm.rest_until(settled(PUSH), "a good one", good)
        torn = good.copy()
        torn[1] = bad
        found = arm.rest_until(lambda m: not m.known[1], "the bad one", torn)
        assert not found.valid
        assert np.isfinite(wrench_of(found.wrench.wrench)).all()
        assert found.effort[1] == 0.0
    arm.rest_until(
        lambda _: "efforts not known: 'joint2'" in arm.status("external wrench").message,
        "the reason",
        torn,
    )
    found = arm.rest_until(settled(PUSH), "a good one", good)
    assert all(found.known)


def test_no_efforts_at_all_are_no_trouble_but_told(arm: Felt) -> None:
    arm._stamp += 5.0
    found = arm.rest_until(lambda m: not any(m.known), "a state without efforts", ())
    assert not found.valid
    assert not any(found.effort)


def test_a_driver_that_compensates_gravity(arm: Felt) -> None:
    arm.graph.set_parameters(arm.node, driver_compensates_gravity=True)
    weight = arm.effort(0.0 * PUSH)
    arm.rest_until(settled(PUSH), "the push", arm.effort(PUSH) - weight)
    arm.graph.set_parameters(arm.node, driver_compensates_gravity=False)
    arm.rest_until(settled(PUSH), "the push", arm.effort(PUSH))


def test_it_is_drawn_at_its_frame_in_another_colour_in_contact(arm: Felt) -> None:
    markers = arm.graph.listen(MarkerArray, f"{arm.node}/visualization")

    def colours() -> set[int]:
        if not markers:
            return set()
        return {m.id for m in markers[-1].markers if m.ns == "wrench/estimated" and m.action == 0}

    small = 0.1 * PUSH
    arm.rest_until(
        lambda m: m.valid and not m.contact and colours(), "a calm one", arm.effort(small)
    )
    assert 0 in colours()
    arm.rest_until(lambda m: m.contact and 2 in colours(), "contact", arm.effort(PUSH))
    assert 0 not in colours()


def test_parameters_are_held_against_the_robot(arm: Felt) -> None:
    ((done, why),) = arm.graph.set_parameters(arm.node, contact_thresholds="joint2=-1")
    assert not done
    assert why.startswith("contact_thresholds must be NAME=NUMBER")
    assert arm.graph.set_parameters(arm.node, contact_thresholds="knee=3")[0][0]
    assert arm.process.wait_for(
        "contact_thresholds: .*'knee'.*; the thresholds from before are kept"
    )
    arm.rest_until(lambda m: m.contact, "contact", arm.effort(PUSH))


def test_strange_joint_states_do_no_harm(arm: Felt) -> None:
    rng = np.random.default_rng(7)
    checks = arm.graph.listen(ModelCheck, f"{arm.node}/model_check")
    arm.rest_until(settled(PUSH), "the push", arm.effort(PUSH))
    odd = np.array([np.nan, np.inf, -np.inf, 1e308, -1e9, 0.0, 1e-320])
    for k in range(400):
        names = [*rng.permutation(arm.joints)[: rng.integers(0, 9)], *(["stranger"] * (k % 3))]
        columns = []
        for _ in range(3):
            values = rng.uniform(-3.0, 3.0, max(0, len(names) - (rng.uniform() < 0.2)))
            values[rng.uniform(size=len(values)) < 0.2] = rng.choice(odd)
            columns.append(values)
        position, velocity, effort = columns
        stamp = arm._stamp + rng.choice([0.0, 1e-9, 0.01, -0.5, 3.0, 1e6], p=[*[0.18] * 5, 0.1])
        arm.input.publish(joint_state(names, position, velocity, stamp=stamp, effort=effort))
        arm.graph.holds(lambda: False, within=0.003)
    for message in arm.estimates:
        assert np.isfinite([*message.effort, *wrench_of(message.wrench.wrench)]).all()
    arm._stamp += 2e6
    arm.rest_until(settled(PUSH), "the push", arm.effort(PUSH))
    count = len(checks)
    arm.rest_until(lambda _: len(checks) > count, "a check", arm.effort(PUSH))
    assert not arm.process.lines("Traceback|failed")


def test_another_description_is_followed_or_refused(graph: Graph) -> None:
    """A description without the frame is refused; the one before is served on."""
    arm = Felt(graph)
    arm.rest_until(settled(PUSH), "the push", arm.effort(PUSH))
    text = ARM.read_text()
    arm.graph.set_parameters(arm.node, robot_description=text.replace(TOOL, "other_point"))
    assert arm.process.wait_for(f"wrench_estimate_frames: .*'{TOOL}'")
    arm.rest_until(settled(0.5 * PUSH), "another push", arm.effort(0.5 * PUSH))
    longer = text.replace('name="demo_arm"', 'name="another_arm"')
    arm.graph.set_parameters(arm.node, robot_description=longer)
    assert arm.process.wait_for("robot 'another_arm'")
    arm.rest_until(settled(PUSH), "the push on it", arm.effort(PUSH))


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"wrench_estimate_frames": "tool9"}, "wrench_estimate_frames: .*'tool9'"),
        (
            {"wrench_estimate_frames": TOOL, "contact_thresholds": "knee=3"},
            "contact_thresholds: .*'knee'",
        ),
        ({"contact_thresholds": "much"}, "contact_thresholds must be NAME=NUMBER"),
        ({"model_check_frames": "tool9"}, "model_check_frames: .*'tool9'"),
    ],
)
def test_a_bad_start_is_one_line(graph: Graph, options: dict[str, Any], line: str) -> None:
    process = graph.start("dynamics_server", {"robot_description_file": ARM, **options})
    assert process.finish() == 1
    assert process.lines(line)
    assert "Traceback" not in process.output


def test_a_simulated_push_within_a_tenth(graph: Graph) -> None:
    """Our simulator is the hardware: servos hold the arm while it is pushed."""
    rig = SimulatorRig(graph, ARM, rate=200.0)
    names = list(rig.status.names)
    begin = dict(zip(names, REGULAR, strict=True))
    assert rig.set_state(names, begin.values()).success
    rig.command("position", names, begin.values())
    rig.start("robodyn_node", wrench_estimate_frames=TOOL, contact_threshold=3.0)
    topic = f"{rig.place}/robodyn_node/external_wrench"
    heard = graph.listen(WrenchStamped, topic)
    told = graph.listen(ExternalWrenchEstimate, f"{topic}_estimate")
    graph.hear(topic)
    rig.pause(False)
    graph.wait(lambda: told and told[-1].valid and not told[-1].contact, "calm")
    push = np.array([0.5, -0.3, 0.2, 12.0, -9.0, 20.0])
    assert rig.push(TOOL, push, 60.0).success

    def near() -> bool:
        return bool(heard) and float(
            np.linalg.norm(wrench_of(heard[-1].wrench) - push)
        ) < WITHIN * float(np.linalg.norm(push))

    graph.wait(near, "the push in the estimate")
    graph.wait(lambda: told[-1].contact, "contact")
