"""Pictures of closed mechanisms: loops are closed, elements drawn, what only serves them is not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_ros import ArgumentError, ModelBuilder, UnknownNameError
from robodyn_ros.algorithms import body_motion
from robodyn_ros.description import load_model
from robodyn_ros.joints import Revolute
from robodyn_ros.plots import Skeleton
from robodyn_ros.plots.mechanism_pictures import (
    PICTURED,
    main,
    motion_shown,
    write_mechanism_picture,
)

ROOT = Path(__file__).parents[2]
EXAMPLES, PAGES = ROOT / "examples", ROOT / "docs" / "mechanisms"
LARGEST = 60_000
every_picture = pytest.mark.parametrize("name", PICTURED)


@every_picture
def test_every_page_has_its_picture(name: str) -> None:
    picture = PAGES / f"{name}.svg"
    assert picture.read_bytes().startswith(b"<?xml")
    assert picture.stat().st_size < LARGEST


def test_there_is_no_picture_of_anything_else() -> None:
    assert {file.stem for file in PAGES.glob("*.svg")} == set(PICTURED)
    assert {file.stem for file in PAGES.glob("*.md")} == set(PICTURED)


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("four_bar", ["motor", "rocker_pin"]),
        ("nine_revolutes", ["J1", "J4", "J7", "J9"]),
        ("mixed_platform", ["ram_rod", "wall", "post", "rail"]),
    ],
)
def test_drawing_names_motors_loops_and_elements(
    name: str, labels: list[str], tmp_path: Path
) -> None:
    write_mechanism_picture(tmp_path / "one.svg", name, EXAMPLES)
    text = (tmp_path / "one.svg").read_text()
    for label in labels:
        assert f">{label}</text>" in text
    write_mechanism_picture(tmp_path / "again.svg", name, EXAMPLES)
    assert (tmp_path / "again.svg").read_text() == text


def test_loops_are_closed_and_bodies_that_serve_them_are_not_drawn() -> None:
    model = load_model(EXAMPLES / "four_bar.yaml")
    skeleton = Skeleton(model)
    motion = body_motion(model, motion_shown(model, PICTURED["four_bar"])[::12])
    for view in ("front", "oblique"):
        both = skeleton.linked(motion, view)
        np.testing.assert_allclose(both[:, :, 0], both[:, :, 1], atol=1e-9)
    assert {stroke.name for stroke in skeleton.connections} == {
        "motor",
        "crank_pin",
        "pivot",
        "rocker_pin",
    }
    drawn = {line.body for line in skeleton.lines}
    assert not any(model.bodies[body].auxiliary for body in drawn)
    lengths = {model.bodies[line.body].name: np.linalg.norm(line.end) for line in skeleton.lines}
    assert lengths == pytest.approx({"base": 0.2, "crank": 0.1, "coupler": 0.5, "rocker": 0.25})


def test_rods_are_lines_of_their_length_and_planes_touch_what_they_hold() -> None:
    model = load_model(EXAMPLES / "mixed_platform.yaml")
    skeleton = Skeleton(model)
    motion = body_motion(model, np.array(model.defaults.q)[None])
    lengths: dict[str, list[float]] = {}
    for tie, flat, upright in zip(
        skeleton.ties,
        skeleton.tied(motion, "top")[0],
        skeleton.tied(motion, "front")[0],
        strict=True,
    ):
        ends = np.column_stack([flat, upright[:, 1]])
        lengths.setdefault(tie.name, []).append(float(np.linalg.norm(ends[1] - ends[0])))
        if tie.name == "wall":  # -0.8 x + 0.6 z = 0.74
            np.testing.assert_allclose(ends @ [-0.8, 0.0, 0.6], 0.74, atol=1e-9)
    assert lengths["ram_rod"] == pytest.approx([0.7])
    assert lengths["wall"][:4] == pytest.approx(lengths["wall"][:1] * 4)
    assert len(lengths["post"]) == 14
    assert len(lengths["rail"]) == 2


def test_sliders_are_drawn_between_their_frames() -> None:
    model = load_model(EXAMPLES / "slider_crank.yaml")
    skeleton = Skeleton(model)
    assert [stroke.name for stroke in skeleton.slides] == ["bore"]
    motion = body_motion(model, np.array(model.defaults.q)[None])
    starts, ends = skeleton.ends(motion, "front")
    assert ends[0, -1, 0] - starts[0, -1, 0] == pytest.approx(model.defaults.q[2])


def test_a_tree_hung_on_another_link_is_drawn_as_before() -> None:
    """A reversed joint has its place in what became its child."""
    builder = ModelBuilder("turned round")
    for name in ("a", "b"):
        builder.add_body(name, mass=1.0, com=(0, 0, -0.5), inertia=np.eye(3) * 0.1)
    builder.add_joint("hinge", Revolute((0, 1, 0)), "a", "b", position=(0.3, 0, 0))
    skeletons = [Skeleton(builder.build()), Skeleton(builder.build(root="b"))]
    ends = [{tuple(line.end) for line in skeleton.lines} for skeleton in skeletons]
    assert (0.3, 0.0, 0.0) in ends[0] & ends[1]


def test_what_cannot_be_drawn_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="four_bar"):
        write_mechanism_picture(tmp_path / "a.svg", "fourbar", EXAMPLES)
    with pytest.raises(ArgumentError, match=r"must end in \.png"):
        write_mechanism_picture(tmp_path / "a.gif", "four_bar", EXAMPLES)


def test_the_command_writes_all_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {name: PICTURED[name] for name in ("four_bar", "stewart_platform_rods")}
    monkeypatch.setattr("robodyn_ros.plots.mechanism_pictures.PICTURED", kept)
    assert main([str(EXAMPLES), str(tmp_path)]) == 0
    assert {file.stem for file in tmp_path.glob("*.svg")} == set(kept)
