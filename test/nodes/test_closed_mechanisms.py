"""Closed mechanisms over real topics: motors in, all links out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from publisher_setup import Setup, newest_status
from robodyn_ros.spatial import quaternion_to_matrix
from ros_graph import Graph

EXAMPLES = Path(__file__).parents[2] / "examples"
LINKS = {"crank", "coupler", "rocker"}


class ClosedSetup(Setup):
    """A state publisher of the four-bar; what is sent first is where the description has it."""

    measured: ClassVar[dict[str, float]] = {"motor": 2.0}

    def fresh(self) -> Setup:
        """Begin with the measured joint where it is."""
        self.joints = [*self.measured]
        return super().fresh()

    def send(self, names, position=(), velocity=(), **options) -> None:
        """Send where the joint is in place of 0, which is far from it."""
        known = zip(names, position, strict=True) if len(position) else ()
        given = [self.measured[name] if x == 0.0 else x for name, x in known]
        super().send(names, given, velocity, **options)


class PivotSetup(ClosedSetup):
    """The same, whose only encoder is at the rocker's pivot."""

    measured: ClassVar[dict[str, float]] = {"pivot": 1.7534}


@pytest.fixture(scope="module")
def graph() -> Iterator[Graph]:
    with closing(Graph()) as made:
        yield made


@pytest.fixture(scope="module")
def setup(graph: Graph) -> ClosedSetup:
    return ClosedSetup(graph, EXAMPLES / "four_bar.yaml", bodies=True, outlier_rejection=False)


@pytest.fixture(scope="module")
def by_pivot(graph: Graph) -> PivotSetup:
    return PivotSetup(graph, EXAMPLES / "four_bar.yaml", bodies=True, outlier_rejection=False)


def test_the_motor_alone_moves_all_links(setup: ClosedSetup) -> None:
    setup.fresh()
    for k in range(20):
        angle = 2.0 + 0.02 * k
        stamp = setup.time(0.02 * k)
        message = setup.show(["motor"], [angle], stamp=stamp)
        assert {t.child_frame_id for t in message.transforms} == LINKS
    robot = setup.robot
    q = robot.assemble(robot.initial_state[0], motor=angle).q
    expected = robot.body_motion(q)
    setup.graph.wait(lambda: setup.states_at(stamp), "body states")
    states = {body.name: body for body in setup.states_at(stamp)[-1].bodies}
    assert set(states) == {"base", *LINKS}
    for name, body in states.items():
        at, number = body.pose.position, robot.model.body_index(name)
        assert body.valid
        assert [at.x, at.y, at.z] == pytest.approx(expected.position[number], abs=1e-9)
        turn = body.pose.orientation
        R = quaternion_to_matrix(np.array([turn.x, turn.y, turn.z, turn.w]))
        assert pytest.approx(expected.rotation[number], abs=1e-9) == R


def test_an_impossible_measurement_is_explained_and_left_behind(by_pivot: PivotSetup) -> None:
    by_pivot.fresh()
    message = by_pivot.show(["pivot"], [1.76], [0.1], stamp=by_pivot.time(1.0))
    assert {t.child_frame_id for t in message.transforms} == LINKS
    message = by_pivot.show(["pivot"], [0.1], [0.1], stamp=by_pivot.time(1.02))
    assert {t.child_frame_id for t in message.transforms} == {"rocker"}
    by_pivot.graph.wait(
        lambda: "it cannot close at 'pivot' = 0.1" in by_pivot.process.output, "the reason"
    )
    states = by_pivot.body_states(["pivot"], [1.77], [0.1], at=1.04)
    assert all(body.valid for body in states.bodies)


def test_diagnostics_tell_of_the_mechanism(setup: ClosedSetup) -> None:
    setup.fresh()
    setup.show(["motor", "pivot"], [2.0, 1.9], [0.0, 0.0], stamp=setup.time(1.0))

    def told() -> bool:
        return "'pivot' by" in newest_status(setup.diagnostics, "mechanism").message

    setup.graph.wait(told, "a difference of measured and computed values")
    status = newest_status(setup.diagnostics, "mechanism")
    values = {value.key: value.value for value in status.values}
    assert values["independent coordinates"] == "motor"
    assert "rocker_pin" in values["largest residual"]
    assert "follows from the others as" in values["measured 'pivot'"]
