"""Mesh files: what is read of each format, and that nothing in them does harm."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh

from robodyn_ros.viewer import meshes
from robodyn_ros.viewer.meshes import Mesh, MeshFiles, Part
from robots import example

EDGES = (0.2, 0.4, 0.6)
RED = (200, 20, 10, 255)

DAE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="{unit}"/><up_axis>{up}</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><lambert>
<diffuse><color>0.2 0.4 0.6 1</color></diffuse></lambert></technique></profile_COMMON></effect>
</library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 2 3</float_array><technique_common>
<accessor source="#a" count="3" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles material="s" count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p>
</triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node id="n">
<translate>10 0 0</translate>
<instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="s" target="#m"/></technique_common></bind_material></instance_geometry>
</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#w"/></scene></COLLADA>"""


def box_file(path: Path) -> Path:
    """Write a box with these edges about its middle; return the file."""
    trimesh.creation.box(EDGES).export(path)
    return path


def vertices(mesh: Mesh) -> np.ndarray:
    return np.concatenate([part.vertices for part in mesh.parts])


def test_what_is_read_of_each_format_is_the_same_box(tmp_path: Path) -> None:
    for ending in ("stl", "obj", "glb", "ply", "off", "STL", "dae"):
        mesh = MeshFiles().read(str(box_file(tmp_path / f"box.{ending}")))
        assert mesh.note == ""
        assert sum(len(part.faces) for part in mesh.parts) == 12
        np.testing.assert_allclose(np.ptp(vertices(mesh), axis=0), EDGES, atol=1e-6)


def test_uris_and_paths_lead_to_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "share" / "arm description" / "meshes"
    package.mkdir(parents=True)
    file = box_file(package / "box.stl")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path))
    files = MeshFiles()
    for name in (
        str(file),
        file.as_uri(),
        "package://arm description/meshes/box.stl",
        "package://arm%20description/meshes/box.stl",
        "package:///arm description/meshes/box.stl",
    ):
        assert len(files.read(name).parts) == 1


def test_a_file_is_read_once(tmp_path: Path) -> None:
    file, files = box_file(tmp_path / "box.stl"), MeshFiles()
    first = files.read(str(file))
    file.unlink()
    assert files.read(str(file)) is first
    assert "no such file" in MeshFiles().read(str(file)).note


@pytest.mark.parametrize("up", ["Z_UP", "Y_UP", "X_UP"])
def test_the_unit_of_collada_counts_and_its_up_axis_does_not(tmp_path: Path, up: str) -> None:
    file = tmp_path / "triangle.dae"
    file.write_text(DAE.format(unit="0.01", up=up))
    (part,) = MeshFiles().read(str(file)).parts
    expected = 0.01 * np.array([[10.0, 0.0, 0.0], [11.0, 0.0, 0.0], [10.0, 2.0, 3.0]])
    np.testing.assert_allclose(part.vertices, expected, atol=1e-7)
    np.testing.assert_allclose(part.color, (0.2, 0.4, 0.6, 1.0), atol=0.01)


def test_materials_of_obj_files_are_kept(tmp_path: Path) -> None:
    (tmp_path / "two.mtl").write_text("newmtl a\nKd 1 0 0\nnewmtl b\nKd 0 0 1\n")
    file = tmp_path / "two.obj"
    file.write_text(
        "mtllib two.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
        "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 4\nf 1 3 4\n"
    )
    parts = MeshFiles().read(str(file)).parts
    found = {part.color: len(part.faces) for part in parts}
    assert found == {(1.0, 0.0, 0.0, 1.0): 1, (0.0, 0.0, 1.0, 1.0): 2}


def test_painted_faces_are_told_apart_and_very_many_colours_become_one(tmp_path: Path) -> None:
    mesh = trimesh.creation.icosphere(subdivisions=3, radius=0.1)
    mesh.visual.face_colors = [RED, (10, 20, 200, 255)] * (len(mesh.faces) // 2)
    parts = meshes._by_color(mesh)
    assert [len(part.faces) for part in parts] == [len(mesh.faces) // 2] * 2
    assert {part.color for part in parts} == {
        tuple(x / 255 for x in RED), tuple(x / 255 for x in (10, 20, 200, 255))
    }  # fmt: skip
    rng = np.random.default_rng(0)
    colors = rng.integers(0, 255, (len(mesh.faces), 4))
    mesh.visual.face_colors = colors
    (part,) = meshes._by_color(mesh)
    np.testing.assert_allclose(part.color, colors.mean(axis=0) / 255.0, atol=0.01)


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("empty.stl", b"", "cannot be read|no triangles"),
        ("noise.stl", bytes(range(256)) * 9, "cannot be read|no triangles"),
        ("text.dae", b"<COLLADA>", "cannot be read|no triangles"),
        ("text.obj", b"v 1 2\nf 9 9 9\n", "cannot be read|no triangles"),
        ("points.obj", b"v 0 0 0\nv 1 0 0\n", "cannot be read|no triangles"),
        ("noise.glb", b"glTF" + bytes(100), "cannot be read|no triangles"),
        ("mesh.fbx", b"", "only .stl"),
        ("mesh", b"", "only .stl"),
    ],
)
def test_a_broken_file_becomes_a_note(tmp_path: Path, name: str, content: bytes, text: str) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    mesh = MeshFiles().read(str(file))
    assert mesh.parts == ()
    assert name in mesh.note
    assert any(each in mesh.note for each in text.split("|"))
    assert "\n" not in mesh.note


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("package://no_such_package/a.stl", "no_such_package"),
        ("package://a.stl", "package://PACKAGE/PATH"),
        ("http://example.org/a.stl", "nothing is downloaded"),
        ("/no/such/file.stl", "no such file"),
        ("no\0file.stl", "stl"),
        ("/" + "x" * 5000 + ".stl", "stl"),
        ("", "only .stl"),
    ],
)
def test_a_file_that_is_not_there_becomes_a_note(name: str, text: str) -> None:
    mesh = MeshFiles().read(name)
    assert mesh.parts == ()
    assert text in mesh.note


