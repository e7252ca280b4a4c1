"""The controls of a page with a real server and a page that is spoken for by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from page_client import PageClient
from panel_bench import EVERYTHING, RANGES, Bench
from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.panel import Line
from robodyn_ros.viewer.panel_actions import Abilities, WantedPayload, WantedPush
from robodyn_ros.viewer.panel_inputs import HOLD
from robodyn_ros.viewer.panel_joints import Range, nearest_turn
from robodyn_ros.viewer.panel_plots import TERMS, EffortSample, MotionSample


@pytest.fixture
def bench() -> Iterator[Bench]:
    """One robot's panel with every control at work."""
    with Page(port=0) as page:
        made = Bench(page)
        made.panel.allow(EVERYTHING)
        made.panel.joints.arrange(RANGES)
        made.panel.offer(("lift", "elbow", "wrist"), ("base", "hand"), ("base", "hand"), "hand")
        yield made


@pytest.fixture
def client(bench: Bench) -> Iterator[PageClient]:
    """A page that is open."""
    with PageClient(bench.page.address) as opened:
        opened.get("lift [m]")
        yield opened


def test_a_slider_asks_for_its_position(bench: Bench, client: PageClient) -> None:
    client.set("elbow [rad]", 1.5)
    client.wait(lambda: bench.asked, "the action")
    assert bench.asked == [("move", "elbow", 1.5)]


def test_a_slider_follows_and_asks_for_nothing_then(bench: Bench, client: PageClient) -> None:
    bench.panel.follow({"lift": 0.25, "elbow": -1.0, "unknown": 3.0})
    client.wait(lambda: client.get("elbow [rad]").value == -1.0, "the slider")
    assert client.get("lift [m]").value == 0.25
    assert bench.asked == []


def test_a_slider_stays_with_whoever_moves_it(bench: Bench, client: PageClient) -> None:
    client.set("elbow [rad]", 1.5)
    client.wait(lambda: bench.asked, "the action")
    slider = bench.panel.joints.sliders["elbow"]
    bench.now += 0.9 * HOLD
    bench.panel.follow({"elbow": -1.0})
    assert slider.value == 1.5
    bench.now += 0.2 * HOLD
    bench.panel.follow({"elbow": -1.0})
    assert slider.value == -1.0


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_moves_no_slider(bench: Bench, value: float) -> None:
    bench.panel.follow({"elbow": 0.5})
    bench.panel.follow({"elbow": value})
    assert bench.panel.joints.sliders["elbow"].value == 0.5


@pytest.mark.parametrize(("sent", "taken"), [(1e9, 2.0), (-1e300, -2.0), (0.3, 0.3)])
def test_a_page_cannot_ask_for_more_than_the_range(
    bench: Bench, client: PageClient, sent: float, taken: float
) -> None:
    client.set("elbow [rad]", sent)
    client.wait(lambda: bench.asked, "the action")
    assert bench.asked == [("move", "elbow", taken)]


def test_a_page_cannot_ask_for_what_is_no_number(bench: Bench, client: PageClient) -> None:
    client.set("elbow [rad]", math.nan)
    client.set("lift [m]", 0.125)
    client.wait(lambda: bench.asked, "the action")
    assert bench.asked == [("move", "lift", 0.125)]


def test_a_grey_control_does_nothing_whatever_a_page_sends(
    bench: Bench, client: PageClient
) -> None:
    bench.panel.allow(Abilities(reset=True))
    client.wait(lambda: client.get("Push").props["disabled"], "controls to be grey")
    client.set("elbow [rad]", 1.0)
    for label in ("Step", "Push", "Attach", "Remove", "Release", "Pause"):
        client.press(label)
    client.set("speed", 3.0)
    client.set("gravity", False)
    client.set("m/s^2", [1, 2, 3])
    client.click("Reset")
    client.wait(lambda: bench.asked, "the action")
    assert bench.asked == [("reset",)]


def test_a_joint_without_limits_goes_the_shorter_way(bench: Bench, client: PageClient) -> None:
    bench.panel.follow({"wrist": 2.0 * math.tau + 3.0})
    client.wait(lambda: abs(client.get("wrist [rad]").value - 3.0) < 0.01, "the slider")
    client.set("wrist [rad]", -3.0)
    client.wait(lambda: bench.asked, "the action")
    ((_, name, angle),) = bench.asked
    assert name == "wrist"
    assert angle == pytest.approx(3.0 * math.tau - 3.0)


