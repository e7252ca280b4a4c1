"""Launch files: all that they name exists; and they run for real wherever launch_ros imports."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ros_graph import Graph

ROOT = Path(__file__).parents[2]
LAUNCH_FILES = sorted((ROOT / "launch").glob("*.launch.py"))
OTHER_PACKAGES = {"rviz2": {"rviz2"}}
"""Executables of packages that are named besides our own."""
HAS_LAUNCH = importlib.util.find_spec("launch_ros") is not None


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def calls(path: Path, name: str) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]


def constants(path: Path) -> dict[str, object]:
    """Return the module's constants."""
    found = {}
    for node in tree(path).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = ast.literal_eval(node.value)
    return found


def value(path: Path, node: ast.expr) -> object:
    if isinstance(node, ast.Name):
        return constants(path)[node.id]
    return ast.literal_eval(node)


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((k.value for k in call.keywords if k.arg == name), None)


def declared(path: Path) -> set[str]:
    names = {row[0] for row in constants(path).get("ARGUMENTS", ())}
    for call in calls(path, "DeclareLaunchArgument"):
        if isinstance(call.args[0], ast.Constant):
            names.add(call.args[0].value)
    return names


def used(path: Path) -> set[str]:
    names = set(constants(path).get("FORWARDED", ()))
    for call in calls(path, "LaunchConfiguration"):
        if isinstance(call.args[0], ast.Constant):
            names.add(call.args[0].value)
    return names


def our_executables() -> set[str]:
    return set(re.findall(r'"(\w+) = robodyn_ros\.', (ROOT / "setup.py").read_text()))


def test_there_are_launch_files() -> None:
    names = {path.name for path in LAUNCH_FILES}
    assert {"bringup.launch.py", "demo.launch.py"} <= names


@pytest.mark.parametrize("path", LAUNCH_FILES, ids=lambda path: path.name)
def test_a_launch_file_compiles_and_says_how_it_is_used(path: Path) -> None:
    compile(path.read_text(), str(path), "exec")
    text = ast.get_docstring(tree(path)) or ""
    assert f"ros2 launch robodyn_ros {path.name}" in text


@pytest.mark.parametrize("path", LAUNCH_FILES, ids=lambda path: path.name)
def test_every_package_and_executable_exists(path: Path) -> None:
    nodes = calls(path, "Node")
    assert nodes
    for node in nodes:
        package = value(path, keyword(node, "package"))
        executable = value(path, keyword(node, "executable"))
        known = our_executables() if package == "robodyn_ros" else OTHER_PACKAGES[package]
        assert executable in known


@pytest.mark.parametrize("path", LAUNCH_FILES, ids=lambda path: path.name)
def test_every_file_named_exists_and_is_installed(path: Path) -> None:
    joined = calls(path, "PathJoinSubstitution")
    assert joined
    installed = re.search(r"DATA_DIRECTORIES = \((.*?)\)", (ROOT / "setup.py").read_text())
    for call in joined:
        parts = [part.value for part in call.args[0].elts[1:]]
        assert ROOT.joinpath(*parts).is_file()
        assert f'"{parts[0]}"' in installed.group(1)


@pytest.mark.parametrize("path", LAUNCH_FILES, ids=lambda path: path.name)
def test_arguments_declared_are_used_and_arguments_used_are_declared(path: Path) -> None:
    assert declared(path) == used(path)


def test_arguments_that_are_forwarded_exist_where_they_go() -> None:
    demo, bringup = (ROOT / "launch" / f"{name}.launch.py" for name in ("demo", "bringup"))
    assert set(constants(demo)["FORWARDED"]) <= declared(bringup)


@pytest.mark.skipif(not HAS_LAUNCH, reason="launch_ros is not installed: no ros2 launch to run")
def test_the_demo_launches_for_real_and_ends_quietly(graph: Graph) -> None:
    from tf2_msgs.msg import TFMessage

    tf = graph.listen(TFMessage, "/tf")
    code = "import sys; from ros2cli.cli import main; sys.exit(main())"
    arguments = ["launch", str(ROOT / "launch" / "demo.launch.py"), "frame_prefix:=a/"]
    process = graph.run([sys.executable, "-c", code, *arguments], PYTHONUNBUFFERED="1")
    graph.wait(lambda: len(tf) > 20, "transforms")
    assert tf[-1].transforms[0].child_frame_id.startswith("a/")
    assert process.stop(signal.SIGINT) == 0
    assert len(process.lines("finished cleanly")) == 2
    assert "Traceback" not in process.output


@pytest.mark.skipif(not HAS_LAUNCH, reason="launch_ros is not installed: no ros2 launch to run")
@pytest.mark.parametrize("path", LAUNCH_FILES, ids=lambda path: path.name)
def test_arguments_are_listed_by_ros2_launch(path: Path) -> None:
    code = "import sys; from ros2cli.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "launch", str(path), "--show-args"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
    for name in declared(path):
        assert f"'{name}'" in shown.stdout
