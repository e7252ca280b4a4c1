"""Values that are refused before anything is started, and those that are not."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("launch_ros", reason="launch_ros is not installed")

from launch import LaunchContext

from robodyn_ros.errors import RobodynError
from robodyn_ros.launching.arguments import flag, given, number, whole
from robodyn_ros.launching.checks import checked

ROOT = Path(__file__).parents[2]
ARM = str(ROOT / "urdf" / "demo_arm.urdf")
ROWS = (
    ("namespace", "", ""),
    ("base", "", ""),
    ("hold", "", ""),
    ("viewer", "false", ""),
    ("enable_topic", "", ""),
    ("robot_description_topic", "robot_description", ""),
    ("wrench_topics", "", ""),
    ("robot_description_file", "", ""),
    ("params_file", "", ""),
    ("base_motion_file", "", ""),
)


def context(**values: str) -> LaunchContext:
    made = LaunchContext()
    made.launch_configurations.update({name: default for name, default, _ in ROWS} | values)
    return made


def refuse(**values: str) -> None:
    checked(ROWS, flags=("hold", "viewer"), nodes=["simulator", "robodyn_node"]).execute(
        context(**values)
    )


def written(folder: Path, text: str) -> str:
    file = folder / "parameters.yaml"
    file.write_text(text)
    return str(file)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("namespace", "a b", "namespace: 'a b' is no namespace"),
        ("namespace", "/left/1", "is no namespace"),
        ("base", "welded", "base must be one of described, fixed"),
        ("hold", "maybe", "hold must be true or false, got 'maybe'"),
        ("viewer", "", "viewer must be true or false, got ''"),
        ("enable_topic", "//a", "enable_topic: '//a' is no name of a topic"),
        ("robot_description_topic", "", "robot_description_topic: '' is no name of a topic"),
        ("wrench_topics", "tool, a-b", "wrench_topics: 'a-b' is no name of a topic"),
        ("robot_description_file", "/no/such.urdf", "cannot read '/no/such.urdf'"),
        ("robot_description_file", "~/no/such.xacro", "cannot read "),
        ("params_file", "~/my.yaml", "'~/my.yaml' is no file"),
        ("params_file", str(ROOT), "is no file"),
        ("base_motion_file", "/no/motion.csv", "'/no/motion.csv' is no file ('/' has no folder"),
    ],
)
def test_what_cannot_be_is_one_line_that_names_it(name: str, value: str, said: str) -> None:
    with pytest.raises(RobodynError) as error:
        refuse(**{name: value})
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [1\n", "is not valid YAML at line 2"),
        ("a:\n\tb: 1\n", "is not valid YAML at line 2"),
        ("\0", "cannot be read"),
        ("- a\n", "it has no ros__parameters"),
        ("state_publisher: {rate: 3}\n", "'rate' has no ros__parameters; write NODE: "),
        ("ns: {node: {ros__parameters: 3}}\n", "'node' has no ros__parameters"),
    ],
)
def test_a_file_without_parameters_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(RobodynError, match=said.replace("(", r"\(")):
        refuse(params_file=written(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        "/**: {ros__parameters: {a: 1}}\n",
        "ns:\n  node:\n    ros__parameters:\n      a: 1\n      a: 2\n",
        "{}\n",
    ],
)
def test_parameter_files_are_taken(tmp_path: Path, text: str) -> None:
    refuse(params_file=written(tmp_path, text))


def test_what_nodes_take_is_let_pass() -> None:
    refuse()
    refuse(
        namespace="/left/arm",
        base="floating",
        hold="True",
        viewer="1",
        enable_topic="~/enable",
        robot_description_topic="/arm/description",
        wrench_topics="tool, /base/wrench,",
        robot_description_file=ARM,
    )


def test_only_what_is_set_is_given() -> None:
    some = context(base="fixed", hold="false")
    found = given(some, ["base", "hold", "namespace"], ["hold"])
    assert found.keys() == {"base", "hold"}
    assert found["hold"] is False
    assert flag(some, "viewer") is False


@pytest.mark.parametrize("value", ["", "fast", "nan", "inf", "11", "-1"])
def test_numbers_are_numbers_within_their_bounds(value: str) -> None:
    some = context(rate=value, most="10", count="3.5")
    assert number(some, "most", 0.0, 10.0) == 10.0
    with pytest.raises(RobodynError, match="rate must be"):
        number(some, "rate", 0.0, 10.0)
    with pytest.raises(RobodynError, match=r"count must be an integer, got '3\.5'"):
        whole(some, "count")
