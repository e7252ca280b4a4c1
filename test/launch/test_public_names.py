"""What launch files, tags and parameter files name of public packages is what these have."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
import yaml
from lxml import etree

from launch_files import ROOT, calls, constants, declared, keyword, our_executables, value
from robodyn_ros.description.gazebo import (
    GazeboSettings,
    bridge_yaml,
    controllers_yaml,
    gazebo_description,
)
from robodyn_ros.ros.controllers import command_output
from robodyn_ros.ros.controllers.parameters import COMMAND_PARAMETERS
from robodyn_ros.ros.parameter_tables import PARAMETERS

GAZEBO, CONTROL = (ROOT / "launch" / f"{name}.launch.py" for name in ("gazebo", "control"))
ROWS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "public_names.yaml").read_text()
)
CONTROLLERS = ("gravity_compensation", "computed_torque", "impedance")


def public(package: str, key: str) -> Any:
    """Return what a package's row has under a key."""
    (found,) = (row[key] for row in ROWS if row["package"] == package and key in row)
    return found


def literals(path: Path) -> list[str]:
    return [
        node.value
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def parameters(path: Path) -> dict[str, Any]:
    (section,) = yaml.safe_load(path.read_text()).values()
    return section["ros__parameters"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['package']}-{Path(row['file']).name}")
def test_every_row_says_where_it_is_from(row: dict[str, Any]) -> None:
    assert {"package", "version", "source", "file"} <= row.keys()
    assert row["source"].rpartition(", ")[2].isalnum()


def test_options_of_executables_exist() -> None:
    options = [text for text in literals(GAZEBO) if text.startswith("-") and len(text) < 40]
    own = {"-r", "-s"}  # of `gz sim`
    known = set(public("ros_gz_sim", "options")) | set(public("controller_manager", "options"))
    assert options
    assert set(options) <= known | own


def test_arguments_of_gz_sim_exist() -> None:
    (include,) = (
        node
        for node in calls(GAZEBO, "IncludeLaunchDescription")
        if isinstance(keyword(node, "launch_arguments"), ast.List)
    )
    names = [pair.elts[0].value for pair in keyword(include, "launch_arguments").elts]
    assert set(names) <= set(public("ros_gz_sim", "launch_arguments"))


def test_parameters_of_the_bridge_exist() -> None:
    (bridge,) = (
        node
        for node in calls(GAZEBO, "Node")
        if value(GAZEBO, keyword(node, "executable")) == "parameter_bridge"
    )
    (given,) = keyword(bridge, "parameters").elts
    assert {key.value for key in given.keys} <= set(public("ros_gz_bridge", "parameters"))


def test_the_bridge_file_is_what_the_command_writes_and_what_the_bridge_reads() -> None:
    rows = yaml.safe_load(bridge_yaml())
    assert rows == yaml.safe_load((ROOT / "config" / "gazebo" / "bridge.yaml").read_text())
    for row in rows:
        assert row.keys() <= set(public("ros_gz_bridge", "keys"))
        assert row["direction"] in public("ros_gz_bridge", "directions")


@pytest.mark.parametrize(("namespace", "prefix"), [("", ""), ("left", "/left/"), ("/a/b", "/a/b/")])
def test_the_controllers_have_types_and_parameters_that_exist(namespace: str, prefix: str) -> None:
    text = controllers_yaml(["b", "a: #1"], rate=250, namespace=namespace)
    data = yaml.safe_load(text)
    manager = data[f"{prefix}controller_manager"]["ros__parameters"]
    forward = data[f"{prefix}forward_effort_controller"]["ros__parameters"]
    assert manager.pop("update_rate") == 250
    types = {value["type"] for value in manager.values()}
    packages = ("forward_command_controller", "joint_state_broadcaster")
    assert types == {public(package, "type") for package in packages}
    assert forward.keys() <= set(public("forward_command_controller", "parameters"))
    assert forward == {"joints": ["b", "a: #1"], "interface_name": "effort"}


def test_the_tags_are_those_that_the_plugin_reads() -> None:
    arm = ROOT / "urdf" / "demo_arm.urdf"
    fixed = etree.parse(arm).xpath("//joint[@type='fixed']/@name")[0]
    settings = GazeboSettings(
        parameters_file="/p.yaml", namespace="left", hold=False, kept=frozenset({str(fixed)})
    )
    root = etree.fromstring(gazebo_description(arm, settings).text.encode())
    (plugin,) = root.iterfind("gazebo/plugin")
    assert plugin.get("filename") == public("gz_ros2_control", "plugin_file")
    assert plugin.get("name") == public("gz_ros2_control", "plugin_name")
    assert root.findtext("ros2_control/hardware/plugin") == public("gz_ros2_control", "system")
    elements = {child.tag: child for child in plugin}
    assert elements.keys() == {"parameters", "hold_joints", "ros"}
    assert elements.keys() <= set(public("gz_ros2_control", "elements"))
    assert {child.tag for child in elements["ros"]} <= set(
        public("gz_ros2_control", "ros_elements")
    )
    (kept,) = (gazebo for gazebo in root.iterfind("gazebo") if gazebo.get("reference") == fixed)
    assert {child.tag for child in kept} <= set(public("sdformat", "elements"))


def test_the_page_on_gazebo_has_every_argument() -> None:
    page = (ROOT / "docs" / "gazebo.md").read_text()
    table = page.partition("| argument |")[2].partition("\n\n")[0]
    first = [row.split("|")[1] for row in table.splitlines()[2:]]
    named = {name.strip("` ") for cell in first for name in cell.split(",")}
    assert named == declared(GAZEBO)


def test_our_controllers_send_to_the_controller_that_is_started() -> None:
    default = {spec.name: spec.default for spec in COMMAND_PARAMETERS}
    assert default["command_interface"] == "forward_command"
    topic = command_output._TOPICS["forward_command"]
    assert topic == public("forward_command_controller", "topic").replace(
        "~", "forward_effort_controller"
    )
    assert "forward_effort_controller" in literals(GAZEBO)
    assert public("ur_robot_driver", "controller") == "forward_effort_controller"


@pytest.mark.parametrize("arm", constants(CONTROL)["CHOICES"]["arm"])
def test_settings_of_an_arm_are_parameters_that_the_nodes_take(arm: str) -> None:
    values = parameters(ROOT / "config" / "ros2_control" / f"{arm}.yaml")
    joints = values.pop("joints", {})
    for node in CONTROLLERS:
        table = {spec.name: spec for spec in PARAMETERS[node]}
        for name, setting in values.items():
            assert table[name].problem(setting) == "", (node, name)
    shared = {spec.name: spec for spec in PARAMETERS["robodyn_node"]}
    assert shared["driver_compensates_gravity"].problem(values["driver_compensates_gravity"]) == ""
    assert {unit for joint in joints.values() for unit in joint.values()} <= {"A"}
    if arm == "simulated":
        return
    # What is careful with a real arm.
    assert values["check_order"] == "required"
    assert values["effort_limit_share"] < (0.5 if values["driver_compensates_gravity"] else 1.0)
    assert values["slew_time"] >= 0.1
    assert values["ramp_time"] >= 1.0


def test_the_joints_of_arms_are_those_of_their_drivers() -> None:
    def listed(arm: str) -> list[str]:
        values = parameters(ROOT / "config" / "ros2_control" / f"{arm}.yaml")
        return [name.strip() for name in values["command_joints"].split(",")]

    assert listed("ur") == public("ur_robot_driver", "joints")
    assert listed("franka") == public("franka_description", "joints")
    ours = ROOT / "config" / "ros2_control" / "franka_controllers.yaml"
    controller = parameters(ours)
    assert controller.pop("type") == public("forward_command_controller", "type")
    assert controller == {"joints": listed("franka"), "interface_name": "effort"}
    units = parameters(ROOT / "config" / "ros2_control" / "ur.yaml")["joints"]
    assert list(units) == listed("ur")
    topics = constants(CONTROL)["OTHER_JOINT_STATES"]
    assert topics == {"franka": public("franka_ros2", "joint_states")}


@pytest.mark.parametrize("node", CONTROLLERS)
def test_what_control_launch_sets_are_parameters_of_the_nodes(node: str) -> None:
    kinds = {spec.name: spec.kind for spec in PARAMETERS[node]}
    follower = {spec.name for spec in PARAMETERS["robodyn_node"]}
    both = {row[0] for row in constants(CONTROL)["PARAMETERS"]}
    own = set(constants(CONTROL)["STRINGS"])
    assert both <= follower
    assert {kinds[name] for name in both | own} == {str}
    assert (ROOT / "config" / f"{node}.yaml").is_file()
    assert node in our_executables()
    for arm in constants(CONTROL)["CHOICES"]["arm"]:
        values = parameters(ROOT / "config" / "ros2_control" / f"{arm}.yaml")
        assert values["environment_topic"] == "robodyn_node/environment"
