"""A described robot on a page: what its sliders do, and what is told of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from page_client import PageClient
from robodyn_ros import Robot
from robodyn_ros.viewer.file_view import FileView, bar, escaped
from robodyn_ros.viewer.page import Page
from robots import example
from viewed import EXAMPLES, nodes, read


@pytest.fixture
def client(page: Page) -> Iterator[PageClient]:
    """A page that is open."""
    with PageClient(page.address) as made:
        made.wait(lambda: page.clients == 1, "to be counted")
        yield made


def viewed(page: Page, path: str) -> FileView:
    description, visuals = read(example(path) if path.endswith(".urdf") else EXAMPLES / path)
    robot = Robot(description.model, compile="off")
    return FileView(page, robot, visuals, robot.initial_state[0])


def moved(view: FileView, client: PageClient, label: str, value: float) -> None:
    """Move a slider, and the robot with it."""
    before = view.q
    client.set(label, value)
    for _ in range(100):
        view.wait(0.2)
        if view.note or not np.array_equal(view.q, before):
            return
    raise AssertionError(f"{label} moved nothing")


def test_a_slider_moves_its_links(page: Page, client: PageClient) -> None:
    view = viewed(page, "panda.urdf")
    moved(view, client, "panda_joint4 [rad]", -1.5)
    place = view.robot.model.coordinate_names.index("panda_joint4")
    assert view.q[place] == pytest.approx(-1.5)
    motion = view.robot.body_motion(view.q)
    for body, name in enumerate(view.robot.model.body_names):
        node = nodes(page)[view.scene.body_path(name)]
        np.testing.assert_allclose(node.position, motion.position[body], atol=1e-5)


def test_what_holds_it_against_gravity_is_told(page: Page, client: PageClient) -> None:
    view = viewed(page, "panda.urdf")
    for joint, q in (("panda_joint2", 1.0), ("panda_joint4", -1.0)):
        moved(view, client, f"{joint} [rad]", q)
        effort = view.robot.gravity_force(view.q)[1]
        limit = view.robot.model.joint("panda_joint2").limits.effort
        row = next(x for x in view.lines() if x.startswith("| panda\\_joint2 "))
        assert f"| {effort:.3f} N m |" in row
        assert f"{100 * abs(effort) / limit:.0f} %" in row
        energy = view.robot.energy(view.q).potential
        assert f"potential energy {float(energy):.5g} J" in list(view.lines())[-1]


@pytest.mark.parametrize("name", ["four_bar.yaml", "slider_crank.yaml"])
def test_a_closed_mechanism_stays_closed_on_its_branch(
    page: Page, client: PageClient, name: str
) -> None:
    view = viewed(page, name)
    driver = view.sliders.names[0]
    place = view.robot.model.coordinate_names.index(driver)
    label = f"{driver} [rad]"
    begin = view.q[place]
    for turn in (0.5, 1.5, 2.5, 3.5):
        # As a slider shows it, from -pi to pi; the robot turns on the shorter way.
        angle = (begin + turn + np.pi) % (2.0 * np.pi) - np.pi
        moved(view, client, label, float(angle))
        assert view.note == ""
        assert np.max(np.abs(view.robot.constraint_residual(view.q))) < 1e-9
        assert np.cos(view.q[place]) == pytest.approx(np.cos(angle), abs=1e-6)
    expected = view.robot.follow(view.robot.initial_state[0], [{driver: view.q[place]}])[-1].q
    np.testing.assert_allclose(np.cos(view.q), np.cos(expected), atol=1e-7)


def test_where_it_cannot_be_closed_it_stays_and_says_why(page: Page) -> None:
    view = viewed(page, "stewart_platform.yaml")
    before = view.q
    view.sliders._moved(view.sliders.names[0], 50.0)
    view.wait(20.0)
    assert "cannot" in view.note
    np.testing.assert_array_equal(view.q, before)
    view._ask_back()
    view.wait(20.0)
    assert view.note == ""


def test_back_to_the_beginning(page: Page, client: PageClient) -> None:
    view = viewed(page, "double_pendulum.yaml")
    begin = view.q
    moved(view, client, f"{view.sliders.names[0]} [rad]", 1.0)
    assert not np.allclose(view.q, begin)
    client.click("Back to the beginning")
    for _ in range(100):
        view.wait(0.2)
        if np.array_equal(view.q, begin):
            break
    np.testing.assert_array_equal(view.q, begin)
    view.sliders.show(view.q)


def test_kinds_are_switched_by_checkboxes(page: Page, client: PageClient) -> None:
    view = viewed(page, "double_pendulum.yaml")
    assert not view.scene.is_visible("frames")
    client.set("frames of links", True)
    client.wait(lambda: view.scene.is_visible("frames"), "frames")


def test_efforts_as_bars() -> None:
    assert bar(5.0, 10.0) == "█████░░░░░ 50 %"
    assert bar(-25.0, 10.0) == "██████████ 250 %"
    assert bar(0.0, 10.0) == "░░░░░░░░░░ 0 %"
    assert bar(1.0, None) == bar(1.0, 0.0) == bar(np.nan, 1.0) == ""


def test_foreign_names_are_no_markdown() -> None:
    assert escaped("a_b|c<script>") == "a\\_b\\|c\\<script\\>"
