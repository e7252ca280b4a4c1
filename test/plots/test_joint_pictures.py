"""Pictures of joint types: every type is drawn, and what is drawn is how the joint moves."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.joints import JOINT_TYPES
from robodyn_ros.plots.joint_pictures import PICTURED, main, path, screws, write_joint_picture

DOCS = Path(__file__).parents[2] / "docs" / "joints"
LARGEST = 40_000
every_type = pytest.mark.parametrize("name", JOINT_TYPES)


def test_every_type_is_pictured() -> None:
    assert PICTURED.keys() == JOINT_TYPES.keys()
    for name, shown in PICTURED.items():
        assert type(shown.joint) is JOINT_TYPES[name]
        assert len(shown.step) == shown.joint.nv
        assert all(shown.step)


@every_type
def test_every_page_has_its_picture_coordinates_rates_and_singularities(name: str) -> None:
    page = (DOCS / f"{name}.md").read_text()
    picture = DOCS / f"{name}.svg"
    assert re.search(rf"!\[[^\]]{{20,}}\]\({name}\.svg\)", page)
    assert picture.read_bytes().startswith(b"<?xml")
    assert picture.stat().st_size < LARGEST
    text = page.lower()
    assert "singular" in text
    if JOINT_TYPES[name] is not JOINT_TYPES["fixed"]:
        assert re.search(r"^\* q(:| = )", page, re.MULTILINE)
        assert re.search(r"\bv(, dq/dt)? (=|is) ", page)
        assert re.search(r"\bS (=|is) ", page)


@every_type
def test_drawing(name: str, tmp_path: Path) -> None:
    write_joint_picture(tmp_path / "joint.svg", name)
    text = (tmp_path / "joint.svg").read_text()
    assert len(text) < LARGEST
    shown = PICTURED[name]
    for label in shown.joint.axes or ("q",) * shown.joint.nv:
        assert f">{label}</text>" in text
    write_joint_picture(tmp_path / "again.svg", name)
    assert (tmp_path / "again.svg").read_text() == text


@every_type
def test_screws_are_what_the_rates_do(name: str) -> None:
    """A rate moves points on its line along it, and a slide moves every point alike."""
    shown = PICTURED[name]
    joint, q, h = shown.joint, path(shown)[-1], 1e-5
    R, p = joint.pose(q)
    for rate, screw in enumerate(screws(joint, q)):
        assert np.linalg.norm(screw.direction) == pytest.approx(1.0)
        for along in (-0.7, 0.0, 0.4):
            point = screw.point + along * screw.direction
            fixed = R.T @ (point - p)
            moved = []
            for sign in (1.0, -1.0):
                step = np.zeros(joint.nv)
                step[rate] = sign * h
                R_there, p_there = joint.pose(joint.integrate(q, step))
                moved.append(R_there @ fixed + p_there)
            velocity = (moved[0] - moved[1]) / (2.0 * h)
            speed = 1.0 if np.isinf(screw.pitch) else screw.pitch
            np.testing.assert_allclose(velocity, speed * screw.direction, atol=1e-8)


def test_paths_begin_in_the_neutral_position_and_go_the_whole_step() -> None:
    for shown in PICTURED.values():
        joint, places = shown
        joint, places = shown.joint, path(shown)
        np.testing.assert_array_equal(places[0], joint.neutral())
        step = joint.difference(joint.neutral(), places[-1])
        np.testing.assert_allclose(step, shown.step, atol=1e-12)


def test_pictures_can_be_read_at_500_pixels(tmp_path: Path) -> None:
    write_joint_picture(tmp_path / "gimbal.png", "gimbal")
    with Image.open(tmp_path / "gimbal.png") as picture:
        assert picture.width == 500
        assert 250 <= picture.height <= 470
        shades = np.asarray(picture.convert("L"))
    assert shades.min() < 100 < shades.max()
    border = np.concatenate([shades[0], shades[-1], shades[:, 0], shades[:, -1]])
    assert border.min() > 200  # nothing is cut off


def test_the_command_writes_all_of_them(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 0
    assert {file.stem for file in tmp_path.glob("*.svg")} == set(JOINT_TYPES)


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="revolute"):
        write_joint_picture(tmp_path / "a.svg", "revolut")
    with pytest.raises(ArgumentError, match=r"must end in \.png"):
        write_joint_picture(tmp_path / "a.gif", "revolute")
