"""wrench_topics over DDS: what efforts balance, whose wrenches count, and for how long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from geometry_msgs.msg import WrenchStamped

from dynamics_setup import TERMS, DynamicsSetup, column
from publisher_setup import ARM
from ros_graph import Graph, time_message

EXACT = 1e-9
PUSH = np.array([0.3, -0.2, 0.1, 4.0, -5.0, 6.0])
FLOOD = 60
TOPICS = "push, wrist_sensor/wrench"


def wrench_stamped(frame: str, wrench: Any, stamp: float) -> WrenchStamped:
    """Return [moment; force] as a message."""
    message = WrenchStamped()
    message.header.frame_id = frame
    message.header.stamp = time_message(stamp)
    moment, force = message.wrench.torque, message.wrench.force
    (moment.x, moment.y, moment.z, force.x, force.y, force.z) = map(float, wrench)
    return message


class Pushed(DynamicsSetup):
    """A running node that is told of wrenches on two topics."""

    def __init__(self, graph: Graph, executable: str = "robodyn_node", **parameters: Any) -> None:
        super().__init__(
            graph, executable=executable, wrench_topics=TOPICS, frame_prefix="r1/", **parameters
        )
        place = self.place
        self.push, self.sensor = (
            graph.publisher(WrenchStamped, f"{place}/{name.strip()}") for name in TOPICS.split(",")
        )
        for publisher in (self.push, self.sensor):
            graph.connect(publisher)
        self.link, self.amid = self.robot.model.body_names[-1], self.robot.model.body_names[3]
        self.q = np.linspace(-0.4, 0.5, len(self.joints))

    def pushed(
        self, told: Mapping[Any, tuple[str, Any]], effort: Any = (), *, since: float = 0.0
    ) -> Any:
        """Return the efforts of a state at rest once all these wrenches count for it.

        Args:
            told: Frame and wrench by publisher.
            effort: What is measured.
            since: How much older than the state the wrenches are, s.
        """
        expected = self.expected(told.values())

        def counts() -> bool:
            self._stamp = round(self._stamp + 1.0, 6)
            for publisher, (frame, wrench) in told.items():
                publisher.publish(wrench_stamped(frame, wrench, self._stamp + 0.02 - since))
            self.graph.spin(0.02)
            found = self.rested(effort)
            if found is None:
                return False
            self.last = found
            return bool(np.abs(column(found, "external") - expected).max() < EXACT)

        self.graph.wait(counts, "the external term")
        return self.last

    def rested(self, effort: Any = ()) -> Any:
        """Let the joints rest for three messages, the last 0.02 s after the first.

        Return the last efforts; None where they were left out, while there is no kernel.
        """
        position = dict(zip(self.joints, self.q.tolist(), strict=True))
        still = [0.0] * len(position)
        self.send(position, still, effort, after=0.0)
        self.send(position, still, effort)
        stamp = self.send(position, still, effort)
        return self.at(stamp)[-1] if self.graph.holds(lambda: self.at(stamp), within=0.5) else None

    def expected(self, told: Any) -> np.ndarray:
        """Return what balances wrenches by published frame."""
        total = np.zeros(self.robot.model.nv)
        for frame, wrench in told:
            terms = self.robot.effort_terms(
                self.q,
                external_wrenches={frame.removeprefix("r1/"): np.asarray(wrench)},
                wrench_axes="local",
            )
            total += terms.external
        return total


@pytest.fixture(scope="module")
def running() -> Iterator[Pushed]:
    """One robodyn_node for the tests that need no other."""
    with closing(Graph()) as graph:
        yield Pushed(graph)


def test_the_external_term_balances_a_push_and_the_terms_add_up(running: Pushed) -> None:
    message = running.pushed({running.push: (f"r1/{running.link}", PUSH)})
    external = column(message, "external")
    assert np.abs(external).max() > 1.0
    whole = running.robot.inverse_dynamics(
        running.q,
        np.zeros_like(running.q),
        np.zeros_like(running.q),
        external_wrenches={running.link: PUSH},
        wrench_axes="local",
    )
    assert column(message, "effort") == pytest.approx(whole, abs=EXACT)
    total = sum(column(message, name) for name in TERMS)
    assert total == pytest.approx(column(message, "effort"), abs=EXACT)
    assert all(message.valid)


def test_a_push_that_is_measured_leaves_no_residual(running: Pushed) -> None:
    told = {running.push: (running.link, PUSH)}
    effort = column(running.pushed(told), "effort")
    message = running.pushed(told, effort.tolist())
    assert column(message, "measured") == pytest.approx(effort, abs=EXACT)
    assert column(message, "residual") == pytest.approx(0.0, abs=EXACT)
    alone = running.pushed({running.push: (running.link, 0.0 * PUSH)}, effort.tolist())
    assert np.abs(column(alone, "residual")).max() > 1.0, "a wrench of zero ends a push at once"


def test_wrenches_of_two_topics_and_two_frames_add_up(running: Pushed) -> None:
    running.pushed(
        {running.push: (running.link, PUSH), running.sensor: (f"r1/{running.amid}", -2.0 * PUSH)}
    )
    both = running.pushed(
        {running.push: (running.link, PUSH), running.sensor: (running.link, PUSH)}
    )
    twice = running.expected([(running.link, 2.0 * PUSH)])
    assert column(both, "external") == pytest.approx(twice, abs=EXACT)


def test_a_wrench_is_forgotten_after_its_time(running: Pushed) -> None:
    assert running.graph.set_parameters(running.node, wrench_timeout=0.5) == [(True, "")]
    running.pushed({running.push: (running.link, PUSH)}, since=0.45)
    running._stamp += 1.0
    assert not column(running.rested(), "external").any()
    running.graph.wait(
        lambda: (
            "does not act"
            in running.values("wrenches")[f"{running.place}/push at '{running.link}'"]
        ),
        "the report",
    )
    assert running.graph.set_parameters(running.node, wrench_timeout=0.2) == [(True, "")]


def test_what_sensors_report_may_be_what_the_robot_exerts(running: Pushed) -> None:
    assert running.graph.set_parameters(running.node, wrench_sense="by_robot") == [(True, "")]
    frame = running.link
    expected = running.expected([(frame, PUSH)])

    def turned() -> bool:
        running._stamp = round(running._stamp + 1.0, 6)
        running.push.publish(wrench_stamped(frame, -PUSH, running._stamp + 0.02))
        running.graph.spin(0.02)
        found = running.rested()
        return bool(found and np.abs(column(found, "external") - expected).max() < EXACT)

    running.graph.wait(turned, "the other sense")
    assert running.graph.set_parameters(running.node, wrench_sense="on_robot") == [(True, "")]


def test_what_cannot_be_used_is_told_and_left_out(running: Pushed) -> None:
    graph = running.graph
    for k in range(3):
        running.push.publish(wrench_stamped("nowhere", PUSH, 2000.0 + k))
        running.push.publish(wrench_stamped(running.link, [np.nan, *PUSH[1:]], 2000.0 + k))
    graph.wait(lambda: running.process.lines("nowhere"), "the unknown frame")
    graph.wait(lambda: running.process.lines("not finite"), "the wrench without numbers")
    graph.spin(0.2)
    (line,) = running.process.lines("at 'nowhere' are left out")
    assert "WARN" in line
    assert len(running.process.lines("not finite, or beyond")) == 1
    running.pushed({running.push: (running.link, PUSH)})
    graph.wait(lambda: running.status("wrenches").message.endswith("act"), "its status")
    age = running.values("wrenches")[f"{running.place}/push at '{running.link}'"]
    assert "force 8.775 N, torque 0.3742 N m" in age


def test_a_flood_of_odd_wrenches_breaks_nothing(running: Pushed) -> None:
    rng = np.random.default_rng(7)
    odd = [np.nan, np.inf, -np.inf, 1e300, 1e9, -1e9, 1e-300, 0.0, 1.0]
    frames = [running.link, f"r1/{running.link}", "", "r1/", "r1/r1/x", "\u00e9" * 300, "a b\n"]
    for _ in range(FLOOD):
        wrench = rng.choice(odd, 6)
        stamp = float(rng.choice([0.0, 1.0, running._stamp, 2.0**31 - 1.0]))
        running.push.publish(wrench_stamped(str(rng.choice(frames)), wrench, stamp))
        running._stamp = round(running._stamp + 0.01, 6)
        message = running.answer(dict(zip(running.joints, running.q.tolist(), strict=True)))
        for name in (*TERMS, "effort"):
            assert np.isfinite(column(message, name)).all(), name
    running.pushed({running.push: (running.link, PUSH)})
    assert running.process.process.poll() is None


def test_a_dynamics_server_takes_them_too(graph: Graph) -> None:
    setup = Pushed(graph, "dynamics_server")
    setup.pushed({setup.sensor: (setup.link, PUSH)})


def test_a_bad_name_of_a_topic_ends_the_start_with_one_line(graph: Graph) -> None:
    options = {"robot_description_file": ARM, "wrench_topics": "ok, not a name"}
    process = graph.start("robodyn_node", options)
    assert process.finish() == 1
    (line,) = process.lines("wrench_topics: 'not a name' is no name of a topic")
    assert "FATAL" in line or "ERROR" in line
