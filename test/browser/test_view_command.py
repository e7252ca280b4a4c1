"""`robodyn view FILE`: its page, whose sliders move the robot, without any ROS process."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from beacon_rig import BEACON_ARM, CAMERA, wait_until_shown
from browser import ViewerPage
from node_process import NodeProcess
from ros_graph import Graph

COMMAND = [sys.executable, "-u", "-m", "robodyn_ros.cli.main", "view"]
FOUR_BAR = Path(__file__).parents[2] / "examples" / "four_bar.yaml"


def viewed(graph: Graph, file: Path, browser: Browser) -> tuple[NodeProcess, ViewerPage]:
    process = graph.run([*COMMAND, str(file), "--port", "0"])
    found = re.search(r"http://127\.0\.0\.1:\d+", process.wait_for("http://"))
    assert found is not None
    return process, ViewerPage(browser, found.group(), CAMERA)


@pytest.fixture(scope="module")
def page(graph: Graph, browser: Browser) -> Iterator[ViewerPage]:
    process, opened = viewed(graph, BEACON_ARM, browser)
    yield opened
    opened.close()
    assert not opened.errors
    assert process.stop() == 0
    assert "Traceback" not in process.output


def numbers(page: ViewerPage, name: str) -> list[float]:
    """Return the numbers in the row of a coordinate in the page's table."""
    row = page.page.locator("tr", has=page.page.get_by_role("cell", name=name, exact=True))
    return [float(x) for x in re.findall(r"-?\d+\.\d{3}", row.inner_text())]


def move(page: ViewerPage, name: str, value: float) -> None:
    """Move a coordinate and wait until the table has it."""
    page.move(f"{name} [rad]", value, lambda: numbers(page, name)[:1] == [value])


def test_a_slider_moves_its_link_where_the_projection_says(page: ViewerPage) -> None:
    wait_until_shown(page, {})
    move(page, "shoulder", 0.7)
    move(page, "elbow", -1.1)
    wait_until_shown(page, {"shoulder": 0.7, "elbow": -1.1})
    page.slider("shoulder [rad]").press("Home")
    wait_until_shown(page, {"shoulder": -2.0, "elbow": -1.1})
    page.button("Back to the beginning").click()
    wait_until_shown(page, {})


def test_it_tells_the_torque_that_holds_the_weight(page: ViewerPage) -> None:
    move(page, "shoulder", 0.7)
    # By hand: 1.5 kg at 0.2 m, and 1 kg at 0.4 + 0.15 m, all along one line.
    moment = -9.81 * (1.5 * 0.2 + 1.0 * 0.55) * math.sin(0.7)
    page.wait(lambda: numbers(page, "shoulder")[1:2] == [round(moment, 3)], "the moment")
    page.button("Back to the beginning").click()


def test_a_closed_mechanism_stays_closed(graph: Graph, browser: Browser) -> None:
    """The values are those of the library's test of assembly: motor 0.5 rad."""
    process, page = viewed(graph, FOUR_BAR, browser)
    move(page, "motor", 1.0)
    move(page, "motor", 0.5)
    others = [numbers(page, name)[0] for name in ("crank_pin", "pivot", "rocker_pin")]
    assert others == pytest.approx([0.421, 1.414, 0.493], abs=1e-3)
    page.close()
    assert not page.errors
    assert process.stop() == 0
