"""Compiled kernels against the plain functions behind them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from compiling import CompilingHere
from differentiation import error
from robodyn_ros.kernels.cache import Cache
from robodyn_ros.kernels.service import CompileService
from robodyn_ros.robot import kernel_source
from robots import example, random_state, random_tree

#: Kernel and plain path differ by rounding and by the kernel's own sin and cos (1.6 ulp).
TOLERANCE = 1e-13


@pytest.fixture(autouse=True, scope="module")
def private_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A service with an empty cache of its own, so that nothing comes from an earlier run."""
    service = CompilingHere(Cache(tmp_path_factory.mktemp("cache") / "robodyn_ros"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_source, "compile_service", lambda: service)
        yield


@pytest.fixture
def processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service of the product, whose kernels are made by processes of their own."""
    service = CompileService(Cache(tmp_path / "robodyn_ros"))
    monkeypatch.setattr(kernel_source, "compile_service", lambda: service)


def pair(model: rd.Model) -> tuple[rd.Robot, rd.Robot]:
    """Return the same model compiled and plain."""
    compiled, plain = rd.Robot(model, compile="wait"), rd.Robot(model, compile="off")
    assert compiled.compile()
    assert not plain.compile()
    return compiled, plain


@pytest.mark.parametrize("base", ["fixed", "floating", "prescribed"])
@pytest.mark.parametrize("root", [None, "b7"])
def test_kernels_equal_the_plain_functions(base: str, root: str | None) -> None:
    model = random_tree(11, base=base, root=root)
    compiled, plain = pair(model)
    if base == "prescribed":
        for robot in (compiled, plain):
            robot.set_base_motion(
                (1.0, 2.0, 3.0),
                (0.5, -0.5, 0.5, 0.5),
                angular_velocity=(0.1, 0.2, 0.3),
                linear_velocity=(-1.0, 0.5, 0.0),
                angular_acceleration=(0.3, 0.1, -0.2),
                linear_acceleration=(1.0, 1.0, 1.0),
            )
    states = [random_state(model, seed) for seed in range(7)]
    rows = tuple(np.stack(column) for column in zip(*states, strict=True))
    assert compiled.compile("jacobian:tool")
    for ours, reference in (
        (compiled.body_motion(*rows), plain.body_motion(*rows)),
        (compiled.center_of_mass_motion(*rows), plain.center_of_mass_motion(*rows)),
        ([compiled.jacobian(rows[0], "tool")], [plain.jacobian(rows[0], "tool")]),
    ):
        for x, y in zip(ours, reference, strict=True):
            assert error(x, y) < TOLERANCE
    for row, state in enumerate(states):
        single = compiled.body_motion(*state)
        for x, y in zip(single, compiled.body_motion(*rows), strict=True):
            assert np.array_equal(x, y[row])


def test_arguments_are_judged_alike_with_and_without_a_kernel() -> None:
    model = random_tree(11, base="floating")
    for robot in pair(model):
        q, v, a = random_state(model, 1)
        scaled = q.copy()
        scaled[3:7] *= 1.001
        with pytest.raises(rd.ArgumentError, match="floating_base"):
            robot.body_motion(scaled, v, a)
        with pytest.raises(rd.ArgumentError, match="shape"):
            robot.body_motion(q[:-1], v, a)
        broken = v.copy()
        broken[2] = np.inf
        assert all(np.isnan(x).all() for x in robot.body_motion(q, broken, a))
        rows = np.stack([v, broken, v])
        motion = robot.body_motion(q, rows, a)
        for x in motion:
            assert np.isnan(x[1]).all()
            assert np.isfinite(x[[0, 2]]).all()
        listed = robot.body_motion(q.tolist(), v.astype(np.float32).astype(float)[::1], a)
        assert np.isfinite(listed.position).all()
        out = robot.body_motion(q, rows, a)
        assert robot.body_motion(q, np.stack([v, v, v]), a, out=out) is out
        assert np.isfinite(out.position).all()


@pytest.mark.usefixtures("processes")
def test_a_background_kernel_takes_over() -> None:
    model = random_tree(23)
    robot = rd.Robot(model)
    q, v, a = random_state(model, 2)
    plain = robot.body_motion(q, v, a)
    assert robot.kernel_states()["body_motion"] == "compiling"
    assert robot.compile("body_motion")
    assert robot.kernel_states()["body_motion"] == "compiled"
    for x, y in zip(robot.body_motion(q, v, a), plain, strict=True):
        assert error(x, y) < TOLERANCE


def test_a_robot_without_coordinates_compiles() -> None:
    builder = rd.ModelBuilder("statue")
    builder.add_body("base", mass=1.0)
    robot = rd.Robot(builder.build(), compile="wait")
    assert robot.compile("body_motion", "jacobian:base")
    assert robot.body_motion(np.zeros(0)).position.tolist() == [[0.0, 0.0, 0.0]]
    assert robot.body_motion(np.zeros((4, 0))).position.shape == (4, 1, 3)
    assert robot.jacobian(np.zeros(0), "base").shape == (6, 0)


def test_instruction_counts_do_not_grow() -> None:
    """Speed is guarded by what a kernel does, not by a clock."""
    limits = {"ur5_robot.urdf": 440, "panda.urdf": 680, "talos_reduced.urdf": 3100}
    for file, limit in limits.items():
        robot = rd.load(example(file), compile="wait")
        assert robot.compile("body_motion")
        kernel = robot._evaluators["body_motion"]._source.kernel
        assert kernel is not None
        assert kernel.instructions <= limit, file


WARM = """
import sys
import robodyn_ros as rd
robot = rd.load(sys.argv[1], compile="wait")
robot.body_motion(robot.neutral())
assert robot.kernel_states()["body_motion"] == "compiled"
print(*(name for name in ("casadi", "scipy", "rclpy") if name in sys.modules))
"""


def test_a_warm_start_traces_nothing(tmp_path: Path) -> None:
    panda = str(example("panda.urdf"))
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", WARM, panda],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split() == [], f"imported without need: {done.stdout}"
        assert done.stderr == ""
    assert len(list((tmp_path / "robodyn_ros").iterdir())) == 1
