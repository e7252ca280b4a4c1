"""Frames, markers, surroundings, simulation and drawing; which sources are mechanism files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_ros import find_robot, load
from robodyn_ros.description import load_description, load_model
from robodyn_ros.description.findings import described_findings
from robodyn_ros.errors import ArgumentError, DescriptionError, UnknownNameError

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))
TEXT = """mechanism: 1
name: two
base: prescribed
root: b
gravity: [0, 0, -1.62]
parameters: {r: 0.5}
bodies: {a: {mass: 1}, b: {mass: 1}}
joints: {j: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}}
frames: {f: {body: b, position: [0, 0, r]}}
markers:
  p: {body: a, position: [0, 0, r]}
  u: {body: b, direction: [0, 0.6, 0.8]}
base_motion:
  position: [1, 2, 3]
  rpy: [0, 0, "pi / 2"]
  angular_velocity: [0, 0, 1]
  linear_velocity: [1, 0, 0]
  angular_acceleration: [0, 0, 2]
  linear_acceleration: [2, 0, 0]
workspace: {name: bench, position: [0, 0, 1]}
simulation: {time: 10, step: 1e-3}
drawing:
  a: [{shape: box, size: [1, 2, 3], position: [0, 0, 1], color: [1, 0, 0, 0.5]}]
  f:
    - {shape: sphere, radius: r}
    - {shape: cylinder, radius: 0.1, length: 1}
    - {shape: bar, from: [0, 0, 0], to: [2, 0, 0], radius: 0.1, position: [0, 0, 1]}
    - {shape: mesh, file: meshes/a.stl}
