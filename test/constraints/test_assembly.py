"""Assembly from guesses: branches, inputs, limits, sizes, and what is said where it fails."""

from __future__ import annotations

import numpy as np
import pytest

import mechanisms
import platforms
from robodyn_ros.constraints.assembly import assemble
from robodyn_ros.constraints.jacobian import jacobian, residual
from robodyn_ros.constraints.loading import assembled_at_load
from robodyn_ros.constraints.newton import position_bounds, positions_by_rate
from robodyn_ros.constraints.partition import choose_partition, rank_of
from robodyn_ros.errors import ArgumentError, ClosureError, DescriptionError, UnknownNameError
from robodyn_ros.joints import Floating
from robodyn_ros.model import ModelBuilder

#: rad, or m in mechanisms of the size of 1 m.
CLOSED = 1e-12


@pytest.mark.parametrize("branch", [1, -1])
def test_branches_of_a_four_bar_are_reached_by_their_guesses(branch: int) -> None:
    model = mechanisms.four_bar()
    for angle in np.linspace(-3.0, 3.0, 7):
        expected = mechanisms.four_bar_state(model, float(angle), branch)
        guess = expected + 0.2 * np.sin([1.0, 2.0, 3.0, 4.0])
        found = assemble(model, guess, {"crank": float(angle)})
        assert found.residual < CLOSED
        assert (found.mobility, found.rank) == (1, 3)
        turns = (found.q - expected) / (2.0 * np.pi)
        assert np.max(np.abs(turns - np.round(turns))) < 1e-12


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_a_mechanism_of_mm_or_km_is_closed_as_one_of_m(scale: float) -> None:
    for make, start in (
        (platforms.mixed_platform, platforms.mixed_guess),
        (platforms.stewart, platforms.stewart_guess),
    ):
        model, scaled = make(), make(scale=scale)
        found = assemble(model, start(model))
        other = assemble(scaled, start(scaled, scale=scale))
        assert (other.rank, other.mobility) == (found.rank, found.mobility)
        partitions = choose_partition(model, found.q), choose_partition(scaled, other.q)
        assert partitions[0].rows == partitions[1].rows
        assert partitions[0].dependent == partitions[1].dependent
        place = model.joint("platform_free").q_index
        pose, moved = found.q[place : place + 7], other.q[place : place + 7]
        assert np.allclose(moved[:3] / scale, pose[:3], atol=1e-9)
        assert np.allclose(moved[3:], pose[3:], atol=1e-9)


def test_rank_does_not_depend_on_size() -> None:
    for make, rank in ((mechanisms.bennett, 3), (mechanisms.bricard, 5)):
        for scale in (1e-4, 1.0, 1e4):
            model = make(scale=scale)
            assert rank_of(model, jacobian(model, assemble(model, model.defaults.q).q)) == rank


def test_a_guess_with_all_links_in_one_line_is_left_by_a_small_disturbance() -> None:
    model = mechanisms.four_bar()
    neutral = np.zeros(4)
    found = assemble(model, neutral)
    assert found.residual < CLOSED
    assert np.array_equal(found.q, assemble(model, neutral).q)


@pytest.mark.parametrize("turn", [np.pi, 3.0, -3.1])
def test_frames_that_differ_by_half_a_turn_find_together(turn: float) -> None:
    model = mechanisms.bennett()
    guess = np.array(model.defaults.q)
    guess[3] += turn
    assert assemble(model, guess).residual < CLOSED


def test_redundant_inputs_that_agree_are_accepted_and_others_told() -> None:
    model = mechanisms.four_bar()
    q = mechanisms.four_bar_state(model, 0.8, 1)
    names = dict(zip(model.joint_names, map(float, q), strict=True))
    both = {"crank": names["crank"], "rocker": names["rocker"]}
    assert assemble(model, q, both).residual < CLOSED
    with pytest.raises(ClosureError, match=r"they contradict each other, as only 1 of the 2"):
        assemble(model, q, {**both, "rocker": names["rocker"] + 0.3})


def test_an_input_out_of_reach_is_told_with_element_and_distance() -> None:
    model = mechanisms.slider_crank()
    guess = np.array([0.5, -0.7, 0.6, -0.2])
    reason = r"at slider = 0\.9: loop 'pin' lacks .* m; it closes without .*: they are out of its"
    with pytest.raises(ClosureError, match=reason):
        assemble(model, guess, {"slider": 0.9})


