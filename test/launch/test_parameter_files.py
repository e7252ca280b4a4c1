"""Parameter files and the RViz file: what they set exists and is what the nodes would take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from robodyn_ros.ros.parameter_specs import Spec
from robodyn_ros.ros.parameter_tables import PARAMETERS as TABLES

ROOT = Path(__file__).parents[2]
#: Given by launch files, so that a parameter file must not set them.
FROM_LAUNCH = {"robot_description", "robot_description_file", "frame_prefix"}


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def frame_of(manager: dict[str, Any]) -> str:
    return str(manager["Global Options"]["Fixed Frame"])


@pytest.mark.parametrize("name", TABLES)
def test_a_parameter_file_sets_every_parameter_to_its_default(name: str) -> None:
    (section,) = read(ROOT / "config" / f"{name}.yaml").values()
    values = section["ros__parameters"]
    table: dict[str, Spec] = {spec.name: spec for spec in TABLES[name]}
    described = {spec.name for spec in TABLES[name] if spec.default is None}
    assert set(values) == set(table) - FROM_LAUNCH - described
    for key, value in values.items():
        assert table[key].problem(value) == ""
        assert value == table[key].default


def test_every_parameter_file_belongs_to_a_node() -> None:
    assert {path.stem for path in (ROOT / "config").glob("*.yaml")} == set(TABLES)


def test_rviz_shows_the_robot_and_its_frames_in_a_frame_of_our_arm() -> None:
    manager = read(ROOT / "rviz" / "robodyn.rviz")["Visualization Manager"]
    displays = {display["Class"].partition("/")[2]: display for display in manager["Displays"]}
    assert {"RobotModel", "TF", "Grid"} <= displays.keys()
    topic = displays["RobotModel"]["Description Topic"]
    assert topic["Value"] == "robot_description"
    assert topic["Durability Policy"] == "Transient Local"
    arm = (ROOT / "urdf" / "demo_arm.urdf").read_text()
    assert f'<link name="{frame_of(manager)}"' in arm


def test_what_the_page_says_of_rviz_is_what_its_file_has() -> None:
    page = (ROOT / "docs" / "nodes.md").read_text()
    manager = read(ROOT / "rviz" / "robodyn.rviz")["Visualization Manager"]
    (model,) = (x for x in manager["Displays"] if x["Name"] == "RobotModel")
    assert f"**Fixed Frame** (Displays, Global Options) is `{frame_of(manager)}`." in page
    assert "**TF Prefix** (Displays, RobotModel) is empty." in page
    assert model["TF Prefix"] == ""
