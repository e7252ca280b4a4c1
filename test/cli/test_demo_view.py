"""What the demo shows, from observations."""

from __future__ import annotations

import io
import math

import pytest
from rich.console import Console

from robodyn_ros.cli.demo_view import BodyRow, Observations, SimulatedClock, Stream, tip
from robodyn_ros.joints import JointLimits, Revolute
from robodyn_ros.model import ModelBuilder
from robots import OWN_ROBOTS, example, loaded, random_tree


def test_rates_and_latencies_are_those_of_the_last_two_seconds() -> None:
    stream = Stream()
    for k in range(1000):
        stream.arrived(0.01 * k, 0.001 if k % 100 else 0.05)
    assert stream.total == 1000
    assert stream.rate(9.99) == pytest.approx(100.0, abs=1.0)
    middle, high = stream.latencies(9.99)
    assert middle == pytest.approx(1.0)
    assert 1.0 <= high <= 50.0


def test_nothing_has_no_latency() -> None:
    assert math.isnan(Stream().latencies(5.0)[0])
    seen = Observations("arm")
    assert seen.summary(5.0) == "no message yet; the nodes are starting"
    seen.streams["joint states"].arrived(1.0, 0.001)
    assert seen.summary(5.0) == "joint states 0/s, transforms 0/s, body states 0/s"


def test_simulated_time_takes_the_place_of_latencies() -> None:
    seen = Observations("arm", simulated=True)
    for stream in seen.streams.values():
        stream.arrived(1.0, math.nan)
    assert seen.summary(1.0) == "joint states 0/s, transforms 0/s, body states 0/s"
    seen.clock = SimulatedClock(12.34, 0.998, paused=False)
    assert seen.summary(1.0).endswith("body states 0/s, simulated 12.3 s at 1.00 of real time")
    seen.clock = SimulatedClock(12.34, 0.0, paused=True)
    assert seen.summary(1.0).endswith(", simulated 12.3 s, paused")


def test_the_page_is_in_the_title_once_it_answers() -> None:
    seen = Observations("arm", bodies=[body(1)])
    assert "http" not in rendered(seen, 40)
    seen.page = "http://127.0.0.1:8080"
    assert "open http://127.0.0.1:8080" in rendered(seen, 40)


def body(number: int, valid: bool = True) -> BodyRow:
    return BodyRow(f"link{number}", (0.1, -0.2, 0.3), 0.4, 0.5, 0.6, valid)


def rendered(seen: Observations, height: int) -> str:
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(seen.table(1.0, 1.0, height))
    return console.export_text()


@pytest.mark.parametrize(("count", "height"), [(3, 40), (60, 24), (60, 5)])
def test_the_table_fits_the_terminal_and_says_what_is_left_out(count: int, height: int) -> None:
    seen = Observations("arm", bodies=[body(k) for k in range(count)])
    text = rendered(seen, height)
    shown = sum(f"link{k} " in text for k in range(count))
    assert len(text.splitlines()) <= max(height, 12)
    assert (f"and {count - shown} more" in text) == (shown < count)
    assert shown >= 3


def test_names_and_units_in_brackets_are_shown_as_they_are() -> None:
    seen = Observations("arm[1]", bodies=[BodyRow("a[b]", (0, 0, 0), 0, 0, 0, True)])
    text = rendered(seen, 40)
    for shown in ("arm[1]", "a[b]", "|v| [m/s]", "|a| [m/s^2]", "z [m]"):
        assert shown in text


def test_a_body_that_is_not_valid_is_marked() -> None:
    assert " no" in rendered(Observations("arm", bodies=[body(1, valid=False)]), 40)


def test_the_line_has_the_body_that_is_followed_and_all_streams() -> None:
    seen = Observations("arm", "link1", bodies=[body(0), body(1), body(2)])
    seen.streams["transforms"].arrived(1.0, 0.002)
    line = seen.line(1.5, 1.5)
    assert "link1 at 0.100 -0.200 0.300 m" in line
    assert "transforms 0/s (2.0 ms, p99 2.0)" in line


def test_the_line_has_the_last_body_where_the_followed_one_is_not_seen() -> None:
    assert "link2 at" in Observations("arm", "hand", bodies=[body(1), body(2)]).line(1.0, 1.0)


@pytest.mark.parametrize(
    ("name", "followed"),
    [
        ("ur5_robot", "ee_link"),  # its last body, "base", is fixed to the root
        ("panda", "panda_leftfinger"),
        ("a1", "FR_foot"),  # the first of four legs
    ],
)
def test_the_tip_of_the_longest_chain_that_moves_is_followed(name: str, followed: str) -> None:
    model = loaded(example(f"{name}.urdf"))
    assert tip(model) == followed
    assert model.support(model.body_index(followed))


def test_the_tip_lies_behind_as_many_moving_joints_as_any_body() -> None:
    for seed in range(10):
        model = random_tree(seed)
        moving = [
            sum(model.joints[k].joint.nv > 0 for k in model.support(i)) for i in range(model.nb)
        ]
        assert moving[model.body_index(tip(model))] == max(moving)


def test_a_joint_that_cannot_move_does_not_count() -> None:
    builder = ModelBuilder("fork")
    for name in ("base", "locked", "free"):
        builder.add_body(name)
    builder.add_joint("a", Revolute(), "base", "locked", limits=JointLimits(0.5, 0.5))
    builder.add_joint("b", Revolute(), "base", "free", limits=JointLimits(-0.5, 0.5))
    assert tip(builder.build()) == "free"


def test_of_a_robot_that_does_not_move_the_last_body_is_followed() -> None:
    assert tip(loaded(OWN_ROBOTS / "single_link.urdf")) == "stone"


def test_a_foreign_name_stays_on_its_line() -> None:
    seen = Observations("arm\x1b[2J")
    seen.bodies = [BodyRow("a\nb" + "x" * 1000, (0.0, 0.0, 0.0), 0.0, 0.0, 0.0, True)]
    line = seen.line(0.0, 0.0)
    assert line.isprintable()
    assert len(line) < 300
    console = Console(file=io.StringIO(), width=300, height=40)
    console.print(seen.table(0.0, 0.0, 40))
    shown = console.file.getvalue()
    assert r"a\nbxxx" in shown
    assert "\x1b" not in shown