def test_a_folder_and_a_file_too_large_for_a_browser_become_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder.stl").mkdir()
    assert "no such file" in MeshFiles().read(str(tmp_path / "folder.stl")).note
    file = box_file(tmp_path / "box.stl")
    monkeypatch.setattr(meshes, "MOST_TRIANGLES", 11)
    assert "more than 11 triangles are too many" in MeshFiles().read(str(file)).note
    monkeypatch.setattr(meshes, "MOST_BYTES", 10)
    assert "too many for a browser" in MeshFiles().read(str(file)).note


def nodes_that_place_nodes(depth: int, last: str) -> str:
    """Return COLLADA of which each node places the next one ten times."""
    below = "".join(
        f'<node id="n{k}">' + f'<instance_node url="#n{k + 1}"/>' * 10 + "</node>"
        for k in range(depth)
    )
    return (
        '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
        "<asset><up_axis>Z_UP</up_axis></asset>"
        '<library_geometries><geometry id="g"><mesh><source id="s">'
        '<float_array id="a" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>'
        '<accessor source="#a" count="3" stride="3"><param name="X" type="float"/>'
        '<param name="Y" type="float"/><param name="Z" type="float"/></accessor>'
        '</technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/>'
        '</vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/>'
        "<p>0 1 2</p></triangles></mesh></geometry></library_geometries>"
        f'<library_nodes>{below}<node id="n{depth}">{last}</node></library_nodes>'
        '<library_visual_scenes><visual_scene id="all"><node><instance_node url="#n0"/></node>'
        "</visual_scene></library_visual_scenes>"
        '<scene><instance_visual_scene url="#all"/></scene></COLLADA>'
    )


PART = '<instance_geometry url="#g"/>'


def test_parts_that_a_file_places_again_and_again_are_all_there(tmp_path: Path) -> None:
    file = tmp_path / "hundred.dae"
    file.write_text(nodes_that_place_nodes(2, PART))
    mesh = MeshFiles().read(str(file))
    assert sum(len(part.faces) for part in mesh.parts) == 100


@pytest.mark.parametrize(
    ("depth", "last", "text"),
    [
        (12, PART, "places 1e+12 parts"),
        (3, "<instance_node url='#n0'/>", "without end"),
        (0, "<instance_node url='#n0'/>", "without end"),
    ],
)
def test_a_small_file_that_places_far_too_much_becomes_a_note(
    tmp_path: Path, depth: int, last: str, text: str
) -> None:
    file = tmp_path / "many.dae"
    file.write_text(nodes_that_place_nodes(depth, last))
    assert text in MeshFiles().read(str(file)).note


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('{"accessors": [{"count": 1e12, "type": "VEC3", "componentType": 5126}]}', "too many"),
        ('{"nodes": [{"children": [1]}, {"children": [1]}]}', "placed by two"),
        ('{"accessors": [{"type": "VEC3"}]}', "no glTF"),
        ('{"nodes": ' + "[" * 50_000, "no glTF"),
    ],
)
def test_a_small_gltf_that_states_far_too_much_becomes_a_note(
    tmp_path: Path, content: str, text: str
) -> None:
    file = tmp_path / "many.gltf"
    file.write_text(content)
    assert text in MeshFiles().read(str(file)).note


def test_numbers_that_are_none_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "far.obj"
    file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv nan 0 0\nv 1e30 0 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\n")
    (part,) = MeshFiles().read(str(file)).parts
    assert len(part.faces) == 1
    assert np.isfinite(part.vertices).all()
    assert part.radius == pytest.approx(1.0)


def test_a_mirrored_part_is_not_inside_out() -> None:
    mesh = trimesh.creation.box(EDGES)
    part = Part(mesh.vertices.astype(np.float32), mesh.faces.astype(np.uint32))
    for scale in ((1.0, 1.0, 1.0), (-1.0, 2.0, 1.0), (-1.0, -1.0, 1.0), (-1.0, -1.0, -1.0)):
        scaled = part.scaled(np.array(scale))
        volume = trimesh.Trimesh(scaled.vertices, scaled.faces, process=False).volume
        assert volume == pytest.approx(np.prod(EDGES) * abs(np.prod(scale)), rel=1e-5)


def test_real_robots_meshes_are_read_with_their_colours() -> None:
    folder = example("panda.urdf").parents[1] / "meshes" / "visual"
    finger = MeshFiles().read(str(folder / "finger.dae"))
    assert len({part.color for part in finger.parts}) == 2
    assert finger.parts[0].radius < 0.1
