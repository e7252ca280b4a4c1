"""The public benchmark mechanisms, simulated, beside published and independent solutions.

Each test prints what docs/validation.md quotes: `pytest test/validation/test_benchmarks.py -s`.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from closed.benchmarks import Governor, n_four_bar, n_four_bar_text, pendulum
from closed.springs import Spring, sum_of
from robodyn_ros.simulation import Trajectory, simulate

pytestmark = pytest.mark.usefixtures("compiling_here")

HERE = Path(__file__).parent
PUBLISHED = json.loads((HERE / "published.json").read_text(encoding="utf-8"))
FILES = HERE.parents[1] / "examples" / "benchmarks"


def load(name: str) -> rd.Robot:
    return rd.load(str(FILES / f"{name}.yaml"), compile="wait")


def marker(robot: rd.Robot, name: str, trajectory: Trajectory) -> np.ndarray:
    """Return the places (n, 3) of a marker at the states of a trajectory."""
    k = [one.name for one in robot.model.markers].index(name)
    places: np.ndarray = robot.marker_motion(trajectory.q, trajectory.v).value[:, k]
    return places


def column(robot: rd.Robot, name: str) -> int:
    return robot.model.coordinate_names.index(name)


def residual(robot: rd.Robot, trajectory: Trajectory) -> float:
    return float(np.max(np.abs(robot.constraint_residual(trajectory.q))))


def told(name: str, **figures: float) -> None:
    """Print figures for docs/validation.md."""
    print(name, " ".join(f"{key}={value:.2g}" for key, value in figures.items()))  # noqa: T201


def test_simple_pendulum():
    robot, case = load("simple_pendulum"), PUBLISHED["simple_pendulum"]
    trajectory = simulate(robot, 10.0, 0.5)
    places = marker(robot, "P1", trajectory)[:, :2]
    published = np.array(case["values"])
    k = np.searchsorted(trajectory.time, np.array(case["time"]) - 1e-9)
    off = np.max(np.abs(places[k] - published))
    wrong = np.max(np.abs(places - pendulum(trajectory.time)))
    told(
        "simple_pendulum",
        published=off,
        closed_form=wrong,
        drift=trajectory.relative_energy_drift,
        residual=residual(robot, trajectory),
    )
    # Nine times it passes below its pivot, where neither slider leads the other.
    assert off < 5e-6
    assert wrong < 5e-6
    assert trajectory.relative_energy_drift < 1e-6
    assert residual(robot, trajectory) < 1e-9


def test_two_four_bars_pass_their_singular_positions():
    robot = load("two_four_bars")
    trajectory = simulate(robot, 3.0, 0.1)
    expected = n_four_bar(2, list(trajectory.time))
    place = marker(robot, "B0", trajectory)[:, :2]
    wrong = np.max(np.abs(place - np.stack([np.sin(expected[:, 0]), np.cos(expected[:, 0])], 1)))
    turns = np.ptp(expected[:, 0]) / (2 * np.pi)
    told(
        "two_four_bars",
        closed_form=wrong,
        turns=turns,
        drift=trajectory.relative_energy_drift,
        residual=residual(robot, trajectory),
    )
    assert turns > 1
    assert wrong < 1e-6
    assert trajectory.relative_energy_drift < 1e-8
    assert residual(robot, trajectory) < 1e-8


def test_forty_four_bars_fall_as_one(tmp_path):
    file = tmp_path / "forty.yaml"
    file.write_text(n_four_bar_text(40), encoding="utf-8")
    robot = rd.load(str(file))
    assert robot.mobility == 1
    q, v = robot.initial_state
    a = robot.forward_dynamics(q, v, np.zeros(robot.model.nv))
    # Upright they are in equilibrium; B0 goes round with 1 rad/s.
    assert np.max(np.abs(a)) < 1e-9
    found = robot.assemble(q, A0=0.5)
    rods = [column(robot, f"A{k}") for k in range(41)]
    np.testing.assert_allclose(found.q[rods], 0.5, atol=1e-9)
    a = robot.forward_dynamics(found.q, np.zeros(robot.model.nv), np.zeros(robot.model.nv))
    expected = 9.81 * np.sin(0.5) * (41 / 2 + 40) / (41 / 3 + 40)
    np.testing.assert_allclose(a[rods], expected, rtol=1e-9)


def squeezer_efforts(robot: rd.Robot) -> tuple[Spring, dict[str, float]]:
    case = PUBLISHED["andrews_squeezer"]
    return Spring("C", "D", case["stiffness"], case["rest_length"]), {"beta": case["drive"]}


def test_andrews_squeezer_begins_as_published():
    robot, case = load("andrews_squeezer"), PUBLISHED["andrews_squeezer"]
    columns = [column(robot, name) for name in case["names"]]
    q, v = robot.initial_state
    np.testing.assert_allclose(q[columns], case["initial_position"], atol=1e-12)
    assert robot.mobility == 1
    spring, drives = squeezer_efforts(robot)
    a = robot.forward_dynamics(q, v, sum_of(robot, spring, drives=drives)(0.0, q, v))
    expected = np.array(case["initial_acceleration"])
    wrong = np.max(np.abs(a[columns] - expected)) / np.max(expected)
    told("andrews_squeezer begin", acceleration=wrong)
    assert wrong < 1e-9


def test_andrews_squeezer_ends_as_published():
    robot, case = load("andrews_squeezer"), PUBLISHED["andrews_squeezer"]
    columns = [column(robot, name) for name in case["names"]]
    spring, drives = squeezer_efforts(robot)
    effort = sum_of(robot, spring, drives=drives)
    trajectory = simulate(robot, case["time"], 0.001, effort=effort)
    end_q, end_v = trajectory.q[-1][columns], trajectory.v[-1][columns]
    wrong_q = np.max(np.abs(end_q - case["position"]))
    wrong_v = np.max(np.abs(end_v - case["velocity"])) / np.max(np.abs(case["velocity"]))
    stored = spring.potential(robot, trajectory.q)
    work = case["drive"] * (trajectory.q[:, columns[0]] - trajectory.q[0, columns[0]])
    balance = trajectory.kinetic + stored - work
    drift = np.ptp(balance) / np.max(trajectory.kinetic)
    told(
        "andrews_squeezer",
        position=wrong_q,
        velocity=wrong_v,
        drift=drift,
        residual=residual(robot, trajectory),
    )
    assert wrong_q < 1e-7
    assert wrong_v < 1e-7
    assert drift < 1e-8
    assert residual(robot, trajectory) < 1e-10


def test_bricard():
    robot = load("bricard")
    assert robot.mobility == 1
    stored = json.loads((HERE / "bricard.json").read_text(encoding="utf-8"))
    trajectory = simulate(robot, 5.0, 0.05)
    places = marker(robot, "P3", trajectory)
    times = [time for time in stored["time"] if time <= 5.0]
    k = np.searchsorted(trajectory.time, np.array(times) - 1e-9)
    wrong = np.max(np.abs(places[k] - np.array(stored["values"])[: len(times)]))
    told(
        "bricard",
        other=wrong,
        drift=trajectory.relative_energy_drift,
        residual=residual(robot, trajectory),
    )
    assert wrong < 1e-7
    assert trajectory.relative_energy_drift < 1e-8
    assert residual(robot, trajectory) < 1e-9


def test_flyball_governor_of_rods():
    robot, case = load("flyball_governor_of_rods"), PUBLISHED["flyball_governor"]
    assert robot.mobility == 2
    trajectory = simulate(robot, 10.0, 0.05)
    expected = Governor().motion(list(trajectory.time), rigid=True)
    names = ("turn", "s", "alpha_1")
    computed = trajectory.q[:, [column(robot, name) for name in names]]
    wrong = np.max(np.abs(computed - expected))
    uneven = np.max(np.abs(computed[:, 2] - trajectory.q[:, column(robot, "alpha_2")]))
    told(
        "flyball_governor_of_rods",
        other=wrong,
        uneven=uneven,
        drift=trajectory.relative_energy_drift,
        residual=residual(robot, trajectory),
    )
    assert wrong < 1e-6
    assert uneven < 1e-7
    assert computed[:, 1].max() == pytest.approx(case["highest"], abs=2e-3)
    assert trajectory.relative_energy_drift < 1e-8
    assert residual(robot, trajectory) < 1e-9


def test_stiff_flyball_governor():
    robot = load("flyball_governor")
    assert not robot.model.is_closed
    g = Governor
    springs = [Spring(f"E{k}", f"F{k}", g.STIFFNESS, g.REST, g.DAMPING) for k in (1, 2)]
    # An explicit method takes tens of thousands of steps a second here.
    trajectory = simulate(robot, 0.02, 0.02, effort=sum_of(robot, *springs), tolerance=1e-9)
    expected = g().motion(list(trajectory.time))
    names = ("turn", "s", "alpha_1")
    computed = trajectory.q[:, [column(robot, name) for name in names]]
    wrong = np.max(np.abs(computed - expected))
    told("flyball_governor", other=wrong)
    assert wrong < 1e-8