@pytest.mark.parametrize(
    ("angle", "reference", "nearest"),
    [(0.0, 0.1, 0.0), (3.0, -3.0, 3.0 - math.tau), (-1.0, 100.0, -1.0 + 16 * math.tau)],
)
def test_the_nearest_turn(angle: float, reference: float, nearest: float) -> None:
    assert nearest_turn(angle, reference) == pytest.approx(nearest)
    assert abs(nearest_turn(angle, reference) - reference) <= math.pi


def test_buttons_ask_for_what_they_say(bench: Bench, client: PageClient) -> None:
    bench.panel.time.show(paused=True, speed=1.0)
    client.set("steps", 25)
    for label in ("Run", "Step", "Release", "Reset"):
        count = len(bench.asked)
        client.click(label)
        client.wait(lambda count=count: len(bench.asked) > count, label)
    client.set("speed", 2.5)
    client.wait(lambda: len(bench.asked) == 5, "the speed")
    assert bench.asked == [
        ("pause", False),
        ("step", 25),
        ("release",),
        ("reset",),
        ("set_speed", 2.5),
    ]


def test_steps_are_for_a_simulation_that_stands_still(bench: Bench) -> None:
    time = bench.panel.time
    assert time.step.disabled
    time.show(paused=True, speed=math.nan)
    assert (time.step.disabled, time.pause.label) == (False, "Run")
    time.show(paused=False, speed=4.0)
    assert (time.step.disabled, time.pause.label, time.speed.value) == (True, "Pause", 4.0)


def test_payloads_and_pushes(bench: Bench, client: PageClient) -> None:
    client.set("mass [kg]", 2.0)
    client.set("centre [m]", [0.1, 0, 0.2])
    client.click("Attach")
    client.wait(lambda: len(bench.asked) == 1, "the payload")
    client.set("also in the simulation", False)
    client.set("link", "base", "Payload")
    client.click("Remove")
    client.wait(lambda: len(bench.asked) == 2, "its end")
    client.set("force [N]", [0, 30, 0])
    client.click("Push")
    client.wait(lambda: len(bench.asked) == 3, "the push")
    assert bench.asked == [
        ("attach", WantedPayload("hand", 2.0, (0.1, 0.0, 0.2)), True),
        ("remove", "base", False),
        ("push", WantedPush("hand", (0.0, 30.0, 0.0), (0.0, 0.0, 0.0), 0.2)),
    ]


def test_gravity_is_switched_and_chosen(bench: Bench, client: PageClient) -> None:
    for label, value in (("gravity", False), ("gravity", True), ("m/s^2", [0, 0, -1.62])):
        count = len(bench.asked)
        client.set(label, value)
        client.wait(lambda count=count: len(bench.asked) > count, label)
    assert bench.asked == [
        ("set_gravity", (0.0, 0.0, 0.0)),
        ("set_gravity", (0.0, 0.0, -9.81)),
        ("set_gravity", (0.0, 0.0, -1.62)),
    ]
    loads = bench.panel.loads
    loads.show_gravity((0.0, 0.0, 0.0))
    assert loads.has_gravity.value  # somebody has just changed it
    bench.now += 2.0 * HOLD
    loads.show_gravity((0.0, 0.0, 0.0))
    assert not loads.has_gravity.value
    assert loads.gravity.value == (0.0, 0.0, -1.62)
    loads.show_gravity((0.0, math.nan, 0.0))
    loads.show_gravity((0.0, 0.0, -3.7))
    assert (loads.has_gravity.value, loads.gravity.value) == (True, (0.0, 0.0, -3.7))


def test_two_pages_show_the_same(bench: Bench, client: PageClient) -> None:
    with PageClient(bench.page.address) as other:
        other.get("elbow [rad]")
        client.set("elbow [rad]", 1.25)
        other.wait(lambda: other.get("elbow [rad]").value == 1.25, "the other page")
    with PageClient(bench.page.address) as later:
        assert later.get("elbow [rad]").value == 1.25
    assert bench.asked == [("move", "elbow", 1.25)]


def test_names_of_any_kind_are_shown_as_they_are(bench: Bench, client: PageClient) -> None:
    hostile = "<img src=x onerror=alert(1)>&{'"
    bench.panel.tell([Line(hostile, hostile, "bad")])
    client.wait(lambda: client.text.count(hostile) == 2, "the name")
    assert "<img" not in bench.panel.status.content
    bench.panel.joints.arrange([Range(hostile, -1.0, 1.0, "rad")])
    client.set(f"{hostile} [rad]", 0.5)
    client.wait(lambda: bench.asked, "the action")
    assert bench.asked == [("move", hostile, 0.5)]


