"""`import robodyn_ros as rd`: the names, what importing costs, and the calls of the first page."""

from __future__ import annotations

import inspect
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error
from robots import OWN_ROBOTS

ARM = OWN_ROBOTS / "mimic_chain.urdf"


def test_all_is_the_list_of_public_names() -> None:
    assert sorted(rd.__all__) == list(rd.__all__)
    assert len(set(rd.__all__)) == len(rd.__all__)
    for name in rd.__all__:
        assert getattr(rd, name) is not None
    features = {name for name in vars(rd) if type(vars(rd)[name]).__name__ == "_Feature"}
    modules = {name for name in vars(rd) if isinstance(vars(rd)[name], types.ModuleType)}
    public = {name for name in dir(rd) if not name.startswith("_")} - features
    assert public - modules <= set(rd.__all__)


def test_star_gives_those_names() -> None:
    names: dict[str, object] = {}
    exec("from robodyn_ros import *", names)  # the very thing under test
    assert set(names) - {"__builtins__"} == set(rd.__all__)


@pytest.mark.parametrize("name", rd.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    documentation = inspect.getdoc(getattr(rd, name))
    assert documentation
    assert documentation.strip().endswith((".", ")", "`")) or "\n" in documentation


def test_every_algorithm_is_documented_and_listed() -> None:
    for name in rd.algorithms.__all__:
        assert inspect.getdoc(getattr(rd.algorithms, name))


def test_every_public_method_of_a_robot_is_documented() -> None:
    for name, member in inspect.getmembers(rd.Robot):
        if not name.startswith("_"):
            assert inspect.getdoc(member), name


def modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"{code}\nimport sys; print(*sorted(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return set(done.stdout.split())


HEAVY = {"rclpy", "casadi", "scipy", "llvmlite", "matplotlib", "xacro", "pinocchio"}


def test_importing_it_imports_nothing_heavy() -> None:
    loaded = modules_after("import robodyn_ros")
    assert not loaded & HEAVY
    assert not {name for name in loaded if name.endswith("_msgs") or "_msgs." in name}


def test_loading_and_calling_on_the_plain_path_imports_nothing_heavy() -> None:
    code = (
        "import robodyn_ros as rd\n"
        f"robot = rd.load({str(ARM)!r}, compile='off')\n"
        "q = robot.random_configuration(1)\n"
        "robot.body_motion(q); robot.jacobian(q, 'palm'); robot.report().text()\n"
        "robot.difference(q, robot.integrate(q, robot.model.nv * [0.1], 0.5))"
    )
    assert not modules_after(code) & HEAVY


def test_importing_it_has_no_effect(tmp_path: Path) -> None:
    code = "import os, threading; before = threading.active_count(); import robodyn_ros; "
    code += "assert threading.active_count() == before; print(sorted(os.listdir('.')))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(rd.__file__).parents[1]), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["path", "text path", "text", "bytes"])
def test_load_takes_paths_and_text(form: str) -> None:
    source = {
        "path": ARM,
        "text path": str(ARM),
        "text": ARM.read_text(),
        "bytes": ARM.read_bytes(),
    }[form]
    robot = rd.load(source, compile="off")
    assert robot.model.name == "mimic_chain"


def test_load_takes_base_and_root() -> None:
    robot = rd.load(ARM, base="floating", root="palm", compile="off")
    assert robot.model.base == "floating"
    assert robot.model.body_names[:2] == ("world", "palm")
    with pytest.raises(rd.DescriptionError, match="'ghost'"):
        rd.load(ARM, root="ghost", compile="off")
    with pytest.raises(rd.ArgumentError, match="'flying'"):
        rd.load(ARM, base="flying", compile="off")  # type: ignore[arg-type]


def test_the_calls_of_the_first_page() -> None:
    robot = rd.load(ARM, compile="off")
    m = robot.model
    assert (m.parent[0], m.nb, len(m.body_names)) == (-1, len(m.parent), m.nb)
    assert len(m.coordinate_names) == m.nv
    assert m.subtree(0) == tuple(range(m.nb))
    assert m.support(1) == (1,)
    assert m.children(0)
    rng = np.random.default_rng(0)
    q = robot.random_configuration(rng)
    assert q.shape == robot.neutral().shape == (m.nq,)
    assert robot.configuration({m.joint_names[0]: 0.3})[0] == 0.3
    v, a = rng.normal(size=(2, m.nv))
    assert error(robot.difference(q, robot.integrate(q, v, 0.1)), 0.1 * v) < 1e-12
    motion = robot.body_motion(q, v, a, out=None)
    plain = rd.algorithms.body_motion(m, q, v, a, environment=robot.environment)
    for name in plain._fields:
        assert error(getattr(motion, name), getattr(plain, name)) < 1e-12
    J = robot.jacobian(q, "palm")
    palm = m.body_index("palm")
    twist = np.concatenate([motion.angular_velocity[palm], motion.linear_velocity[palm]])
    assert error(J @ v, twist) < 1e-12
    robot.gravity = (0, 0, -9.81)
    assert robot.report().to_dict()["name"] == "mimic_chain"


@pytest.mark.parametrize("frame", ["plam", "", "jacobian:palm", 3, None])
def test_an_unknown_frame_is_told(frame: object) -> None:
    robot = rd.load(ARM, compile="off")
    with pytest.raises(rd.UnknownNameError, match="no frame is called"):
        robot.jacobian(robot.neutral(), frame)  # type: ignore[arg-type]
    assert set(robot.kernel_states()) <= {"body_motion", "center_of_mass_motion"}


@pytest.mark.parametrize("name", ["body_motio", "", "jacobian"])
def test_compiling_an_unknown_operation_is_told(name: str) -> None:
    robot = rd.load(ARM, compile="off")
    with pytest.raises(rd.UnknownNameError):
        robot.compile(name)


def test_a_plain_robot_says_so() -> None:
    robot = rd.load(ARM, compile="off")
    robot.body_motion(robot.neutral())
    assert robot.kernel_states()["body_motion"] == "plain"
    assert robot.compile() is False
    with pytest.raises(rd.UnknownNameError, match="palm"):
        robot.compile("jacobian:pal")


def test_errors_are_of_one_family_and_of_the_builtin_kind() -> None:
    for error_type, builtin in (
        (rd.DescriptionError, ValueError),
        (rd.ArgumentError, ValueError),
        (rd.UnknownNameError, KeyError),
        (rd.CompilationError, RuntimeError),
    ):
        assert issubclass(error_type, rd.RobodynError)
        assert issubclass(error_type, builtin)
    assert str(rd.UnknownNameError("plain text")) == "plain text"
