"""What a URDF says of links and frames is what the model holds: masses, inertias, origins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robodyn_ros.description import load_model
from robodyn_ros.errors import ArgumentError
from urdf_text import elementary_rotation, note_texts, two_links

EPS = 1e-14


# --- links


def test_an_inertial_turned_about_z_keeps_its_centre_of_mass() -> None:
    model = two_links(
        "fixed",
        link="<inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><mass value='4'/>"
        "<inertia ixx='1' iyy='2' izz='2.5' ixy='0.1' ixz='0.2' iyz='0.3'/></inertial>",
    )
    body = model.bodies[1]
    assert body.mass == 4.0
    assert body.com.tolist() == [1.0, 2.0, 3.0]
    # x of the inertial frame is y of the link, its y is -x
    expected = np.array([[2.0, -0.1, -0.3], [-0.1, 1.0, 0.2], [-0.3, 0.2, 2.5]])
    np.testing.assert_allclose(body.inertia, expected, atol=EPS)


angles = st.floats(-7.0, 7.0)


@given(angles, angles, angles)
def test_rpy_turns_about_fixed_x_then_y_then_z(roll: float, pitch: float, yaw: float) -> None:
    rpy = f"{roll!r} {pitch!r} {yaw!r}"
    R = elementary_rotation(2, yaw) @ elementary_rotation(1, pitch) @ elementary_rotation(0, roll)
    model = two_links(
        "fixed",
        joint=f"<origin rpy='{rpy}' xyz='1 2 3'/>",
        link=f"<inertial><origin rpy='{rpy}'/><mass value='1'/>"
        "<inertia ixx='1' iyy='2' izz='2.5'/></inertial>",
    )
    joint = model.joint("j")
    assert joint.position.tolist() == [1.0, 2.0, 3.0]
    np.testing.assert_allclose(joint.rotation, R, atol=4 * EPS)
    expected = R @ np.diag([1.0, 2.0, 2.5]) @ R.T
    np.testing.assert_allclose(model.bodies[1].inertia, expected, atol=20 * EPS)


def test_a_link_without_inertial_is_massless_and_known_to_be() -> None:
    body = two_links("fixed").bodies[1]
    assert (body.mass, body.has_inertial) == (0.0, False)
    assert not body.inertia.any()


def test_an_empty_inertial_is_none() -> None:
    model = two_links("fixed", link="<inertial><origin xyz='1 0 0'/></inertial>")
    assert not model.bodies[1].has_inertial
    assert note_texts(model, "ignored") == ["empty <inertial> (line 1)"]


def test_a_mass_without_inertia_is_a_point_mass() -> None:
    model = two_links("fixed", link="<inertial><mass value='2'/></inertial>")
    assert model.bodies[1].mass == 2.0
    assert not model.bodies[1].inertia.any()
    assert note_texts(model, "assumed") == ["no <inertia>; taken as a point mass (line 1)"]


def test_missing_products_of_inertia_are_zero() -> None:
    link = "<inertial><mass value='2'/><inertia ixx='1' iyy='2' izz='2' ixz='0.5'/></inertial>"
    model = two_links("fixed", link=link)
    expected = [[1.0, 0.0, 0.5], [0.0, 2.0, 0.0], [0.5, 0.0, 2.0]]
    assert model.bodies[1].inertia.tolist() == expected
    assert note_texts(model, "assumed") == ["inertia without ixy, iyz; 0 assumed (line 1)"]


@pytest.mark.parametrize("mass", ["0", "-0.0", "0e0"])
def test_a_mass_of_zero_is_allowed_and_reported(mass: str) -> None:
    link = f"<inertial><mass value='{mass}'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
    model = two_links("fixed", link=link)
    assert model.bodies[1].mass == 0.0
    assert model.report().to_dict()["bodies"][1]["problems"] == ["mass is 0"]


@pytest.mark.parametrize(
    ("moments", "problem"),
    [
        ("ixx='-1' iyy='1' izz='1'", "negative principal moment"),
        ("ixx='1' iyy='1' izz='1' ixy='2'", "negative principal moment"),
        ("ixx='1' iyy='1' izz='3'", "triangle inequality"),
        ("ixx='0' iyy='0' izz='0'", "point mass"),
    ],
)
def test_an_impossible_inertia_loads_as_given_and_is_reported(moments: str, problem: str) -> None:
    link = f"<inertial><mass value='2'/><inertia {moments}/></inertial>"
    (found,) = two_links("fixed", link=link).report().to_dict()["bodies"][1]["problems"]
    assert problem in found


def test_total_mass_counts_every_link_and_the_root() -> None:
    def inertial(mass: float) -> str:
        return f"<inertial><mass value='{mass}'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"

    text = (
        f"<robot name='r'><link name='root'>{inertial(8.2)}</link>"
        f"<link name='a'>{inertial(100)}</link><link name='b'>{inertial(27.7)}</link>"
        "<link name='c'/>"
        "<joint name='j' type='revolute'><parent link='root'/><child link='a'/></joint>"
        "<joint name='k' type='fixed'><parent link='a'/><child link='b'/></joint>"
        "<joint name='l' type='fixed'><parent link='root'/><child link='c'/></joint></robot>"
    )
    for base in ("fixed", "floating", "prescribed"):
        model = load_model(text, base=base)  # type: ignore[arg-type]
        assert model.report().to_dict()["total_mass"] == pytest.approx(135.9, rel=1e-15)


# --- origins


def test_a_joint_without_origin_sits_on_its_parent() -> None:
    for origin in ("", "<origin/>", "<origin rpy='0 0 0'/>", "<origin xyz='0 0 0'/>"):
        joint = two_links("fixed", joint=origin).joint("j")
        assert not joint.position.any()
        assert joint.rotation.tolist() == np.eye(3).tolist()


@pytest.mark.parametrize("scale", [1.0, 3.0, 1e-200, -2.5])
def test_a_quaternion_turns_since_version_1_1(scale: float) -> None:
    half = 0.4
    words = " ".join(repr(float(scale * x)) for x in (0.0, np.sin(half), 0.0, np.cos(half)))
    origin = f"<origin xyz='1 2 3' quat_xyzw='{words}'/>"
    inertial = f"<inertial>{origin}<mass value='1'/><inertia ixx='1' iyy='2' izz='2'/></inertial>"
    for version in ("1.1", "1.2"):
        model = two_links("fixed", joint=origin, link=inertial, version=version)
        R = elementary_rotation(1, 2 * half)
        np.testing.assert_allclose(model.joint("j").rotation, R, atol=EPS)
        expected = R @ np.diag([1.0, 2.0, 2.0]) @ R.T
        np.testing.assert_allclose(model.bodies[1].inertia, expected, atol=EPS)
        assert not note_texts(model, "ignored")


@pytest.mark.parametrize("version", ["1.0", "", "1", "x.y", "0.9"])
def test_a_quaternion_before_version_1_1_is_ignored_as_everywhere(version: str) -> None:
    model = two_links("fixed", joint="<origin quat_xyzw='bad'/>", version=version)
    assert model.joint("j").rotation.tolist() == np.eye(3).tolist()
    assert note_texts(model, "ignored") == [
        'quat_xyzw ignored; it needs <robot version="1.1"> (line 1)'
    ]


@pytest.mark.parametrize(
    ("origin", "complaint"),
    [
        ("quat_xyzw='0 0 0 0'", "the quaternion is zero"),
        ("quat_xyzw='0 0 1'", "needs 4 numbers and has 3"),
        ("quat_xyzw='0 0 0 1' rpy='0 0 0'", "both rpy and quat_xyzw"),
    ],
)
def test_a_bad_quaternion_is_an_error(origin: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        two_links("fixed", joint=f"<origin {origin}/>", version="1.1")


# --- the whole


def test_base_and_root_reach_the_builder() -> None:
    text = (
        "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='revolute'>"
        "<parent link='a'/><child link='b'/></joint></robot>"
    )
    assert load_model(text, base="floating").nv == 7
    assert load_model(text, root="b").body_names == ("b", "a")
    with pytest.raises(ArgumentError, match="base"):
        load_model(text, base="swimming")  # type: ignore[arg-type]


def test_notes_reach_the_report() -> None:
    report = two_links("revolute").report()
    assert "(1, 0, 0) assumed" in report.text()
    assert {note["category"] for note in report.to_dict()["notes"]} == {"assumed", "limits"}
