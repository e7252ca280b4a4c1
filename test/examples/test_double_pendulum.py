"""examples/double_pendulum.yaml against the closed form of document E, and the command on it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.cli.main import main
from robodyn_ros.simulation import simulate

FILE = Path(__file__).parents[2] / "examples/double_pendulum.yaml"
G = 9.81

CHANGES = [
    {},
    {"r1": 0.7, "r2": 1.3, "rod_mass_1": 2.0, "rod_mass_2": 0.3, "m1": 0.5, "m2": 3.0},
    {"m1": 0.0, "m2": 0.0, "rod_radius": 0.2},
]


def closed_form(
    p: dict[str, float], q: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return M (2, 2), C (2,) and the energy."""
    (theta, phi), (dtheta, dphi) = q, v
    r1, r2, m1, m2 = p["r1"], p["r2"], p["m1"], p["m2"]
    M1, M2, rho = p["rod_mass_1"], p["rod_mass_2"], p["rod_radius"]
    I1 = M1 * (r1**2 / 3.0 + rho**2 / 4.0)
    I2 = M2 * (r2**2 / 3.0 + rho**2 / 4.0)
    M11 = I1 + m1 * r1**2 + I2 + M2 * (r1**2 + r1 * r2 * np.cos(phi))
    M11 += m2 * (r1**2 + r2**2 + 2.0 * r1 * r2 * np.cos(phi))
    M12 = I2 + 0.5 * M2 * r1 * r2 * np.cos(phi) + m2 * (r2**2 + r1 * r2 * np.cos(phi))
    M = np.array([[M11, M12], [M12, I2 + m2 * r2**2]])
    first, second = 0.5 * M1 + m1 + M2 + m2, 0.5 * M2 + m2
    h = second * r1 * r2 * np.sin(phi)
    G1 = G * (first * r1 * np.sin(theta) + second * r2 * np.sin(theta + phi))
    G2 = G * second * r2 * np.sin(theta + phi)
    C = np.array([-h * (2.0 * dtheta * dphi + dphi**2) + G1, h * dtheta**2 + G2])
    V = -G * (first * r1 * np.cos(theta) + second * r2 * np.cos(theta + phi))
    return M, C, 0.5 * v @ M @ v + V


def parameters_of(changes: dict[str, float]) -> dict[str, float]:
    """Return the file's own parameters with some changed."""
    own = {"r1": 1.0, "r2": 0.8, "rod_mass_1": 0.5, "rod_mass_2": 0.4}
    return {**own, "m1": 1.0, "m2": 1.0, "rod_radius": 0.02, **changes}


@pytest.mark.parametrize("changes", CHANGES)
def test_closed_form(changes: dict[str, float]) -> None:
    robot = rd.load(FILE, parameters=changes, compile="off")
    assert robot.model.joint_names == ("theta", "phi")
    rng = np.random.default_rng(5)
    for _ in range(20):
        q, v = rng.uniform(-3.0, 3.0, (2, 2))
        M, C, E = closed_form(parameters_of(changes), q, v)
        np.testing.assert_allclose(robot.mass_matrix(q), M, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(robot.bias_force(q, v), C, rtol=1e-11, atol=1e-11)
        energy = robot.energy(q, v)
        assert energy.kinetic + energy.potential == pytest.approx(E, rel=1e-12, abs=1e-12)
        for name in ("kane", "legnani"):
            motion = robot.formulation(name).equations_of_motion(q, v)
            np.testing.assert_allclose(motion.mass_matrix, M, rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(motion.bias, C, rtol=1e-11, atol=1e-11)


def test_motion_is_that_of_the_closed_form() -> None:
    from scipy.integrate import solve_ivp

    changes = {"theta_0": 1.0, "theta_rate_0": 0.5, "phi_0": -0.4, "phi_rate_0": 1.0}
    robot = rd.load(FILE, parameters=changes, compile="off")
    trajectory = simulate(robot, 0.6, 0.2)

    def rates(_: float, state: np.ndarray) -> np.ndarray:
        M, C, _E = closed_form(parameters_of({}), state[:2], state[2:])
        return np.concatenate([state[2:], np.linalg.solve(M, -C)])

    start = [1.0, -0.4, 0.5, 1.0]
    wanted = solve_ivp(
        rates, (0.0, 0.6), start, "DOP853", trajectory.time.clip(max=0.6), rtol=1e-11, atol=1e-11
    )
    found = np.concatenate([trajectory.q, trajectory.v], axis=1)
    np.testing.assert_allclose(found, wanted.y.T, atol=1e-8)


def test_hanging_still_is_at_rest() -> None:
    robot = rd.load(FILE, compile="off")
    np.testing.assert_allclose(robot.gravity_force([0.0, 0.0]), 0.0, atol=1e-12)
    assert robot.gravity_force([0.1, 0.0])[0] > 0.0  # gravity pulls back towards hanging
    tip = robot.marker_motion([0.0, 0.0]).value[1]
    np.testing.assert_allclose(tip, [0.0, 0.0, -1.8], atol=1e-15)
    np.testing.assert_allclose(
        robot.marker_motion([np.pi / 2, 0.0]).value[1], [1.8, 0, 0], atol=1e-14
    )


def test_the_command_prints_the_energy_drift(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--time", "0.3", "--rate", "10", "--set", "m2=2", "--json"]
    picture, curves = tmp_path / "pendulum.gif", tmp_path / "curves.png"
    outputs = ["--output", str(picture), "--plot", str(curves)]
    assert main(["animate", str(FILE), *options, *outputs]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["states"] == 31
    assert found["relative_energy_drift"] < 1e-8
    assert picture.stat().st_size > 1000
    assert curves.stat().st_size > 1000


@pytest.mark.parametrize("option", [["--output", "taken.gif"], ["--plot", "taken.svg"]])
def test_a_folder_in_place_of_a_picture_is_told_before_the_work(
    option: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(option[1]).mkdir()
    assert main(["animate", "no_such_robot.yaml", *option]) == 2
    assert f"'{option[1]}' is a folder" in capsys.readouterr().err


def test_energies_of_nothing_have_no_sign(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "slide.yaml"
    file.write_text(
        "mechanism: 1\nbodies: {base: , block: {mass: 2}}\n"
        "joints: {slide: {type: prismatic, axis: [1, 0, 0], parent: base, child: block}}\n"
    )
    for command in (["animate", "--time", "0.01"], ["torque", "--q", "0.5"]):
        assert main([*command, str(file)]) == 0
        out = capsys.readouterr().out
        assert "kinetic energy 0 J" in out
        assert "potential energy 0 J" in out


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--set", "m1=-1"], "must be a number >= 0 in kg, got -1"),
        (["--set", "r1=0"], "length"),
        (["--time", "-1"], "duration must be a positive number"),
        (["--output", "a.avi"], "must end in .gif or .mp4"),
        (["--output", "a.gif", "--view", "behind"], "--view must be front"),
        (["--output", "a.gif", "--rate", "0"], "--rate must be"),
        (["--q", "gamma=1"], "no coordinate is called 'gamma'"),
    ],
)
def test_bad_options(options: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["animate", str(FILE), *options]) == 2
    error = capsys.readouterr().err.strip()
    assert text in error
    assert len(error.splitlines()) == 1
