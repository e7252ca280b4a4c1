"""~/joint_dynamics over DDS: terms, measured efforts, validity, for both nodes that publish it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from robodyn_interfaces.msg import BodyStateArray, Payload
from robodyn_interfaces.srv import InverseDynamics, SetPayload

from dynamics_setup import TERMS, DynamicsSetup, column
from robodyn_ros import load
from robots import OWN_ROBOTS
from ros_graph import Graph, seconds

EXACT = 1e-9
WRIST = """mechanism: 1
name: wrist
bodies:
  base:
  arm: {mass: 1}
  tray: {mass: 1}
  hand: {mass: 1, inertia: [0.1, 0, 0, 0.2, 0, 0.3]}
joints:
  elbow: {type: revolute, parent: base, child: arm, axis: [0, 1, 0]}
  slide: {type: translational, parent: arm, child: tray, inner: [[1, 0, 0], [0, 1, 0]]}
  wrist: {type: gimbal, sequence: "123", parent: tray, child: hand}
"""
TOLERANCE = 1e-10  # norm-wise


def close(x: np.ndarray, y: np.ndarray) -> bool:
    return bool(np.abs(x - y).max(initial=0.0) <= TOLERANCE * max(1.0, np.abs(y).max(initial=0.0)))


@pytest.fixture(scope="module")
def running() -> Iterator[DynamicsSetup]:
    """One robodyn_node of the demo arm for the tests that need no other."""
    with closing(Graph()) as graph:
        yield DynamicsSetup(graph, executable="robodyn_node")


def moving(setup: DynamicsSetup, seed: int):
    """Send a motion with velocities and return its last state and the efforts that came for it."""
    rng = np.random.default_rng(seed)
    n, dt = len(setup.joints), 0.01
    q, v, a = rng.uniform(-0.5, 0.5, (3, n))
    for k in range(3):
        t = k * dt
        position = dict(zip(setup.joints, (q + v * t + 0.5 * a * t * t).tolist(), strict=True))
        velocity = (v + a * t).tolist()
        sent = position, velocity
        if k < 2:
            setup.send(*sent, after=dt if k else 1.0)
    return setup.answer(*sent, after=dt)


@pytest.mark.parametrize("seed", range(5))
def test_terms_are_those_of_the_library_and_add_up(running: DynamicsSetup, seed: int) -> None:
    message = moving(running, seed)
    assert message.names == list(running.robot.model.coordinate_names)
    q, v, a = (column(message, x) for x in ("position", "velocity", "acceleration"))
    assert np.abs(a).max() > 0.1
    assert all(message.valid)
    expected = running.robot.effort_terms(q, v, a)
    for name in TERMS:
        assert close(column(message, name), getattr(expected, name)), name
    assert close(column(message, "effort"), expected.total)
    assert close(sum(column(message, name) for name in TERMS), column(message, "effort"))
    energy = running.robot.energy(q, v)
    found = np.array([message.kinetic_energy, message.potential_energy])
    assert close(found, np.array([energy.kinetic, energy.potential]).reshape(2))
    assert message.header.frame_id == running.robot.model.body_names[0]


def test_efforts_that_no_message_gave_are_not_a_number(running: DynamicsSetup) -> None:
    message = running.hold(np.zeros(len(running.joints)))
    assert np.isnan(column(message, "measured")).all()
    assert np.isnan(column(message, "residual")).all()
    assert all(message.valid)


def test_a_residual_is_what_was_measured_less_what_was_computed(running: DynamicsSetup) -> None:
    q = 0.2 * np.ones(len(running.joints))
    sent = np.linspace(-3.0, 4.0, len(q))
    message = running.hold(q, sent.tolist())
    assert column(message, "measured") == pytest.approx(sent, abs=EXACT)
    expected = sent - column(message, "effort")
    assert column(message, "residual") == pytest.approx(expected, abs=EXACT)
    sent[1] = np.nan
    message = running.hold(q, sent.tolist())
    assert np.isnan(column(message, "residual")).tolist() == [k == 1 for k in range(len(q))]
    name = running.joints[1]
    running.graph.wait(
        lambda: "not finite" in running.values("measured efforts").get(f"joint '{name}'", ""),
        "the reason",
    )


def test_a_payload_set_by_service_loads_the_joints_and_leaves_no_trace(
    running: DynamicsSetup,
) -> None:
    graph, q = running.graph, 0.3 * np.ones(len(running.joints))
    before = running.hold(q)
    frame = running.robot.model.body_names[-1]
    payload = Payload(name="box", frame_id=frame, mass=2.0)
    payload.com.x = 0.1
    service = f"{running.node}/set_payload"
    assert graph.call(SetPayload, service, SetPayload.Request(payload=payload)).success
    environment = running.environment_where(lambda x: x.payloads)
    assert [(x.name, x.mass, x.com.x) for x in environment.payloads] == [("box", 2.0, 0.1)]
    loaded = running.hold(q)
    running.robot.set_payload(frame, 2.0, (0.1, 0.0, 0.0), name="box")
    expected = running.robot.effort_terms(q)
    running.robot.clear_payload()
    assert close(column(loaded, "payload"), expected.payload)
    assert close(column(loaded, "effort"), expected.total)
    assert np.abs(column(loaded, "payload")).max() > 1.0
    reply = graph.call(
        InverseDynamics,
        f"{running.node}/inverse_dynamics",
        InverseDynamics.Request(names=running.joints, position=q.tolist()),
    )
    assert reply.success
    assert close(np.array(reply.payload), expected.payload)
    request = SetPayload.Request(payload=payload, remove=True)
    assert graph.call(SetPayload, service, request).success
    running.environment_where(lambda x: not x.payloads)
    after = running.hold(q)
    for name in (*TERMS, "effort"):
        assert getattr(after, name) == getattr(before, name), name


def test_a_joint_that_is_not_known_makes_what_rests_on_it_invalid(running: DynamicsSetup) -> None:
    joints = running.joints
    running.hold(np.zeros(len(joints)))
    message = running.answer({joints[1]: float("nan")})
    assert not any(message.valid), "all joints of an arm carry or are carried"
    assert np.isfinite(column(message, "effort")).all()
    assert all(running.hold(np.zeros(len(joints))).valid)


def test_a_driver_that_compensates_gravity_is_compared_without_it(running: DynamicsSetup) -> None:
    q = 0.4 * np.ones(len(running.joints))
    sent = [0.0] * len(q)
    running.graph.set_parameters(running.node, driver_compensates_gravity=True)
    running.environment_where(lambda x: x.driver_compensates_gravity)
    message = running.hold(q, sent)
    assert column(message, "residual") == pytest.approx(0.0, abs=EXACT)
    assert np.abs(column(message, "effort")).max() > 1.0, "the terms stay complete"
    running.graph.set_parameters(running.node, driver_compensates_gravity=False)
    running.environment_where(lambda x: not x.driver_compensates_gravity)


def test_both_streams_of_one_node_are_of_one_state(running: DynamicsSetup) -> None:
    bodies = running.graph.listen(BodyStateArray, f"{running.node}/body_states")
    running.graph.hear(f"{running.node}/body_states")

    def both() -> bool:
        stamp = running.send(dict.fromkeys(running.joints, 0.1))
        return running.graph.holds(
            lambda: running.at(stamp) and any(seconds(m.header.stamp) == stamp for m in bodies),
            within=0.1,
        )

    running.graph.wait(both, "states and efforts of one stamp")


def test_parameters_of_joints_count_and_misspelt_ones_are_told(graph: Graph) -> None:
    names = ["-p", "joints.nobody.armature:=1.0"]
    setup = DynamicsSetup(graph, OWN_ROBOTS / "skew_axes.urdf", *names, listen=False)
    joint = setup.joints[0]
    (line,) = setup.process.lines("joints.nobody.armature")
    assert "WARN" in line
    assert graph.set_parameters(setup.node, **{f"joints.{joint}.armature": -1.0})[0][0] is False
    assert graph.set_parameters(setup.node, **{f"joints.{joint}.armature": 0.7}) == [(True, "")]
    n = len(setup.joints)
    request = InverseDynamics.Request(position=[0.0] * n, acceleration=[1.0] * n)
    reply = graph.call(InverseDynamics, f"{setup.node}/inverse_dynamics", request)
    assert reply.success
    assert reply.armature[0] == pytest.approx(0.7)


def test_amperes_need_a_gain_and_unknown_units_are_refused(graph: Graph) -> None:
    path = OWN_ROBOTS / "skew_axes.urdf"
    joints = load(path, compile="off").model.joint_names
    units = {
        f"joints.{joints[0]}.effort_unit": "A",
        f"joints.{joints[1]}.effort_unit": "A",
        f"joints.{joints[1]}.effort_gain": -2.5,
        f"joints.{joints[2]}.effort_unit": "unknown",
    }
    setup = DynamicsSetup(graph, path, **units)
    message = setup.hold(np.zeros(len(joints)), [2.0] * len(joints))
    measured = column(message, "measured")
    assert np.isnan(measured).tolist() == [k in (0, 2) for k in range(len(joints))]
    assert measured[1] == -5.0
    assert np.isnan(column(message, "residual")[[0, 2]]).all()
    graph.wait(lambda: "joints without" in setup.values("measured efforts"), "the report")
    values = setup.values("measured efforts")
    assert "effort_gain" in values[f"joint '{joints[0]}'"]
    assert "effort_unit" in values[f"joint '{joints[2]}'"]
    assert graph.set_parameters(setup.node, **{f"joints.{joints[0]}.effort_gain": 3.0})[0][0]
    message = setup.hold(np.zeros(len(joints)), [2.0] * len(joints))
    assert column(message, "measured")[0] == 6.0


def test_efforts_of_single_coordinates_have_units_of_their_own(
    graph: Graph, tmp_path: Path
) -> None:
    path = tmp_path / "wrist.yaml"
    path.write_text(WRIST)
    units = {
        "joints.slide/x.effort_unit": "unknown",
        "joints.wrist.effort_unit": "A",
        "joints.wrist.effort_gain": 0.5,
        "joints.wrist/ry.effort_gain": -2.0,
        "joints.wrist/rz.effort_unit": "Nm",
    }
    setup = DynamicsSetup(graph, path, **units)
    names = list(setup.robot.model.coordinate_names)
    position = dict.fromkeys(names, 0.1)
    message = setup.answer(position, [0.0] * 6, [2.0] * 6)
    assert list(message.names) == names
    expected = {"elbow": 2.0, "slide/x": np.nan, "slide/y": 2.0}
    expected |= {"wrist/rx": 1.0, "wrist/ry": -4.0, "wrist/rz": 2.0}
    found = dict(zip(names, message.measured, strict=True))
    assert found == pytest.approx(expected, nan_ok=True)
    graph.wait(lambda: "joints without" in setup.values("measured efforts"), "the report")
    why = setup.values("measured efforts")["joint 'slide/x'"]
    assert why == "unit unknown: set joints.slide/x.effort_unit"
    for field, value in (("effort_unit", "A"), ("effort_gain", 3.0)):
        assert graph.set_parameters(setup.node, **{f"joints.slide/x.{field}": value})[0][0]
    message = setup.answer(position, [0.0] * 6, [2.0] * 6)
    assert message.measured[names.index("slide/x")] == 6.0
    ((done, said),) = graph.set_parameters(setup.node, **{"joints.wrist/rx.effort_unit": "kg"})
    assert not done
    assert "joints.wrist/rx.effort_unit must be one of default, Nm, N, A, unknown" in said