def test_lengths_that_cannot_meet_are_told_with_element_and_distance() -> None:
    model = mechanisms.four_bar((0.1, 0.1, 0.1, 0.6))
    with pytest.raises(ClosureError, match=r"loop 'pin' lacks 0\.3 m; correct lengths"):
        assemble(model, mechanisms.four_bar_state(model, 0.5, 1))


def test_unknown_and_unusable_inputs_are_errors() -> None:
    model = mechanisms.pendulum_on_ball()
    with pytest.raises(UnknownNameError, match="ball_0/rx"):
        assemble(model, model.defaults.q, {"ball": 0.1})
    with pytest.raises(UnknownNameError, match="turn of a quaternion"):
        assemble(model, model.defaults.q, {"ball_0/rx": 0.1})
    with pytest.raises(ArgumentError, match="nan"):
        assemble(mechanisms.four_bar(), np.zeros(4), {"crank": np.nan})


def test_limits_lead_to_the_branch_within_them() -> None:
    above, below = (mechanisms.four_bar(rocker_range=r) for r in ((0.5, 3.0), (-3.0, -0.5)))
    q = mechanisms.four_bar_state(above, 1.0, 1)
    for model in (above, below):
        found = assemble(model, q, {"crank": 1.0}, other_guesses=20)
        lower, upper = position_bounds(model)
        at = positions_by_rate(model, found.q)
        assert np.all(at >= lower)
        assert np.all(at <= upper)
        assert found.residual < CLOSED


def test_the_joint_whose_limit_prevents_closing_is_named() -> None:
    model = mechanisms.four_bar(rocker_range=(0.0, 0.4))
    q = mechanisms.four_bar_state(model, 1.0, 1)
    with pytest.raises(ClosureError, match=r"would close with 'rocker' at .* above its limit 0\.4"):
        assemble(model, q, {"crank": 1.0})


def test_an_input_of_a_joint_with_several_coordinates_is_kept() -> None:
    model = platforms.mixed_platform()
    q = platforms.mixed_guess(model)
    name = "platform_free/x"
    at = model.position_names.index(name)
    value = float(assemble(model, q).q[at]) + 0.01
    found = assemble(model, q, {name: value})
    assert found.q[at] == value
    assert np.max(np.abs(residual(model, found.q))) < CLOSED
    drive = model.joint("drive").q_index
    assert found.q[drive] != 0.0


def test_a_cluster_keeps_three_coordinates_that_are_given() -> None:
    builder = ModelBuilder("hung")
    builder.add_body("base")
    mechanisms.add_link(builder, "bob", 0.3)
    builder.add_joint("free", Floating(), "base", "bob")
    builder.add_rod("rod", "base", (0, 0, 1), "bob", (0.1, 0, 0.05), 0.7)
    model = builder.build()
    inputs = {"free/x": 0.2, "free/y": -0.1, "free/z": 0.35}
    guess = np.array([0, 0, 0, 0.1, 0.2, -0.3, 0.0])
    guess[6] = np.sqrt(1.0 - guess[3:6] @ guess[3:6])
    found = assemble(model, guess, inputs)
    assert found.residual < CLOSED
    assert list(found.q[:3]) == list(inputs.values())
    assert np.linalg.norm(found.q[3:]) == pytest.approx(1.0, abs=1e-12)


def test_forty_loops_are_closed() -> None:
    model = mechanisms.n_four_bar(40)
    expected = mechanisms.n_four_bar_state(model, 1.2)
    crooked = 0.05 * np.random.default_rng(4).normal(size=model.nq)
    found = assemble(model, expected + crooked, {"pivot_0": 1.2})
    assert found.residual < CLOSED
    assert found.mobility == 1
    assert np.max(np.abs(found.q - expected)) < 1e-9


def test_loading_keeps_what_has_a_motor_and_names_what_cannot_close() -> None:
    model = mechanisms.slider_crank()
    start = np.array(model.defaults.q)
    loaded = assembled_at_load(model)
    assert loaded.closure.partition is not None
    assert loaded.defaults.q[0] == start[0]
    assert np.max(np.abs(residual(loaded, loaded.defaults.q))) < CLOSED
    with pytest.raises(DescriptionError, match=r"loop 'pin' lacks 0\.3 m"):
        assembled_at_load(mechanisms.four_bar((0.1, 0.1, 0.1, 0.6)))
