"""~/model_check over DDS: what is found of efforts, what is not known, what a simulator shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from robodyn_interfaces.msg import ModelCheck, Payload
from robodyn_interfaces.srv import SetPayload

from dynamics_setup import DynamicsSetup
from publisher_setup import ARM
from ros_graph import Graph, seconds
from simulator_rig import SimulatorRig

TOOL = "tool_center_point"
PERIOD = 0.01
NOTICED = 1.0
"""Simulated seconds after which a payload is noticed, and the report on it is due."""
MIDDLE = np.array([0.3, 0.6, 0.2, -1.4, 0.4, 1.1, 0.5, 0.02])
SWING = np.array([0.5, 0.4, 0.5, 0.5, 0.6, 0.6, 0.6, 0.01])
RATE = np.array([1.0, 1.3, 1.7, 2.1, 1.9, 2.5, 2.7, 1.5])
Efforts = Callable[[np.ndarray, np.ndarray, np.ndarray], Any]


class Checked(DynamicsSetup):
    """A running dynamics_server whose check is heard."""

    def __init__(self, graph: Graph, **parameters: Any) -> None:
        super().__init__(graph, listen=False, **parameters)
        self.checks = graph.listen(ModelCheck, f"{self.node}/model_check")
        graph.hear(f"{self.node}/model_check")
        self._time = 0.0

    def exact(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return the efforts that the model needs."""
        return self.robot.inverse_dynamics(q, v, a, friction=True)

    def swing_until(
        self, condition: Callable[[ModelCheck], Any], what: str, efforts: Efforts
    ) -> ModelCheck:
        """Send states of a swinging arm until a check says something; return it."""

        def done() -> bool:
            for _ in range(5):
                self._time += PERIOD
                phase = RATE * self._time
                q, v = MIDDLE + SWING * np.sin(phase), SWING * RATE * np.cos(phase)
                effort = efforts(q, v, -SWING * RATE**2 * np.sin(phase))
                position = dict(zip(self.joints, q.tolist(), strict=True))
                self.send(position, v.tolist(), effort, after=PERIOD)
            self.graph.holds(lambda: False, within=0.02)
            return bool(self.checks and condition(self.checks[-1]))

        self.graph.wait(done, what)
        return self.checks[-1]  # type: ignore[no-any-return]

    def clean(self) -> ModelCheck:
        """Swing with exact efforts until nothing is found any more."""
        return self.swing_until(agrees, "an agreement", self.exact)


def agrees(message: ModelCheck) -> bool:
    return not message.findings and bool(np.isfinite(message.residual_rms).all())


def says(*texts: str) -> Callable[[ModelCheck], bool]:
    return lambda m: any(all(text in finding for text in texts) for finding in m.findings)


@pytest.fixture(scope="module")
def arm() -> Iterator[Checked]:
    with closing(Graph()) as graph:
        yield Checked(graph)


def test_efforts_of_the_model_agree_with_it(arm: Checked) -> None:
    found = arm.clean()
    assert found.names == list(arm.robot.model.coordinate_names)
    assert found.header.frame_id == "base_link"
    assert np.max(found.residual_rms) < 0.3
    assert np.max(found.measured_rms) > 1.0
    assert list(found.severity) == []
    arm.graph.wait(
        lambda: arm.status("model check").message == "measured efforts are those of the model",
        "the status",
    )


def test_gravity_twice_is_told_and_set_right(arm: Checked) -> None:
    def held(q: np.ndarray, v: np.ndarray, a: np.ndarray) -> Any:
        return arm.exact(q, v, a) - arm.robot.gravity_force(q)

    text = "driver seems to compensate gravity already"
    found = arm.swing_until(says(text), "that finding", held)
    assert found.severity[0] == ModelCheck.ERROR
    assert arm.process.wait_for(f"model check: {text}")
    arm.graph.wait(lambda: text in arm.status("model check").message, "the status")
    arm.graph.set_parameters(arm.node, driver_compensates_gravity=True)
    arm.swing_until(agrees, "an agreement", held)
    arm.graph.set_parameters(arm.node, driver_compensates_gravity=False)
    arm.clean()


