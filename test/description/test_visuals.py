"""What descriptions draw their robots with: the elements of URDFs as shapes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_ros.description import load_description
from robodyn_ros.description.source import text_document
from robodyn_ros.description.visuals import Visuals, visuals_of
from robodyn_ros.spatial import rotation_from_rpy
from robots import usable_urdfs

HEAD = '<?xml version="1.0"?>'


def drawn(urdf: str, *, version: str = "1.0") -> Visuals:
    """Return what a robot of one link `a` is drawn with, given what the link consists of."""
    text = f'<robot name="r" version="{version}"><link name="a">{urdf}</link></robot>'
    document = text_document(text)
    return visuals_of(document, load_description(document))


def visual(geometry: str, rest: str = "") -> str:
    return f"<visual>{rest}<geometry>{geometry}</geometry></visual>"


@pytest.mark.parametrize(
    ("geometry", "kind", "size"),
    [
        ('<box size="1 2 3"/>', "box", (1.0, 2.0, 3.0)),
        ('<sphere radius="0.5"/>', "sphere", (1.0, 1.0, 1.0)),
        ('<cylinder radius="0.5" length="3"/>', "cylinder", (1.0, 1.0, 3.0)),
        ('<mesh filename="package://p/a.stl"/>', "mesh", (1.0, 1.0, 1.0)),
        ('<mesh filename="package://p/a.stl" scale="1e-3 -1 2"/>', "mesh", (1e-3, -1.0, 2.0)),
    ],
)
def test_geometries_are_shapes(geometry: str, kind: str, size: tuple[float, ...]) -> None:
    found = drawn(visual(geometry))
    (shape,) = found.shapes
    assert (shape.body, shape.kind, found.notes) == ("a", kind, ())
    assert shape.file == ("package://p/a.stl" if kind == "mesh" else "")
    assert shape.own_color == (kind == "mesh")
    np.testing.assert_allclose(shape.size, size)
    np.testing.assert_allclose(shape.position, 0.0)
    np.testing.assert_allclose(shape.rotation, np.eye(3))


def test_a_capsule_is_a_cylinder_between_spheres() -> None:
    origin = '<origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/>'
    shapes = drawn(visual('<capsule radius="0.5" length="3"/>', origin)).shapes
    assert [shape.kind for shape in shapes] == ["cylinder", "sphere", "sphere"]
    ends = sorted(tuple(shape.position) for shape in shapes[1:])
    np.testing.assert_allclose(ends, [(-0.5, 0.0, 0.0), (2.5, 0.0, 0.0)], atol=1e-12)


def test_origins_place_shapes() -> None:
    origin = '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'
    (shape,) = drawn(visual('<sphere radius="1"/>', origin)).shapes
    np.testing.assert_allclose(shape.position, (1.0, 2.0, 3.0))
    np.testing.assert_allclose(shape.rotation, rotation_from_rpy((0.1, 0.2, 0.3)))


def test_quaternions_count_since_version_1_1() -> None:
    origin = '<origin xyz="0 0 1" quat_xyzw="0 0 2 2"/>'
    turned = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    for version, expected in (("1.1", turned), ("1.0", np.eye(3))):
        (shape,) = drawn(visual('<sphere radius="1"/>', origin), version=version).shapes
        np.testing.assert_allclose(shape.rotation, expected, atol=1e-12)


def test_materials_go_by_name_wherever_they_are_defined() -> None:
    text = (
        '<robot name="r"><link name="a">'
        '<visual><geometry><box size="1 1 1"/></geometry><material name="red"/></visual>'
        '<visual><geometry><box size="1 1 1"/></geometry><material name="blue"/></visual>'
        '<visual><geometry><box size="1 1 1"/></geometry><material name="none"/></visual>'
        '<visual><geometry><box size="1 1 1"/></geometry>'
        '<material name="red"><color rgba="0 1 0 0.5"/></material></visual>'
        '<visual><geometry><box size="1 1 1"/></geometry>'
        '<material name="blue"><color rgba="0 0 1 2"/></material></visual></link>'
        '<material name="red"><color rgba="1 0 0 1"/></material></robot>'
    )
    document = text_document(text)
    colors = [tuple(x.color) for x in visuals_of(document, load_description(document)).shapes]
    grey = (0.6, 0.6, 0.65, 1.0)
    assert colors == [(1, 0, 0, 1), (0, 0, 1, 1), grey, (0, 1, 0, 0.5), (0, 0, 1, 1)]


@pytest.mark.parametrize(
    ("element", "text"),
    [
        ("<visual/>", "lacks a <geometry> with a shape"),
        ("<visual><geometry/></visual>", "lacks a <geometry> with a shape"),
        (visual("<cone/>"), "<cone> is none of box, sphere"),
        (visual("<mesh/>"), "lacks filename"),
        (visual('<mesh filename=" "/>'), "lacks filename"),
        (visual('<mesh filename="a.stl" scale="1 2"/>'), "scale of <mesh>: needs 3 numbers"),
        (visual("<sphere/>"), "<sphere> lacks radius"),
        (visual('<sphere radius="0"/>'), "radius of <sphere> must be > 0"),
        (visual('<sphere radius="nan"/>'), "not a finite number"),
        (visual('<box size="1 2"/>'), "size of <box>: needs 3 numbers and has 2"),
        (visual('<box size="1 -2 3"/>'), "must be > 0"),
        (visual('<box size="1 2 3"/>', '<origin xyz="1,0,0"/>'), "xyz of <origin>"),
        (visual('<box size="1 2 3"/>', '<origin rpy="a b c"/>'), "rpy of <origin>"),
    ],
)
def test_what_cannot_be_drawn_is_a_note_and_loading_goes_on(element: str, text: str) -> None:
    found = drawn(element + visual('<sphere radius="1"/>'))
    assert [shape.kind for shape in found.shapes] == ["sphere"]
    (note,) = found.notes
    assert text in note
    assert "line 1" in note
    assert "link 'a'" in note


def test_collisions_are_apart() -> None:
    found = drawn('<collision><geometry><box size="1 1 1"/></geometry></collision>')
    assert found.shapes == ()
    assert [shape.kind for shape in found.collisions] == ["box"]


def test_relative_meshes_lie_beside_the_file_and_those_of_a_text_nowhere(tmp_path: Path) -> None:
    text = f'<robot name="r"><link name="a">{visual("<mesh filename=MESH/>")}</link></robot>'
    text = text.replace("MESH", '"meshes/a.stl"')
    file = tmp_path / "r.urdf"
    file.write_text(text)
    (shape,) = visuals_of(file, load_description(file)).shapes
    assert shape.file == str(tmp_path / "meshes/a.stl")
    (shape,) = visuals_of(text, load_description(text)).shapes
    assert shape.file == "meshes/a.stl"


def test_xacro_is_expanded_and_its_meshes_lie_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "r.urdf.xacro"
    file.write_text(
        f'{HEAD}<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:property name="size" value="2"/><link name="a">'
        + visual('<box size="${size} 1 1"/>')
        + visual('<mesh filename="a.stl"/>')
        + "</link></robot>"
    )
    box, mesh = visuals_of(file, load_description(file)).shapes
    np.testing.assert_allclose(box.size, (2.0, 1.0, 1.0))
    assert mesh.file == str(tmp_path / "a.stl")


def test_a_mechanism_file_over_a_urdf_draws_what_it_says_and_keeps_the_rest(
    tmp_path: Path,
) -> None:
    links = "".join(
        f'<link name="{name}">{visual("<sphere radius=R/>".replace("R", repr("1")))}</link>'
        for name in "ab"
    ).replace("'1'", '"1"')
    (tmp_path / "r.urdf").write_text(
        f'<robot name="r">{links}<joint name="j" type="fixed"><parent link="a"/>'
        '<child link="b"/></joint></robot>'
    )
    file = tmp_path / "r.yaml"
    file.write_text(
        "mechanism: 1\nurdf: r.urdf\nframes: {f: {body: b, position: [0, 0, 1]}}\n"
        "drawing:\n  a: [{shape: box, size: [1, 1, 1], color: [1, 0, 0, 1]}]\n"
        "  f: [{shape: mesh, file: f.stl}]\n"
    )
    shapes = visuals_of(file, load_description(file)).shapes
    assert [(x.body, x.kind) for x in shapes] == [("a", "box"), ("f", "mesh"), ("b", "sphere")]
    assert shapes[1].own_color
    assert shapes[1].file == str(tmp_path / "f.stl")


def test_a_mechanism_file_alone_has_its_drawing() -> None:
    file = Path(__file__).parents[2] / "examples" / "four_bar.yaml"
    description = load_description(file)
    assert visuals_of(file, description) == Visuals(tuple(description.drawing))


def test_links_of_example_robots_are_drawn() -> None:
    for path in usable_urdfs():
        description = load_description(path)
        found = visuals_of(path, description)
        assert {shape.body for shape in found.shapes} <= set(description.model.frames)
        assert all("is none of" in note or "lacks" in note for note in found.notes), path
