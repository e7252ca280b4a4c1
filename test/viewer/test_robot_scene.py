"""Robots on a page: their paths, poses and shapes, and what is sent of them."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
import trimesh

from robodyn_ros.errors import ArgumentError
from robodyn_ros.spatial import quaternion_from_matrix
from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.robot_scene import RobotScene
from robodyn_ros.viewer.settings import COLORS
from robots import example
from viewed import EXAMPLES, move, nodes, rotation_of, shown

ROBOTS = ("panda.urdf", "ur5_robot.urdf", "talos_reduced.urdf")
MECHANISMS = ("four_bar.yaml", "stewart_platform_rods.yaml", "arm_with_tool.yaml", "scara_dh.yaml")


def found(name: str) -> Path:
    return example(name) if name.endswith(".urdf") else EXAMPLES / name


@pytest.mark.parametrize("name", [*ROBOTS, *MECHANISMS])
def test_nodes_of_links_are_where_the_bodies_are(page: Page, name: str) -> None:
    scene, robot = shown(page, found(name))
    model = robot.model
    q = robot.initial_state[0]
    motion = robot.body_motion(q)
    for states in range(2):
        for body, link in enumerate(model.body_names):
            node = nodes(page)[scene.body_path(link)]
            np.testing.assert_allclose(node.position, motion.position[body], atol=2e-6)
            np.testing.assert_allclose(rotation_of(node), motion.rotation[body], atol=5e-6)
        if states == 0:
            q = robot.closed(q) if model.is_closed else robot.random_configuration(3)
            motion = move(scene, robot, q)


@pytest.mark.parametrize("name", ROBOTS)
def test_every_visual_is_drawn_where_its_link_has_it(page: Page, name: str) -> None:
    scene, _ = shown(page, found(name))
    assert scene.notes == ()
    drawn = nodes(page, f"{scene.root}/")
    own = [x for x in drawn if "/visuals/" in x and "/shared/" not in x]
    common = [x for x in drawn if x.startswith(f"{scene.root}/shared/visuals/")]
    assert own
    for path in own:
        assert path.split("/visuals/")[0] in {scene.body_path(b) for b in scene.model.body_names}
    assert bool(common) == (name != "ur5_robot.urdf")


def test_a_mesh_in_several_places_is_sent_once_and_follows_its_links(
    page: Page, tmp_path: Path
) -> None:
    trimesh.creation.box((0.1, 0.1, 0.1)).export(tmp_path / "box.stl")
    visual = (
        '<visual><origin xyz="{0} 0 0" rpy="0 0 0.5"/><geometry><mesh filename="box.stl"'
        ' scale="{1}"/></geometry><material name="m{0}"><color rgba="{0} 0 0 1"/></material>'
        "</visual>"
    )
    file = tmp_path / "arm.urdf"
    file.write_text(
        f'<robot name="arm"><link name="a">{visual.format(0.25, "1 1 1")}</link>'
        f'<link name="b">{visual.format(0.5, "1 1 1")}{visual.format(0.75, "1 1 2")}</link>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/>'
        '<origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint></robot>'
    )
    scene, robot = shown(page, file)
    drawn = nodes(page, "/arm/")
    shared = drawn["/arm/shared/visuals/0/0"]
    assert "/arm/links/b/visuals/2/0" in drawn
    assert "/arm/links/b/visuals/1/0" not in drawn
    np.testing.assert_allclose(shared.batched_positions, [[0.25, 0, 0], [1.5, 0, 0]], atol=1e-6)
    np.testing.assert_allclose(shared.batched_colors, [[64, 0, 0], [128, 0, 0]], atol=1)
    move(scene, robot, np.array([np.pi / 2]))
    np.testing.assert_allclose(shared.batched_positions, [[0.25, 0, 0], [1, 0.5, 0]], atol=1e-6)
    half = 0.5 * (0.5 + np.pi / 2)
    expected = [np.cos(half), 0.0, 0.0, np.sin(half)]
    np.testing.assert_allclose(shared.batched_wxyzs[1], expected, atol=1e-6)
    move(scene, robot, np.array([0.0]), valid=np.array([True, False]))
    np.testing.assert_allclose(shared.batched_colors, [[64, 0, 0], COLORS["unknown"]], atol=1)
    np.testing.assert_allclose(shared.batched_opacities, [1.0, 0.3], atol=1e-6)


def test_a_body_that_is_not_valid_is_grey_and_its_annotations_are_hidden(page: Page) -> None:
    scene, robot = shown(page, EXAMPLES / "double_pendulum.yaml")
    for kind in scene.kinds:
        scene.set_visible(kind, True)
    model = robot.model
    valid = np.ones(model.nb, dtype=bool)
    valid[-1] = False
    q = robot.initial_state[0]
    before = {path: node.visible for path, node in nodes(page, scene.root).items()}
    colors = {p: n.color for p, n in nodes(page, scene.root).items() if "/visuals/" in p}
    move(scene, robot, q, valid=valid)
    path = scene.body_path(model.body_names[-1])
    for name, node in nodes(page, scene.root).items():
        if name.startswith(f"{path}/visuals/"):
            assert tuple(node.color) == COLORS["unknown"]
            assert node.opacity < 0.5
        elif name.startswith(f"{path}/") and not name.endswith(("/visuals", "/markers")):
            assert not node.visible, name
    move(scene, robot, q)
    assert {path: node.visible for path, node in nodes(page, scene.root).items()} == before
    after = {p: n.color for p, n in nodes(page, scene.root).items() if "/visuals/" in p}
    assert after == colors


def test_a_body_without_a_pose_stays_where_it_was(page: Page) -> None:
    scene, robot = shown(page, EXAMPLES / "double_pendulum.yaml")
    motion = move(scene, robot, np.array([0.4, 0.7]))
    turns = quaternion_from_matrix(motion.rotation)
    for broken in (np.nan, np.inf, 1e30):
        position = motion.position + 1.0
        position[-1, 1] = broken
        scene.show(position, turns)
        node = nodes(page)[scene.body_path(robot.model.body_names[-1])]
        np.testing.assert_allclose(node.position, motion.position[-1], atol=1e-6)
    scene.show(motion.position, np.zeros_like(turns))
    np.testing.assert_allclose(rotation_of(node), motion.rotation[-1], atol=1e-5)


def test_only_what_moved_is_sent(page: Page) -> None:
    scene, robot = shown(page, example("panda.urdf"))
    q = robot.neutral()
    move(scene, robot, q)
    buffer = page.server._websock_server.get_message_buffer()
    before = buffer.message_counter
    move(scene, robot, q)
    move(scene, robot, q + 1e-9)
    assert buffer.message_counter == before
    last = robot.model.coordinate_names.index("panda_joint7")
    q[last] += 0.1
    move(scene, robot, q)
    sent = buffer.message_counter - before
    behind = robot.model.subtree(robot.model.body_index("panda_link7"))
    assert 0 < sent <= 2 * len(behind) + 4


def test_two_robots_share_a_page_and_one_is_removed(page: Page) -> None:
    one, _ = shown(page, EXAMPLES / "double_pendulum.yaml", name="left/arm")
    other, _ = shown(page, EXAMPLES / "double_pendulum.yaml", name="right")
    assert one.root == "/left%2Farm"
    before = set(nodes(page, other.root))
    one.remove()
    assert not nodes(page, one.root)
    assert set(nodes(page, other.root)) == before != set()


def test_names_of_links_are_one_level_each(page: Page, tmp_path: Path) -> None:
    names = ("a/b", "é ü", "..", "x<y>&amp;", "%2F")
    links = "".join(f'<link name="{name.replace("<", "&lt;")}"/>' for name in names)
    joints = "".join(
        f'<joint name="j{k}" type="fixed"><parent link="a/b"/>'
        f'<child link="{name.replace("<", "&lt;")}"/></joint>'
        for k, name in enumerate(names[1:])
    )
    file = tmp_path / "odd.urdf"
    file.write_text(f'<robot name="odd">{links}{joints}</robot>', encoding="utf-8")
    scene, robot = shown(page, file)
    paths = [scene.body_path(name) for name in robot.model.body_names]
    assert len(set(paths)) == len(names)
    assert all(path.count("/") == 3 for path in paths)
    assert set(paths) <= set(nodes(page))


def test_a_robot_without_shapes_is_drawn_as_bars(page: Page) -> None:
    scene, robot = shown(page, EXAMPLES / "scara_dh.yaml")
    bars = [node for path, node in nodes(page, scene.root).items() if "/visuals/" in path]
    assert len(bars) >= robot.model.nb - 1


def test_a_mesh_that_cannot_be_read_becomes_a_box_and_a_note(page: Page, tmp_path: Path) -> None:
    (tmp_path / "broken.stl").write_bytes(b"solid nothing")
    file = tmp_path / "arm.urdf"
    mesh = '<visual><geometry><mesh filename="{}"/></geometry></visual>'
    file.write_text(
        '<robot name="arm"><link name="a"><inertial><origin xyz="0 0 0.5"/><mass value="8"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
        f"{mesh.format('broken.stl')}{mesh.format('package://nowhere/a.dae')}</link></robot>"
    )
    scene, _ = shown(page, file)
    assert len(scene.notes) == 2
    assert "broken.stl" in scene.notes[0]
    assert "nowhere" in scene.notes[1]
    box = nodes(page)["/arm/links/a/visuals/0"]
    np.testing.assert_allclose(box.dimensions, [0.2, 0.2, 0.2], atol=1e-9)
    np.testing.assert_allclose(box.position, [0.0, 0.0, 0.5], atol=1e-9)


@pytest.mark.parametrize("name", [*ROBOTS, *MECHANISMS])
def test_the_camera_sees_the_whole_robot(page: Page, name: str) -> None:
    scene, robot = shown(page, found(name))
    center, radius = scene.extent
    motion = robot.body_motion(robot.initial_state[0])
    seen = [k for k, body in enumerate(robot.model.bodies) if not body.auxiliary]
    assert np.all(np.linalg.norm(motion.position[seen] - center, axis=1) <= radius * (1 + 1e-9))
    scene.look_at()
    camera = page.server.initial_camera
    away = np.linalg.norm(camera.position - center)
    assert radius < away < 5.0 * radius


def test_arrays_of_another_shape_are_refused(page: Page) -> None:
    scene, robot = shown(page, EXAMPLES / "double_pendulum.yaml")
    nb = robot.model.nb
    turns = np.tile([0.0, 0.0, 0.0, 1.0], (nb, 1))
    with pytest.raises(ArgumentError, match="position"):
        scene.show(np.zeros((nb + 1, 3)), turns)
    with pytest.raises(ArgumentError, match="orientation"):
        scene.show(np.zeros((nb, 3)), np.zeros((nb, 3)))
    with pytest.raises(ArgumentError, match="valid"):
        scene.show(np.zeros((nb, 3)), turns, [True])
    with pytest.raises(ArgumentError, match="linear_velocity"):
        scene.show_motion(linear_velocity=np.zeros((nb, 4)))


def test_threads_may_move_a_robot_and_switch_its_kinds(page: Page) -> None:
    scene, robot = shown(page, EXAMPLES / "four_bar.yaml")
    failures: list[BaseException] = []

    def switch() -> None:
        try:
            for k in range(40):
                for kind in scene.kinds:
                    scene.set_visible(kind, bool(k % 2))
        except BaseException as error:  # noqa: BLE001 - told by the test
            failures.append(error)

    thread = threading.Thread(target=switch)
    thread.start()
    q = robot.initial_state[0]
    motion = robot.body_motion(q)
    turns = quaternion_from_matrix(motion.rotation)
    for k in range(40):
        scene.show(motion.position + 0.01 * k, turns, q=q)
        scene.show_motion(linear_velocity=motion.position)
    thread.join()
    assert failures == []
    assert isinstance(scene, RobotScene)
    assert all(scene.is_visible(kind) for kind in scene.kinds)
