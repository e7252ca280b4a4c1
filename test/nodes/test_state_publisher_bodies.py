"""state_publisher in a process of its own: ~/body_states and /diagnostics."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from robodyn_interfaces.msg import BodyStateArray

from publisher_setup import ARM, Setup
from robodyn_ros.spatial import quaternion_to_matrix
from robots import OWN_ROBOTS
from ros_graph import Graph, Inbox, seconds

TOLERANCE = 1e-12


_NUMBERS = itertools.count()


class Bodies(Setup):
    """A running state publisher whose body states are heard too."""

    def __init__(self, graph: Graph, path: Path = ARM, **parameters: object) -> None:
        place = f"/bodies_{next(_NUMBERS)}"
        self.place = place
        self.bodies: Inbox = graph.listen(BodyStateArray, f"{place}/state_publisher/body_states")
        self.diagnostics: Inbox = graph.listen(DiagnosticArray, f"{place}/diagnostics")
        super().__init__(graph, path, place=place, **parameters)
        graph.hear(f"{place}/state_publisher/body_states")

    def body_states(self, names, position, velocity=(), *, at: float) -> BodyStateArray:
        """Publish a joint state and return the body states that come for it."""
        stamp = self.time(at)
        self.send(names, position, velocity, stamp=stamp)
        self.graph.wait(lambda: self._states_at(stamp), f"body states at {stamp}")
        return self._states_at(stamp)[-1]

    def _states_at(self, stamp: float) -> list[BodyStateArray]:
        return [m for m in self.bodies if seconds(m.header.stamp) == stamp]

    def values(self, status: str) -> dict[str, str]:
        """Return the newest values of one diagnostic status."""
        for message in reversed(self.diagnostics):
            for found in message.status:
                if found.name.endswith(status):
                    return {value.key: value.value for value in found.values}
        return {}


@pytest.fixture(scope="module")
def running() -> Iterator[Bodies]:
    """One state publisher for all tests that need no other."""
    graph = Graph()
    yield Bodies(graph)
    graph.close()


@pytest.fixture
def arm(running: Bodies) -> Bodies:
    """The running state publisher, in a time of the test's own."""
    return running.fresh()


def xyz(vector) -> list[float]:
    return [vector.x, vector.y, vector.z]


def test_states_are_those_of_the_kinematics_in_every_field(graph: Graph) -> None:
    setup = Bodies(graph, acceleration_source="none", frame_prefix="r1/")
    robot, model = setup.robot, setup.robot.model
    rng = np.random.default_rng(7)
    q, v = robot.random_configuration(rng), rng.uniform(-1.0, 1.0, model.nv)
    order = list(reversed(model.own_joints))
    message = setup.body_states(
        [j.name for j in order],
        [q[j.q_index] for j in order],
        [v[j.v_index] for j in order],
        at=1.0,
    )
    assert message.header.frame_id == "r1/" + model.body_names[0]
    assert [body.name for body in message.bodies] == list(model.body_names)
    motion, com = robot.body_motion(q, v), robot.center_of_mass_motion(q, v)
    for i, body in enumerate(message.bodies):
        turn = body.pose.orientation
        received = {
            "position": (xyz(body.pose.position), motion.position[i]),
            "rotation": (
                quaternion_to_matrix(np.array([turn.x, turn.y, turn.z, turn.w])),
                motion.rotation[i],
            ),
            "linear velocity": (xyz(body.twist.linear), motion.linear_velocity[i]),
            "angular velocity": (xyz(body.twist.angular), motion.angular_velocity[i]),
            "linear": (xyz(body.acceleration.linear), motion.linear_acceleration[i]),
            "angular": (xyz(body.acceleration.angular), motion.angular_acceleration[i]),
            "com": (xyz(body.center_of_mass), com.position[i]),
            "com velocity": (xyz(body.center_of_mass_velocity), com.velocity[i]),
            "com acceleration": (xyz(body.center_of_mass_acceleration), com.acceleration[i]),
        }
        for name, (actual, expected) in received.items():
            assert actual == pytest.approx(expected, abs=TOLERANCE), f"{body.name}: {name}"
        assert body.valid
        assert body.age == 0.0


def test_velocity_and_acceleration_are_not_exchanged(arm: Bodies) -> None:
    """Velocity 1 at acceleration 7: the last link of the arm turns about one axis."""
    joint = arm.joints[0]
    for k in range(60):
        speed = 1.0 + 0.01 * k * 7.0
        message = arm.body_states([joint], [0.0], [speed], at=0.01 * k)
    body = message.bodies[arm.robot.model.body_names.index(_child(arm, joint))]
    assert np.linalg.norm(xyz(body.twist.angular)) == pytest.approx(speed)
    assert np.linalg.norm(xyz(body.acceleration.angular)) == pytest.approx(7.0, rel=1e-6)


def _child(setup: Setup, joint: str) -> str:
    model = setup.robot.model
    return next(model.body_names[b] for b, j in model.moving if j.name == joint)