def test_a_missing_tool_can_be_set_as_it_was_found(arm: Checked) -> None:
    truth = arm.robot
    truth.set_payload(TOOL, 1.2, (0.02, 0.0, 0.05))

    def weighed(message: ModelCheck) -> bool:
        """The first report may come when only part of a swing was seen."""
        return len(message.payloads) == 1 and abs(message.payloads[0].mass - 1.2) < 0.06

    found = arm.swing_until(weighed, "the tool", arm.exact)
    assert says("is missing in the model", TOOL)(found)
    (load,) = found.payloads
    request = SetPayload.Request(payload=load)
    assert arm.graph.call(SetPayload, f"{arm.node}/set_payload", request).success
    arm.swing_until(agrees, "an agreement", arm.exact)
    truth.clear_payload()
    arm.swing_until(says("too much"), "that it is gone", arm.exact)
    request.remove = True
    assert arm.graph.call(SetPayload, f"{arm.node}/set_payload", request).success
    arm.clean()


def test_amperes_are_found_before_their_gain_is_known(arm: Checked) -> None:
    arm.graph.set_parameters(arm.node, **{"joints.joint2.effort_unit": "A"})

    def amperes(q: np.ndarray, v: np.ndarray, a: np.ndarray) -> Any:
        effort = arm.exact(q, v, a)
        effort[1] /= 23.0
        return effort

    text = "effort of joint 'joint2' looks like amps: factor 2"
    found = arm.swing_until(says(text), "the factor", amperes)
    assert np.isnan(found.residual_rms[1])
    given = {"joints.joint2.effort_gain": 23.0}
    assert arm.graph.set_parameters(arm.node, **given)[0][0]
    arm.swing_until(agrees, "an agreement", amperes)
    back = {"joints.joint2.effort_gain": 0.0, "joints.joint2.effort_unit": "Nm"}
    arm.graph.set_parameters(arm.node, **back)
    arm.clean()


def test_accelerations_that_follow_from_efforts_are_no_test_of_them(arm: Checked) -> None:
    arm.graph.set_parameters(arm.node, acceleration_source="forward_dynamics")
    text = "accelerations follow from the very efforts"
    found = arm.swing_until(says(text, "set acceleration_source to filtered"), "why", arm.exact)
    assert np.isnan(found.residual_rms).all()
    arm.graph.set_parameters(arm.node, acceleration_source="filtered")
    arm.clean()


def test_torn_efforts_are_left_out(arm: Checked) -> None:
    rng = np.random.default_rng(1)

    def torn(q: np.ndarray, v: np.ndarray, a: np.ndarray) -> Any:
        effort = arm.exact(q, v, a)
        effort[rng.integers(8)] = rng.choice([np.nan, np.inf, -1e300])
        return effort

    before = len(arm.checks)
    found = arm.swing_until(lambda _: len(arm.checks) > before + 3, "more checks", torn)
    assert not found.findings
    assert np.isfinite(found.residual_rms).all()
    arm.clean()


def test_without_efforts_there_is_nothing_to_compare(graph: Graph) -> None:
    """`model_check` alone runs the check, without anybody who listens."""
    setup = DynamicsSetup(graph, listen=False, model_check=True)
    position = dict.fromkeys(setup.joints, 0.1)

    def told() -> bool:
        setup.send(position, [0.0] * len(position))
        graph.holds(lambda: False, within=0.05)
        return setup.status("model check").message.startswith("nothing to compare")

    graph.wait(told, "the status")


def test_a_simulated_payload_is_noticed_within_a_second(graph: Graph) -> None:
    rig = SimulatorRig(graph, ARM, rate=200.0)
    names = list(rig.status.names)
    begin = dict(zip(names, MIDDLE, strict=True))
    assert rig.set_state(names, begin.values()).success
    rig.command("position", names, begin.values())
    rig.start("robodyn_node")
    checks = graph.listen(ModelCheck, f"{rig.place}/robodyn_node/model_check")
    graph.hear(f"{rig.place}/robodyn_node/model_check")
    rig.pause(False)
    graph.wait(lambda: checks and agrees(checks[-1]) and checks[-1].seconds[0] > 2.0, "agreement")
    load = Payload(name="tool", frame_id=TOOL, mass=1.5)
    assert rig.call(SetPayload, "set_payload", payload=load).success
    taken = seconds(rig.show().header.stamp)
    graph.wait(lambda: says("a tool of about")(checks[-1]), "the payload")
    assert checks[-1].payloads[0].mass == pytest.approx(1.5, rel=0.1)
    # Whatever a report that was due in between said, one of the next did.
    due = [x for x in checks if seconds(x.header.stamp) > taken + NOTICED]
    assert all(says("a tool of about")(x) for x in due[:1])