@pytest.mark.parametrize("range_", [(0.0, 0.0), (1.0, -1.0), (-1e3, 1e3), (0.0, 1e-9)])
def test_ranges_of_any_kind_have_a_slider(bench: Bench, range_: tuple[float, float]) -> None:
    bench.panel.joints.arrange([Range("odd", *range_, "m")])
    bench.panel.follow({"odd": 0.4})
    slider = bench.panel.joints.sliders["odd"]
    assert slider.min <= slider.value <= slider.max


def test_sliders_are_rearranged_for_another_robot(bench: Bench, client: PageClient) -> None:
    bench.panel.joints.arrange(RANGES[:1])
    client.wait(lambda: client.find("elbow [rad]") is None, "the slider to go")
    assert list(bench.panel.joints.sliders) == ["lift"]
    bench.panel.follow({"elbow": 1.0, "lift": 0.1})
    bench.panel.offer((), (), (), "")
    assert bench.panel.plots.coordinate.value == "-"


def efforts(time: float, scale: float = 1.0) -> EffortSample:
    """Return efforts of two coordinates, all terms different."""
    terms = scale * np.arange(1.0, 1.0 + 2 * len(TERMS)).reshape(2, -1)
    ones = scale * np.ones(2)
    return EffortSample(time, ("lift", "elbow"), ones, ones, ones, terms, -ones, scale, 2.0 * scale)


def test_plots_have_the_terms_of_the_coordinate_that_is_chosen(
    bench: Bench, client: PageClient
) -> None:
    plots = bench.panel.plots
    bench.panel.add_efforts(efforts(-1.0, np.nan))
    bench.panel.add_efforts(efforts(-0.5))
    assert plots.coordinate.value == "elbow"  # until somebody chooses, the largest
    client.set("coordinate", "lift")
    client.wait(lambda: plots.coordinate.value == "lift", "the choice")
    for k in range(5):
        bench.panel.add_efforts(efforts(0.1 * k))
    bench.now += 1.0
    plots.draw()
    client.wait(lambda: len(client.get("effort [N m, N]").props["data"][0]) == 5, "the plot")
    data = client.get("effort [N m, N]").props["data"]
    assert [float(column[-1]) for column in data] == [0.0, *np.arange(1.0, 10.0)]
    np.testing.assert_allclose(data[0], [-0.4, -0.3, -0.2, -0.1, 0.0], atol=1e-12)
    energy = client.get("energy [J]").props["data"]
    assert [float(column[-1]) for column in energy] == [0.0, 1.0, 2.0, 3.0]


def test_a_hidden_plot_is_not_sent_until_it_is_shown(bench: Bench, client: PageClient) -> None:
    effort, residual = "effort [N m, N]", "residual effort [N m, N]"
    bench.panel.add_efforts(efforts(1.0))
    bench.panel.plots.draw()
    client.wait(lambda: float(client.get(effort).props["data"][1][-1]) == 10.0, "a plot")
    assert float(client.get(residual).props["data"][1][-1]) == 0.0
    client.set("residual", True, "Shown plots")
    client.wait(lambda: client.get(residual).props["visible"], "the plot")
    bench.now += 1.0
    bench.panel.plots.draw()
    client.wait(lambda: float(client.get(residual).props["data"][1][-1]) == -1.0, "its curve")


def test_tables_have_the_numbers_of_now(bench: Bench, client: PageClient) -> None:
    bench.panel.add_efforts(efforts(1.0))
    motion = np.arange(12.0).reshape(2, 6)
    sample = MotionSample(1.0, ("base", "<hand>"), motion[:, :3], motion, -motion)
    bench.panel.add_motion(sample)
    client.wait(lambda: "<hand>" in client.text, "the table of bodies")
    assert "lift  1.000  1.000  1.000  8.000  9.000  -1.000" in client.text
    bench.panel.add_efforts(efforts(2.0, 5.0))  # too soon to be shown
    assert "lift</td><td>1.000" in bench.panel.tables.coordinates.content
    bench.now += 1.0
    bench.panel.add_efforts(efforts(3.0, 5.0))
    assert "lift</td><td>5.000" in bench.panel.tables.coordinates.content


def test_every_robot_has_controls_of_its_own() -> None:
    with Page(port=0) as page:
        bench = Bench(page, ("left", "right"))
        for panel in bench.panels.values():
            panel.allow(EVERYTHING)
            panel.joints.arrange(RANGES)
        with PageClient(page.address) as client:
            client.get("elbow [rad]", "left")
            client.set("elbow [rad]", 1.0, "right")
            client.wait(lambda: bench.actions["right"].asked, "the action")
            assert bench.actions["left"].asked == []
            client.get("effort [N m, N]", "left plots")
            client.get("effort [N m, N]", "right plots")
