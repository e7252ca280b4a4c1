"""The page of a simulated robot, which is moved, pushed, loaded, stopped and put back on it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser

from beacon_rig import BeaconRig, wait_until_shown
from browser import ViewerPage
from ros_graph import Graph

G = 9.81
EFFORT = "effort [N m, N]"
MASS, ARM = 2.0, 0.3
"""Of the payload, kg, and where it is attached along the lower link, m."""


@pytest.fixture(scope="module")
def rig(graph: Graph) -> BeaconRig:
    return BeaconRig(graph, "simulator", rate=30.0, hold=True)


@pytest.fixture(scope="module")
def page(rig: BeaconRig, browser: Browser) -> Iterator[ViewerPage]:
    opened = rig.open(browser)
    yield opened
    opened.close()
    assert not opened.errors


def settle(rig: BeaconRig, page: ViewerPage, **positions: float) -> None:
    """Type positions into the fields of sliders and wait until servos hold the robot there."""
    page.tab("Move")
    for name, position in positions.items():
        page.move(
            f"{name} [rad]",
            position,
            lambda name=name, position=position: abs(rig.positions()[name] - position) < 1e-2,
        )

    def is_there() -> bool:
        now = rig.positions()
        return rig.is_still() and all(abs(now[k] - x) < 1e-3 for k, x in positions.items())

    page.wait(is_there, f"the robot at {positions}")


def last(page: ViewerPage, title: str, curve: str) -> float:
    """Return the newest number of a curve on a plot, NaN where there is none."""
    values = page.plot(title).get(curve, [None])
    return float("nan") if values[-1] is None else values[-1]


def test_it_is_held_where_it_begins_and_nothing_moves(rig: BeaconRig, page: ViewerPage) -> None:
    page.wait(rig.is_still, "rest")
    wait_until_shown(page, {"shoulder": 0.0, "elbow": 0.0})
    before = page.scene()
    rig.graph.spin(1.0)
    np.testing.assert_array_equal(page.scene(), before)


def test_a_slider_moves_it_where_the_projection_says(rig: BeaconRig, page: ViewerPage) -> None:
    settle(rig, page, shoulder=0.6, elbow=0.4)
    wait_until_shown(page, rig.positions())
    assert "simulat" in page.text()


def test_a_payload_changes_the_torque_on_the_plot(rig: BeaconRig, page: ViewerPage) -> None:
    """The moment of its weight about the shoulder, by hand: two links in a plane."""
    settle(rig, page, shoulder=0.6, elbow=0.4)
    page.choose("coordinate", "shoulder")
    page.wait(lambda: np.isfinite(last(page, EFFORT, "total")), "efforts on the plot")
    without = last(page, EFFORT, "total")
    assert last(page, EFFORT, "payload") == 0.0
    page.tab("Loads")
    page.choose("link", "lower")
    page.enter("mass [kg]", MASS)
    page.enter("centre [m]", 0.0, 0.0, ARM)
    page.button("Attach").click()
    # Servos hold it, a little lower than before.
    page.wait(lambda: last(page, EFFORT, "payload") != 0.0, "the payload on the plot")
    page.wait(rig.is_still, "rest")
    where = rig.positions()
    reach = 0.4 * np.sin(where["shoulder"]) + ARM * np.sin(where["shoulder"] + where["elbow"])
    expected = -MASS * G * reach

    def is_right() -> bool:
        shown = last(page, EFFORT, "payload"), last(page, EFFORT, "measured")
        total = without + expected
        return abs(shown[0] - expected) < 0.02 and abs(shown[1] - total) < 0.1

    page.wait(is_right, f"a moment of {expected} N m on the plot")
    page.button("Remove").click()
    page.wait(lambda: last(page, EFFORT, "payload") == 0.0, "the plot without the payload")


def test_a_push_moves_it_and_it_comes_back(rig: BeaconRig, page: ViewerPage) -> None:
    settle(rig, page, shoulder=0.3, elbow=0.0)
    before = rig.positions()
    page.tab("Loads")
    page.choose("link", "lower", which=1)
    page.enter("force [N]", 60.0, 0.0, 0.0)
    page.enter("for [s]", 0.5)
    rig.joint_states.clear()
    page.button("Push").click()

    def pushed() -> bool:
        rig.graph.spin(0.05)
        far = [dict(zip(m.name, m.position, strict=True))["shoulder"] for m in rig.joint_states]
        return max(far, default=0.0) > before["shoulder"] + 0.01

    page.wait(pushed, "the robot to give way")
    page.wait(
        lambda: rig.is_still() and abs(rig.positions()["shoulder"] - 0.3) < 1e-3, "its return"
    )


def test_time_stands_still_steps_and_goes_on(rig: BeaconRig, page: ViewerPage) -> None:
    page.tab("Move")
    page.button("Pause").click()
    page.button("Run").wait_for()
    rig.graph.spin(0.5)
    stood = rig.time()
    rig.graph.spin(1.0)
    assert rig.time() == stood
    page.enter("steps", 100)
    page.button("Step").click()
    page.wait(lambda: rig.time() > stood, "steps")
    assert rig.time() <= stood + 0.1 + 1e-9
    page.button("Run").click()
    page.wait(lambda: rig.time() > stood + 1.0, "time to go on")


def test_released_it_falls_and_reset_puts_it_back(rig: BeaconRig, page: ViewerPage) -> None:
    settle(rig, page, shoulder=0.6, elbow=0.4)
    page.button("Release").click()
    page.wait(lambda: rig.positions()["shoulder"] > 1.5, "the fall")
    page.button("Reset").click()
    page.wait(lambda: rig.is_still() and max(map(abs, rig.positions().values())) < 1e-6, "reset")
    wait_until_shown(page, {"shoulder": 0.0, "elbow": 0.0})


def test_without_gravity_a_released_robot_stays(rig: BeaconRig, page: ViewerPage) -> None:
    settle(rig, page, shoulder=0.6, elbow=0.4)
    page.tab("Loads")
    page.control("gravity").click()
    page.wait(lambda: last(page, EFFORT, "gravity") == 0.0, "no gravity on the plot")
    page.tab("Move")
    page.button("Release").click()
    began = rig.time()
    page.wait(lambda: rig.time() > began + 2.0, "two seconds")
    assert abs(rig.positions()["shoulder"] - 0.6) < 0.02
