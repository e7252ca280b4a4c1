"""What is published of a mechanism file has absolute paths, and is the same file besides."""

from __future__ import annotations

import json
from pathlib import Path

from robodyn_ros.description import load_description
from robodyn_ros.description.published import description_text
from robodyn_ros.description.source import read_source

TEXT = """mechanism: 1  # with a note
bodies: {base: , arm: {mass: 1}}
joints: {turn: {type: continuous, parent: base, child: arm}}
drawing:
  base:
    - {shape: mesh, file: &stand "meshes/the stand.stl"}
    - {shape: mesh, file: package://robot/meshes/base.stl}
  arm:
    - {shape: sphere, radius: 1}
    - {shape: mesh, file: *stand}
    - shape: mesh
      file: arm.stl
"""


def test_meshes_are_given_by_absolute_paths(tmp_path: Path) -> None:
    path = tmp_path / "robot.yaml"
    path.write_text(TEXT)
    text = description_text(read_source(path))
    stand, arm = (json.dumps(str(tmp_path / x)) for x in ("meshes/the stand.stl", "arm.stl"))
    expected = TEXT.replace('"meshes/the stand.stl"', stand).replace("arm.stl", arm)
    assert text == expected
    files = [shape.file for shape in load_description(text).drawing]
    assert files == [shape.file for shape in load_description(path).drawing]
    assert files[2:] == ["", str(tmp_path / "meshes/the stand.stl"), str(tmp_path / "arm.stl")]


def test_of_a_text_nothing_is_changed() -> None:
    assert description_text(read_source(TEXT)) == TEXT