"""


def test_the_base_the_root_and_the_surroundings_are_the_file_s() -> None:
    model = load_model(TEXT)
    assert (model.base, model.body_names) == ("prescribed", ("world", "b", "a"))
    environment = model.defaults.environment
    np.testing.assert_array_equal(environment.gravity, [0, 0, -1.62])
    motion = environment.base_motion
    np.testing.assert_array_equal(motion.position, [1, 2, 3])
    np.testing.assert_allclose(motion.rotation, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-15)
    np.testing.assert_array_equal(motion.angular_velocity, [0, 0, 1])
    np.testing.assert_array_equal(motion.linear_velocity, [1, 0, 0])
    np.testing.assert_array_equal(motion.angular_acceleration, [0, 0, 2])
    np.testing.assert_array_equal(motion.linear_acceleration, [2, 0, 0])


def test_arguments_stand_in_the_place_of_what_the_file_says() -> None:
    model = load_model(TEXT, base="floating", root="a")
    assert (model.base, model.body_names) == ("floating", ("world", "a", "b"))
    assert load_model("mechanism: 1\nbodies: {a: }").base == "fixed"
    with pytest.raises(ArgumentError, match="base must be one of"):
        load_model(TEXT, base="fluid")  # type: ignore[arg-type]


def test_a_floating_base_begins_where_the_file_says() -> None:
    text = TEXT.replace("base: prescribed", "base: floating").partition("base_motion:")[0] + (
        "initial:\n  positions: {floating_base: [1, 2, 3, 0, 0, 0.7071, 0.7071], j: 0.5}\n"
        "  velocities: {floating_base: [1, 2, 3, 4, 5, 6]}\n"
    )
    defaults = load_model(text).defaults
    half = np.sqrt(0.5)
    np.testing.assert_allclose(defaults.q, [1, 2, 3, 0, 0, half, half, 0.5], atol=1e-15)
    np.testing.assert_array_equal(defaults.v, [1, 2, 3, 4, 5, 6, 0])
    with pytest.raises(DescriptionError, match="positions/floating_base: no joint"):
        load_model(text, base="fixed")


def test_frames_and_markers_are_the_model_s() -> None:
    model = load_model(TEXT, parameters={"r": 2.0})
    assert model.frames["f"].body == model.body_index("b")
    np.testing.assert_array_equal(model.frames["f"].position, [0, 0, 2])
    point, direction = model.markers
    assert (point.name, point.kind, point.body) == ("p", "position", model.body_index("a"))
    np.testing.assert_array_equal(point.vector, [0, 0, 2])
    assert (direction.name, direction.kind) == ("u", "direction")
    np.testing.assert_allclose(direction.vector, [0, 0.6, 0.8], atol=1e-15)


@pytest.mark.parametrize("base", ["fixed", "floating", "prescribed"])
def test_the_workspace_is_a_frame_of_body_0(base: str) -> None:
    model = load_model(TEXT, base=base)  # type: ignore[arg-type]
    assert model.frames["bench"].body == 0
    np.testing.assert_array_equal(model.frames["bench"].position, [0, 0, 1])


def test_simulation_and_parameters_are_plain_data() -> None:
    described = load_description(TEXT)
    assert (described.simulation.time, described.simulation.step) == (10.0, 1e-3)
    assert described.parameters == {"r": 0.5}
    urdf = load_description('<robot name="r"><link name="a"/></robot>')
    assert (urdf.simulation.time, urdf.drawing, dict(urdf.parameters)) == (None, (), {})


def test_shapes_have_size_pose_and_color() -> None:
    box, sphere, cylinder, bar, mesh = load_description(TEXT).drawing
    assert [s.body for s in (box, sphere, cylinder, bar, mesh)] == ["a", "f", "f", "f", "f"]
    assert [s.kind for s in (box, sphere, cylinder, bar, mesh)] == [
        *("box", "sphere", "cylinder", "cylinder", "mesh"),
    ]
    np.testing.assert_array_equal(box.size, [1, 2, 3])
    np.testing.assert_array_equal(box.position, [0, 0, 1])
    np.testing.assert_array_equal(box.color, [1, 0, 0, 0.5])
    np.testing.assert_array_equal(sphere.size, [1, 1, 1])
    np.testing.assert_allclose(cylinder.size, [0.2, 0.2, 1])
    np.testing.assert_allclose(bar.size, [0.2, 0.2, 2])
    np.testing.assert_allclose(bar.position, [1, 0, 1])
    np.testing.assert_allclose(bar.rotation @ [0, 0, 1], [1, 0, 0], atol=1e-15)
    assert mesh.file == "meshes/a.stl"


def test_a_mesh_lies_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "two.yml"
    path.write_text(TEXT)
    assert load_description(path).drawing[-1].file == str(tmp_path / "meshes/a.stl")


def test_overrides_of_parameters_are_checked() -> None:
    with pytest.raises(UnknownNameError, match=r"no parameter is called 'R'.*did you mean 'r'\?"):
        load(TEXT, parameters={"R": 1.0})
    for value in ("1", True, float("nan"), float("inf"), None, 1e31):
        with pytest.raises(ArgumentError, match="parameter 'r'"):
            load(TEXT, parameters={"r": value})  # type: ignore[dict-item]
    with pytest.raises(ArgumentError, match="mapping"):
        load(TEXT, parameters=[1])  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="only a mechanism file has parameters"):
        load(ROOT / "urdf" / "demo_arm.urdf", parameters={"r": 1.0})


@pytest.mark.parametrize(
    "text",
    [
        "mechanism: 1\nbodies: {a: }",
        "# <robot>\n\n  \nmechanism: 1\nbodies: {a: }",
        "---\n'mechanism': 1\nbodies: {a: }",
        "{mechanism: 1, bodies: {a: }}",
        '{"mechanism": 1, "bodies": {"a": {"mass": 1}}}',
        "%YAML 1.2\n---\nmechanism: 1\nbodies: {a: }\n# a < b\n",
        "\ufeffmechanism : 1\r\nbodies: {a: }\r\n",
    ],
)
def test_text_that_begins_with_the_version_is_a_mechanism_file(text: str) -> None:
    assert load_model(text).body_names == ("a",)
    assert load_model(text.encode()).body_names == ("a",)


def test_a_file_is_known_by_its_ending(tmp_path: Path) -> None:
    for name in ("arm.yaml", "ARM.YML"):
        path = tmp_path / name
        path.write_text("bodies: {a: }\nmechanism: 1\n")
        assert load_model(path).name == name.partition(".")[0]
        assert load_model(str(path)).name == name.partition(".")[0]
    path.write_text("")
    with pytest.raises(DescriptionError, match="empty"):
        load_model(path)
    with pytest.raises(DescriptionError, match=r"cannot read .*\.yaml.*No such file"):
        load_model(tmp_path / "none.yaml")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_robots_with_little_to_complain_of(path: Path) -> None:
    robot = load(find_robot(str(path)), compile="off")
    assert robot.model.nv > 1
    model, found = described_findings(path)
    assert model.fingerprint == robot.model.fingerprint
    assert [finding for finding in found if finding.severity == "error"] == []


def test_findings_have_the_lines_of_the_file() -> None:
    text = (
        "mechanism: 1\nbodies:\n  a:\n  b: {mass: 1, inertia: [1, 0, 0, 1, 0, 5]}\n"
        "joints:\n  j: {type: revolute, parent: a, child: b}\n"
    )
    lines = {finding.element: finding.line for finding in described_findings(text)[1]}
    assert lines["link 'b'"] == 4
    assert lines["joint 'j'"] == 6
