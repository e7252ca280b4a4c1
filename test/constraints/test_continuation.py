"""Driven motions on one branch: full turns, dead centres, change points, ends of ranges."""

from __future__ import annotations

import numpy as np
import pytest

import mechanisms
import platforms
from robodyn_ros.constraints.assembly import assemble
from robodyn_ros.constraints.continuation import follow
from robodyn_ros.errors import ClosureError

TOLERANCE = 1e-10


def turns(first: float, count: int, by: float = 2.0 * np.pi) -> list[dict[str, float]]:
    return [{"crank": float(first + by * k / count)} for k in range(count + 1)]


@pytest.mark.parametrize("branch", [1, -1])
@pytest.mark.parametrize("count", [5, 40])
def test_a_four_bar_stays_on_its_branch_over_a_full_turn(branch: int, count: int) -> None:
    model = mechanisms.four_bar()
    start = mechanisms.four_bar_state(model, 0.3, branch)
    inputs = turns(0.3, count)
    for at, found in zip(inputs, follow(model, start, inputs), strict=True):
        expected = mechanisms.four_bar_state(model, at["crank"], branch)
        off = (found.q - expected) / (2.0 * np.pi)
        assert np.max(np.abs(off - np.round(off))) < TOLERANCE
        assert found.mobility == 1


@pytest.mark.parametrize("side", [1, -1])
def test_a_slider_crank_is_driven_through_its_dead_centres_by_the_crank(side: int) -> None:
    model = mechanisms.slider_crank()
    guess = np.array([0.3, -0.4, 0.6, 0.0] if side > 0 else [0.3, 2.8, -0.3, 3.1])
    start = assemble(model, guess, {"crank": 0.3}).q
    inputs = turns(0.3, 12)
    for at, found in zip(inputs, follow(model, start, inputs), strict=True):
        crank = at["crank"]
        along = 0.2 * np.cos(crank) + side * np.sqrt(0.25 - (0.2 * np.sin(crank)) ** 2)
        assert found.q[2] == pytest.approx(along, abs=TOLERANCE)


def test_a_slider_that_drives_stops_at_the_dead_centre() -> None:
    model = mechanisms.slider_crank(actuated=("slider",))
    start = assemble(model, np.array([0.5, -0.7, 0.6, -0.2])).q
    inputs = [{"slider": float(s)} for s in (0.62, 0.65, 0.68, 0.72)]
    with pytest.raises(ClosureError) as error:
        follow(model, start, inputs)
    text = str(error.value)
    assert "cannot follow beyond slider = 0.7:" in text or "slider = 0.69999" in text
    assert "singular position" in text
    assert "'slider' stands still" in text
    assert any(f"'{name}' moves" in text for name in ("crank", "rod", "pin"))


def test_a_slider_that_drives_keeps_its_branch_up_to_the_dead_centre() -> None:
    model = mechanisms.slider_crank(actuated=("slider",))
    start = assemble(model, np.array([0.5, -0.7, 0.6, -0.2])).q
    inputs = [{"slider": float(s)} for s in (0.5, 0.35, 0.5, 0.69, 0.6999, 0.6)]
    found = follow(model, start, inputs)
    for at, reached in zip(inputs, found, strict=True):
        s = at["slider"]
        crank = np.arccos((s**2 + 0.04 - 0.25) / (0.4 * s))
        assert reached.q[0] == pytest.approx(crank, abs=1e-9)


def test_a_parallelogram_goes_straight_on_through_its_change_points() -> None:
    lengths = mechanisms.PARALLELOGRAM
    model = mechanisms.four_bar(lengths)
    start = mechanisms.four_bar_state(model, 0.5, 1, lengths)
    angles = [0.5, 0.2, 0.0, -0.3, -2.0, -np.pi, -4.0, -6.0]
    found = follow(model, start, [{"crank": angle} for angle in angles])
    for angle, reached in zip(angles, found, strict=True):
        assert reached.q[1] == pytest.approx(-angle, abs=1e-6)
    assert [reached.mobility for reached in found[2:6:3]] == [2, 2]


def test_a_crank_that_cannot_turn_on_is_told_where_it_stops() -> None:
    lengths = (0.5, 0.3, 0.35, 0.7)
    model = mechanisms.four_bar(lengths)
    last = float(np.arccos((0.5**2 + 0.7**2 - 0.65**2) / (2 * 0.5 * 0.7)))
    start = mechanisms.four_bar_state(model, 0.6, 1, lengths)
    with pytest.raises(ClosureError, match=rf"crank = {last:.3f}\d*: there it is in a singular"):
        follow(model, start, [{"crank": 0.8}, {"crank": 1.6}])


def test_a_platform_follows_its_six_legs() -> None:
    model = platforms.stewart()
    start = assemble(model, platforms.stewart_guess(model)).q
    first = {f"leg_{k + 1}": float(start[model.joint(f"leg_{k + 1}").q_index]) for k in range(6)}
    wave = np.sin(np.arange(6.0))
    inputs = [
        {name: length + 0.1 * t * wave[k] for k, (name, length) in enumerate(first.items())}
        for t in (0.0, 0.5, 1.0, 0.0)
    ]
    found = follow(model, start, inputs)
    assert max(reached.residual for reached in found) < 1e-12
    assert np.max(np.abs(found[-1].q - start)) < 1e-9


def test_motion_that_the_inputs_leave_open_is_of_least_size() -> None:
    model = platforms.stewart()
    start = assemble(model, platforms.stewart_guess(model)).q
    leg = model.joint("leg_1").q_index
    (found,) = follow(model, start, [{"leg_1": float(start[leg]) + 0.02}])
    assert found.residual < 1e-12
    assert found.q[leg] == pytest.approx(start[leg] + 0.02)
    assert np.max(np.abs(found.q - start)) < 0.1


def test_a_joint_at_the_end_of_its_range_is_told() -> None:
    model = mechanisms.four_bar(rocker_range=(1.0, 1.9))
    start = mechanisms.four_bar_state(model, 0.8, 1)
    with pytest.raises(ClosureError, match="'rocker' at the end of its range"):
        follow(model, start, turns(0.8, 4))


def test_an_open_start_is_told() -> None:
    model = mechanisms.four_bar()
    with pytest.raises(ClosureError, match="give a closed configuration to begin with"):
        follow(model, np.zeros(4), turns(0.0, 3))
