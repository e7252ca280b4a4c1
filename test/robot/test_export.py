"""Exported C and CasADi Functions against the plain functions."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from compilers import c_compiler
from robodyn_ros.errors import ArgumentError, CompilationError, UnknownNameError
from robodyn_ros.model import Model
from robodyn_ros.robot.catalogue import operation
from robodyn_ros.robot.closure_kinds import CLOSURE_KINDS
from robodyn_ros.robot.export import FUNCTIONS, SAMPLES, casadi_of, export_c
from robodyn_ros.robot.operations import KINDS
from robodyn_ros.robot.port_notes import kind_of, port_descriptions
from robots import example, loaded, random_state, random_tree

FOUR_BAR = Path(__file__).parents[2] / "examples" / "four_bar.yaml"
STRICT = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wshadow")


def names_of(frame: str) -> list[str]:
    """Return an operation of every kind, and some with flags."""
    names = [f"{kind}:{frame}" if known.of_frame else kind for kind, known in KINDS.items()]
    return [*names, "inverse_dynamics+friction+external+loaded"]


def models() -> dict[str, Model]:
    """Return an arm, an arm with a mimic follower, and trees of every joint type."""
    return {
        "ur5": loaded(example("ur5_robot.urdf")),
        "panda": loaded(example("panda.urdf")),
        "panda on a floating base": loaded(example("panda.urdf"), "floating"),
        "tree on a prescribed base": random_tree(11, bodies=8, base="prescribed"),
    }


@pytest.mark.parametrize("which", models())
def test_exported_c_compiles_and_equals_the_plain_functions(which: str, tmp_path: Path) -> None:
    model = models()[which]
    robot = rd.Robot(model, compile="off")
    names = [*FUNCTIONS, f"jacobian:{model.body_names[-1]}"]
    files = export_c(robot, tmp_path / "new" / "c", names, name="arm")
    sources = [str(file) for file in files if file.suffix == ".c"]
    assert len(sources) == len(names) + 1
    test = tmp_path / "test"
    subprocess.run([c_compiler(), *STRICT, *sources, "-o", test, "-lm"], check=True)
    done = subprocess.run([test], check=True, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert len(lines) == len(names)
    assert all(f": {SAMPLES} samples, largest error" in line for line in lines)


@pytest.mark.parametrize("closed", [False, True])
def test_every_kind_of_operation_can_be_exported(tmp_path: Path, closed: bool) -> None:
    robot = rd.Robot(random_tree(11, bodies=8, base="prescribed"), compile="off")
    names = [name for name in names_of("tool") if kind_of(name) not in CLOSURE_KINDS]
    frame = "tool"
    if closed:
        robot = rd.load(FOUR_BAR, compile="off")
        open_alone = ("inverse_dynamics_derivatives", "forward_dynamics_derivatives")
        frame = "coupler"
        names = [name for name in names_of(frame) if kind_of(name) not in open_alone]
    robot.set_payload(frame, 1.5, (0.1, 0.2, 0.3), 0.1 * np.eye(3))
    files = export_c(robot, tmp_path, names)
    test = tmp_path / "test"
    sources = [str(file) for file in files if file.suffix == ".c"]
    subprocess.run([c_compiler(), *STRICT, *sources, "-o", test, "-lm"], check=True)
    done = subprocess.run([test], check=True, capture_output=True, text=True)
    assert len(done.stdout.splitlines()) == len(names)


def test_the_header_says_what_every_argument_is(tmp_path: Path) -> None:
    robot = rd.Robot(loaded(example("ur5_robot.urdf")), compile="off")
    header = export_c(robot, tmp_path, ["inverse_dynamics+friction"])[0].read_text()
    assert "int ur5_inverse_dynamics_friction(\n        const double *q,\n" in header
    assert "in  q [6]: coordinates, rad or m: 0 shoulder_pan_joint, 1 shoulder_lift" in header
    assert "in  gravity [3]: gravity vector, world axes, m/s^2" in header
    assert "out effort [6]: efforts conjugate to v, N m or N" in header
    assert max(map(len, header.splitlines())) <= 100


@pytest.mark.parametrize("name", names_of("b1"))
def test_every_argument_of_every_operation_is_described(name: str) -> None:
    from robodyn_ros.kernels.c_names import argument_names

    model = random_tree(11, bodies=8, base="prescribed")
    known = port_descriptions(model, kind_of(name))
    inputs, outputs = argument_names(operation(model, name).signature)
    assert [x for x in (*inputs, *outputs) if x not in known] == []


def test_the_same_export_twice_writes_the_same(tmp_path: Path) -> None:
    robot = rd.Robot(loaded(example("ur5_robot.urdf")), compile="off")
    names = ["gravity_force", "jacobian:tool0", "gravity_force"]
    first = {file.name: file.read_text() for file in export_c(robot, tmp_path, names)}
    again = {file.name: file.read_text() for file in export_c(robot, tmp_path, names)}
    assert first == again
    assert sorted(first) == [
        "CMakeLists.txt",
        "ur5.h",
        "ur5_gravity_force.c",
        "ur5_jacobian_tool0.c",
        "ur5_test.c",
    ]


def test_cmake_builds_what_is_exported(tmp_path: Path) -> None:
    robot = rd.Robot(loaded(example("ur5_robot.urdf")), compile="off")
    files = export_c(robot, tmp_path, ["gravity_force"])
    text = (tmp_path / "CMakeLists.txt").read_text()
    assert "add_library(ur5 ur5_gravity_force.c)" in text
    assert {file.name for file in files if file.suffix == ".c"} == {
        "ur5_gravity_force.c",
        "ur5_test.c",
    }
    if shutil.which("cmake") is None:
        pytest.skip("NO CMAKE: only the text of CMakeLists.txt was tested")
    build = tmp_path / "build"
    for command in (["-S", tmp_path, "-B", build], ["--build", build]):
        subprocess.run(["cmake", *command], check=True, capture_output=True)
    subprocess.run([build / "ur5_test"], check=True, capture_output=True)


def test_wrong_names_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    robot = rd.Robot(loaded(example("ur5_robot.urdf")), compile="off")
    with pytest.raises(UnknownNameError, match="inverse_dynamic"):
        export_c(robot, tmp_path / "c", ["body_motion", "inverse_dynamic"])
    with pytest.raises(UnknownNameError, match="tool9"):
        export_c(robot, tmp_path / "c", ["jacobian:tool9"])
    with pytest.raises(ArgumentError, match="at least one"):
        export_c(robot, tmp_path / "c", [])
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("name", [*FUNCTIONS, "jacobian:tool", "effort_terms"])
@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_casadi_functions_equal_the_plain_functions(name: str, base: str) -> None:
    model = random_tree(11, bodies=8, base=base)
    described = operation(model, name)
    function = casadi_of(model, name)
    signature = described.signature
    assert function.name_in() == [port for port, _ in signature.inputs]
    assert function.n_out() == len(signature.outputs)
    q, v, a = random_state(model, 3)
    known = {"q": q, "v": v, "a": a, "tau": 5.0 * a, "gravity": np.array([1.0, 2.0, -9.0])}
    inputs = [known[port] for port, _ in signature.inputs]
    results = function.call(inputs)
    expected = described.evaluate(*inputs)
    for (port, shape), result, value in zip(signature.outputs, results, expected, strict=False):
        found = result.full().reshape(shape)
        np.testing.assert_allclose(found, value, rtol=0, atol=1e-12, err_msg=port)


def test_a_casadi_function_can_be_differentiated() -> None:
    import casadi

    model = loaded(example("ur5_robot.urdf"))
    function = casadi_of(model, "inverse_dynamics")
    q, v, a = random_state(model, 1)
    arguments = [casadi.MX.sym(name, 6) for name in "qva"]
    gravity = np.array([0.0, 0.0, -9.81])
    effort = function(*arguments, gravity)
    mass = casadi.Function("mass", arguments, [casadi.jacobian(effort, arguments[2])])
    expected = rd.algorithms.mass_matrix(model, q)
    np.testing.assert_allclose(mass(q, v, a).full(), expected, atol=1e-12)


def test_without_casadi_one_error_says_what_to_install(tmp_path: Path) -> None:
    code = """
import sys
sys.modules["casadi"] = None
import robodyn_ros as rd
from robodyn_ros.robot.export import casadi_of, export_c
robot = rd.load(sys.argv[1], compile="off")
for attempt in (lambda: casadi_of(robot.model, "body_motion"), lambda: export_c(robot, "c")):
    try:
        attempt()
    except rd.CompilationError as error:
        print(error)
"""
    path = str(example("ur5_robot.urdf"))
    done = subprocess.run(
        [sys.executable, "-c", code, path], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert done.stdout.count("pip install casadi") == 2
    assert CompilationError.__name__ not in done.stderr
    assert not (tmp_path / "c").exists()
