"""Every closed mechanism of the examples: closed as loaded, moved by motors, told of clearly."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.cli.main import main
from robodyn_ros.plots import write_animation
from robodyn_ros.plots.mechanism_pictures import PICTURED, Shown, motion_shown
from robodyn_ros.simulation import Trajectory

EXAMPLES = Path(__file__).parents[2] / "examples"
PAGES = EXAMPLES.parent / "docs" / "mechanisms"
#: Mobility by name.
MOBILITY = {
    "bennett": 1,
    "delta_robot": 3,
    "four_bar": 1,
    "mixed_platform": 1,
    "nine_revolutes": 1,
    "palletiser": 4,
    "slider_crank": 1,
    "stewart_platform": 6,
    "stewart_platform_rods": 6,
    "two_clusters": 2,
}
#: Coordinates less equations: what counting says.
COUNT = {
    **MOBILITY,
    "bennett": -2,
    "four_bar": -2,
    "slider_crank": -2,
    "palletiser": -5,
}
CLOSED = 1e-11
every_mechanism = pytest.mark.parametrize("name", MOBILITY)
of_few_coordinates = pytest.mark.parametrize(
    "name", [name for name in MOBILITY if name != "stewart_platform"]
)


@cache
def robot_of(name: str) -> rd.Robot:
    """Return an example's robot, as loaded."""
    return rd.load(EXAMPLES / f"{name}.yaml", compile="off")


def test_these_are_all_closed_examples() -> None:
    closed = {p.stem for p in EXAMPLES.glob("*.yaml") if rd.load(p, compile="off").model.is_closed}
    assert closed == set(MOBILITY) == set(COUNT) == set(PICTURED)


@every_mechanism
def test_it_begins_closed_with_as_many_motors_as_it_has_freedoms(name: str) -> None:
    robot = robot_of(name)
    model = robot.model
    q, v = robot.initial_state[0], np.zeros(model.nv)
    assert np.abs(robot.constraint_residual(q)).max() < CLOSED
    assert robot.mobility == MOBILITY[name]
    assert model.nv - model.closure.rows == COUNT[name]
    motors = {model.coordinate_names[k] for k in model.closure.actuated}
    assert motors == set(robot.independent_names)
    tau = robot.inverse_dynamics(q, v)
    passive = [k for k in range(model.nv) if k not in model.closure.actuated]
    assert not tau[passive].any()
    assert robot.forward_dynamics(q, v, tau) == pytest.approx(0.0, abs=1e-9)


@every_mechanism
def test_power_of_motors_and_gravity_becomes_kinetic_energy(name: str) -> None:
    """The rate of the energy is the motors' power: constraints do no work."""
    robot = robot_of(name)
    model = robot.model
    q = robot.initial_state[0]
    motion = np.random.default_rng(4).uniform(-0.5, 0.5, (2, model.nv))
    v, a = (np.array(x) for x in robot.complete(q, *motion))
    tau = robot.inverse_dynamics(q, v, a)
    assert np.abs(robot.constraint_jacobian(q) @ v).max() < CLOSED
    inertial = robot.mass_matrix(q) @ a + robot.bias_force(q, v)
    assert tau @ v == pytest.approx(inertial @ v, rel=1e-9, abs=1e-9)


@of_few_coordinates
def test_it_goes_where_its_picture_shows_it(name: str) -> None:
    """Neighbouring places are near each other, and a whole turn ends where it began."""
    robot, shown = robot_of(name), PICTURED[name]
    q = motion_shown(robot.model, shown)
    assert np.abs(robot.constraint_residual(q)).max() < 1e-9
    steps = [abs(end) for end in shown.moved.values()]
    assert np.abs(np.diff(q, axis=0)).max() < 20.0 * max(steps) / shown.places
    positions = robot.body_motion(q[[0, -1]]).position
    if max(steps) > 2.0 * np.pi:
        assert positions[1] == pytest.approx(positions[0], abs=1e-8)
    else:
        assert np.abs(positions[1] - positions[0]).max() > 0.01


@every_mechanism
@pytest.mark.parametrize("command", ["report", "check", "torque", "compare"])
def test_commands_tell_of_it(name: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, str(EXAMPLES / f"{name}.yaml")]) == 0
    out, error = capsys.readouterr()
    assert name in out
    assert error == ""
    if command == "compare":
        assert "loops and constraints: left out" in out
    if command == "report":
        assert f"mobility {MOBILITY[name]}" in out


FREE = (
    "delta_robot",
    "mixed_platform",
    "stewart_platform",
    "stewart_platform_rods",
    "two_clusters",
)
"""What has bodies that no joint holds, for which spatial_v2 has no joint."""


@every_mechanism
@pytest.mark.parametrize("ending", ["urdf", "json"])
def test_what_other_forms_cannot_say_is_told(
    name: str, ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / f"robot.{ending}"
    code = main(["convert", str(EXAMPLES / f"{name}.yaml"), str(output)])
    error = capsys.readouterr().err
    if ending == "json" and name in FREE:
        assert code == 2
        assert "is floating, which spatial_v2 has no joint for" in error
        return
    assert code == 0
    for element in robot_of(name).model.closure.elements:
        assert element.name in error
    assert output.stat().st_size > 0


@pytest.mark.parametrize("name", ["four_bar", "delta_robot", "palletiser", "mixed_platform"])
def test_it_is_animated(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "motion.gif"
    options = ["--time", "0.02", "--step", "0.02", "--output", str(output)]
    assert main(["animate", str(EXAMPLES / f"{name}.yaml"), *options]) == 0
    assert "energy drift" in capsys.readouterr().out
    assert output.stat().st_size > 1000


def test_a_motion_of_a_platform_on_legs_is_animated(tmp_path: Path) -> None:
    robot = robot_of("stewart_platform")
    q = motion_shown(robot.model, Shown("oblique", {"leg_1": 1.2}, places=3))
    v = np.zeros((3, robot.model.nv))
    path = Trajectory(0.1 * np.arange(3), q, v, *robot.energy(q, v))
    assert write_animation(tmp_path / "legs.gif", robot, path, rate=10, view="oblique") == 3


@every_mechanism
def test_it_has_a_page_with_a_picture(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text()
    assert page.startswith(f"# {name}\n")
    assert f"]({name}.svg)" in page
    assert f"examples/{name}.yaml" in page
    index = (PAGES.parent / "closed_mechanisms.md").read_text()
    assert f"](mechanisms/{name}.md)" in index
    assert f"]({name}.yaml)" in (EXAMPLES / "README.md").read_text()