def test_bodies_are_valid_once_all_joints_before_them_were_received(arm: Bodies) -> None:
    first, rest = arm.joints[0], arm.joints[1:]
    model = arm.robot.model
    # A step back by more than a second: what came before is forgotten.
    arm.body_states(arm.joints, [0.1] * len(arm.joints), at=0.0)
    arm.body_states([first], [0.1], [0.0], at=-500.0)
    message = arm.body_states([first], [0.1], [0.0], at=-499.9)
    tip = message.bodies[-1]
    assert message.bodies[0].valid
    assert message.bodies[model.body_names.index(_child(arm, first))].valid
    assert (tip.valid, tip.age) == (False, -1.0)
    message = arm.body_states(rest, [0.1] * len(rest), [0.0] * len(rest), at=-499.7)
    assert all(body.valid for body in message.bodies)
    assert message.bodies[-1].age == pytest.approx(0.2)
    assert message.bodies[0].age == 0.0


def test_a_joint_that_fell_silent_makes_what_hangs_on_it_invalid(arm: Bodies) -> None:
    rest = arm.joints[1:]
    arm.body_states(arm.joints, [0.1] * len(arm.joints), [0.0] * len(arm.joints), at=0.0)
    fresh = arm.body_states(rest, [0.1] * len(rest), [0.0] * len(rest), at=0.9)
    assert all(body.valid for body in fresh.bodies)
    stale = arm.body_states(rest, [0.1] * len(rest), [0.0] * len(rest), at=1.1)
    flags = {body.name: (body.valid, body.age) for body in stale.bodies}
    assert flags[arm.robot.model.body_names[0]] == (True, 0.0)
    assert flags[_child(arm, arm.joints[0])] == (False, pytest.approx(1.1))
    assert flags[arm.robot.model.body_names[-1]] == (False, pytest.approx(1.1))


def test_one_value_that_is_not_finite_is_marked_and_nothing_else_is_spoilt(arm: Bodies) -> None:
    count = len(arm.joints)
    for k in range(2):
        arm.body_states(arm.joints, [0.1] * count, [0.0] * count, at=0.1 * k)
    values = [0.2] * count
    values[2] = float("nan")
    message = arm.body_states(arm.joints, values, [0.0] * count, at=0.3)
    behind = arm.robot.model.subtree(arm.robot.model.body_index(_child(arm, arm.joints[2])))
    for i, body in enumerate(message.bodies):
        assert body.valid == (i not in behind)
        assert np.isfinite([*xyz(body.pose.position), *xyz(body.acceleration.linear)]).all()


def test_velocity_alone_turns_the_body_and_leaves_it_invalid(graph: Graph) -> None:
    setup = Bodies(graph, OWN_ROBOTS / "every_joint.urdf")
    stamp = setup.time(1.0)
    setup.send(["roll"], [], [2.0], stamp=stamp)
    graph.wait(lambda: setup._states_at(stamp), "body states")
    bodies = {body.name: body for body in setup._states_at(stamp)[-1].bodies}
    assert np.linalg.norm(xyz(bodies["wheel"].twist.angular)) == pytest.approx(2.0)
    assert not bodies["wheel"].valid
    assert not bodies["float"].valid, "nothing moves a floating joint yet"


def test_diagnostics_tell_rates_counts_and_what_was_wrong(arm: Bodies) -> None:
    for k in range(30):
        arm.body_states([*arm.joints, "wheel"], [0.1] * (len(arm.joints) + 1), at=0.01 * k)
    arm.body_states(arm.joints, [float("nan")] * len(arm.joints), at=1.0)

    def counted() -> bool:
        values = arm.values("joint states")
        return "not finite" in values and int(values.get("unknown names", 0)) >= 30

    arm.graph.wait(counted, "the counts of NaN and of unknown names")
    values = arm.values("joint states")
    assert values["input topic"] == f"{arm.place}/joint_states"
    assert int(values["body_states"]) >= 30
    assert values["input rate"].endswith(" Hz")
    assert float(values["input age"].removesuffix(" s")) >= 0.0
    description = arm.values("robot description")
    assert description["bodies"] == str(arm.robot.model.nb)
    assert description["kernel body_motion"] in ("plain", "compiling", "compiled")


def test_diagnostics_name_the_topics_that_are_waited_for(graph: Graph) -> None:
    diagnostics = graph.listen(DiagnosticArray, "/diagnostics")
    graph.start("state_publisher", {"use_sim_time": True}, "-r", "__ns:=/cell")

    def statuses() -> dict[str, tuple[bytes, str]]:
        return {
            status.name.partition(": ")[2]: (status.level, status.message)
            for message in diagnostics
            for status in message.status
        }

    graph.wait(lambda: len(statuses()) == 3, "three statuses")
    found = statuses()
    assert found["robot description"][0] == DiagnosticStatus.ERROR
    assert "/cell/robot_description" in found["robot description"][1]
    assert found["joint states"][0] == DiagnosticStatus.WARN
    assert "/cell/joint_states" in found["joint states"][1]
    assert "/clock" in found["clock"][1]
