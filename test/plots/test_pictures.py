"""Animations and curves: real files, looked into, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from robodyn_ros import ArgumentError, ModelBuilder, Robot, UnknownNameError
from robodyn_ros.joints import Revolute
from robodyn_ros.plots import VIEWS, Skeleton, write_animation, write_curves
from robodyn_ros.plots.skeleton import on_paper
from robodyn_ros.simulation import Trajectory


@pytest.fixture(scope="module")
def robot() -> Robot:
    """Return two rods that turn about y, with a marker at the tip."""
    builder = ModelBuilder("two rods")
    builder.add_body("base")
    for name, parent, height in (("upper", "base", 0.0), ("lower", "upper", -1.0)):
        builder.add_body(name, mass=1.0, com=(0, 0, -0.5), inertia=np.eye(3) * 0.1)
        builder.add_joint(
            f"{name} joint", Revolute((0, 1, 0)), parent, name, position=(0, 0, height)
        )
    builder.add_marker("tip", "lower", position=(0.0, 0.0, -1.0))
    builder.add_marker("down", "lower", direction=(0.0, 0.0, -1.0))
    return Robot(builder.build(), compile="off")


@pytest.fixture(scope="module")
def trajectory(robot: Robot) -> Trajectory:
    time = 0.05 * np.arange(5)
    q = np.stack([time, 2.0 * time], axis=-1)
    v = np.broadcast_to([1.0, 2.0], q.shape)
    return Trajectory(time, q, v, *robot.energy(q, v))


def test_lines_join_joints_and_markers(robot: Robot) -> None:
    skeleton = Skeleton(robot.model)
    assert [line.body for line in skeleton.lines] == [1, 2]
    q = np.array([[0.3, -0.5], [1.0, 2.0]])
    motion = robot.body_motion(q)
    starts, ends = skeleton.ends(motion, "front")
    np.testing.assert_allclose(ends[:, 0], starts[:, 1], atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(ends - starts, axis=-1), 1.0)
    np.testing.assert_allclose(skeleton.dots(motion, "front")[:, 0], ends[:, 1], atol=1e-15)
    np.testing.assert_allclose(ends[0, 0], [-np.sin(0.3), -np.cos(0.3)])


def test_a_body_without_anything_on_it_is_drawn_to_its_centre() -> None:
    builder = ModelBuilder("bob")
    builder.add_body("base")
    builder.add_body("bob", mass=1.0, com=(0, 0, -2.0))
    builder.add_joint("joint", Revolute((0, 1, 0)), "base", "bob")
    (line,) = Skeleton(builder.build()).lines
    assert line.body == 1
    np.testing.assert_allclose(line.end, [0, 0, -2.0])


def test_views_are_orthonormal_and_right_way_up() -> None:
    for rows in VIEWS.values():
        np.testing.assert_allclose(rows @ rows.T, np.eye(2), atol=1e-15)
    assert on_paper(np.array([0.0, 0.0, 1.0]), "oblique")[1] > 0.0
    with pytest.raises(UnknownNameError, match="front"):
        on_paper(np.zeros(3), "frnt")


def test_a_gif_has_a_picture_for_each_moment(
    robot: Robot, trajectory: Trajectory, tmp_path: Path
) -> None:
    path = tmp_path / "rods.gif"
    assert write_animation(path, robot, trajectory, rate=10) == 3
    with Image.open(path) as picture:
        assert picture.n_frames == 3
        assert picture.info["duration"] == 100
        first = np.asarray(picture.convert("L"), dtype=float)
        picture.seek(2)
        last = np.asarray(picture.convert("L"), dtype=float)
    assert first.min() < 100.0 < first.max()
    assert np.abs(first - last).max() > 100.0


def test_an_mp4_is_one(robot: Robot, trajectory: Trajectory, tmp_path: Path) -> None:
    path = tmp_path / "rods.mp4"
    assert write_animation(path, robot, trajectory, rate=10, view="oblique") == 3
    assert path.read_bytes()[4:8] == b"ftyp"


@pytest.mark.parametrize(
    ("name", "start"), [("c.png", b"\x89PNG"), ("c.svg", b"<?xml"), ("c.pdf", b"%PDF")]
)
def test_curves(
    robot: Robot, trajectory: Trajectory, tmp_path: Path, name: str, start: bytes
) -> None:
    write_curves(tmp_path / name, robot.model, trajectory)
    assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.filterwarnings("error")
def test_curves_of_a_robot_without_coordinates(tmp_path: Path) -> None:
    builder = ModelBuilder("rock")
    builder.add_body("rock", mass=1.0)
    time, none = np.arange(2.0), np.zeros((2, 0))
    still = Trajectory(time, none, none, np.zeros(2), np.zeros(2))
    write_curves(tmp_path / "rock.svg", builder.build(), still)
    assert (tmp_path / "rock.svg").stat().st_size > 0


def test_what_cannot_be_written_is_refused(
    robot: Robot, trajectory: Trajectory, tmp_path: Path
) -> None:
    with pytest.raises(ArgumentError, match=r"must end in \.gif or \.mp4"):
        write_animation(tmp_path / "rods.avi", robot, trajectory)
    with pytest.raises(ArgumentError, match="there is no folder"):
        write_curves(tmp_path / "nowhere" / "c.png", robot.model, trajectory)
    with pytest.raises(ArgumentError, match="rate must be a whole number"):
        write_animation(tmp_path / "rods.gif", robot, trajectory, rate=0)


def test_without_matplotlib_the_remedy_is_named(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from robodyn_ros.plots.figures import pyplot_figure\n"
        "from robodyn_ros.errors import RobodynError\n"
        "try:\n    pyplot_figure(1.0, 1.0)\n"
        "except RobodynError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert "pictures need Matplotlib" in done.stdout
    assert "pip install 'robodyn_ros[plots]'" in done.stdout
