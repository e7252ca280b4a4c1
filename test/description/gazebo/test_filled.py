"""What a description lacks and Gazebo needs is filled in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gazebo_made import ARM, BASE, HAND, MOUNT, SHOULDER, limits, text, tree, wrapped
from robodyn_ros.description import load_model
from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.spatial import rotation_from_rpy
from urdf_text import joint


def test_a_robot_that_lacks_nothing_gets_tags_and_a_world_and_no_remark() -> None:
    made = wrapped(text(BASE, ARM, SHOULDER))
    assert made.remarks == ()
    assert made.joints == ("shoulder",)
    assert made.is_anchored
    assert [element.tag for element in tree(made)] == [
        *("link", "link", "joint", "link", "joint", "ros2_control", "gazebo")
    ]
    assert tree(made).findtext("gazebo/plugin/parameters") == "/etc/c.yaml"


def test_what_else_is_in_the_file_stays() -> None:
    visual = '<visual><geometry><box size="1 2 3"/></geometry></visual>'
    base = BASE.replace("</link>", f"{visual}</link>")
    own = '<gazebo reference="arm"><mu1>0.3</mu1></gazebo><transmission name="t"/>'
    made = wrapped(text(base, ARM, SHOULDER, own))
    assert tree(made).find("link/visual/geometry/box").get("size") == "1 2 3"
    assert tree(made).findtext("gazebo[@reference='arm']/mu1") == "0.3"
    assert tree(made).find("transmission") is not None


def test_the_root_is_placed_as_is_asked() -> None:
    pose = (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)
    model = load_model(wrapped(text(BASE, ARM, SHOULDER), pose=pose).text)
    hold = model.joint("world_to_base")
    np.testing.assert_allclose(hold.position, pose[:3])
    np.testing.assert_allclose(hold.rotation, rotation_from_rpy(pose[3:]), atol=1e-15)


@pytest.mark.parametrize(
    ("kind", "limit", "expected", "kind_after"),
    [
        ("revolute", "", {}, "continuous"),
        (
            "revolute",
            '<limit effort="5" velocity="2"/>',
            {"effort": "5", "velocity": "2"},
            "continuous",
        ),
        (
            "revolute",
            '<limit lower="-1" upper="1" effort="0" velocity="-1"/>',
            {"lower": "-1", "upper": "1", "effort": "1e+09", "velocity": "1e+09"},
            "revolute",
        ),
        (
            "revolute",
            '<limit lower="1" upper="-1" effort="5" velocity="2"/>',
            {"effort": "5", "velocity": "2"},
            "continuous",
        ),
        (
            "prismatic",
            "",
            {"lower": "-1e+09", "upper": "1e+09", "effort": "1e+09", "velocity": "1e+09"},
            "prismatic",
        ),
        (
            "prismatic",
            '<limit lower="0" upper="0.1" effort="inf" velocity="nan"/>',
            {"lower": "0", "upper": "0.1", "effort": "1e+09", "velocity": "1e+09"},
            "prismatic",
        ),
        ("continuous", "", {}, "continuous"),
        ("continuous", '<limit effort="5"/>', {"effort": "5", "velocity": "1e+09"}, "continuous"),
    ],
)
def test_limits_that_the_reader_would_take_for_0_are_written(
    kind: str, limit: str, expected: dict[str, str], kind_after: str
) -> None:
    own = '<limit effort="100" velocity="10"/>'
    arm = joint("shoulder", "base", "arm", kind).replace(own, "")
    made = wrapped(text(BASE, ARM, arm.replace("</joint>", f"{limit}</joint>")))
    assert limits(made, "shoulder") == expected
    assert tree(made).find("joint[@name='shoulder']").get("type") == kind_after
    (remark,) = made.remarks or (None,)
    assert (remark is None) == (kind == "continuous" and limit == "")
    if remark is not None:
        assert remark.kind == "filled"
        assert remark.text.startswith("joint 'shoulder' (line 1): no ")


def test_an_inertia_without_products_and_a_robot_without_a_name_are_completed() -> None:
    arm = ARM.replace('ixy="0.0" ', "").replace('iyz="0.0" ', "")
    made = wrapped(text(BASE, arm, SHOULDER, name=""))
    inertia = tree(made).find("link[@name='arm']/inertial/inertia")
    assert {inertia.get(key) for key in ("ixy", "iyz")} == {"0"}
    assert made.name == "robot"
    assert ["no name" in made.lines("filled")[0], "lacks" in made.lines("filled")[1]] == [True] * 2


def test_an_empty_inertial_is_left_out() -> None:
    made = wrapped(
        text(BASE, ARM, '<link name="tip"><inertial/></link>', SHOULDER, joint("j", "arm", "tip"))
    )
    assert tree(made).find("link[@name='tip']/inertial") is None
    assert "without mass is left out" in made.lines("filled")[0]


def test_a_massless_link_that_the_world_holds_is_given_a_token_mass() -> None:
    made = wrapped(text('<link name="base"/>', ARM, SHOULDER))
    (line,) = made.lines("filled")
    assert "link 'base' (line 1): no mass" in line
    assert "nothing feels it" in line
    assert made.lines("lost") == []
    assert load_model(made.text).mass == pytest.approx(1.0 + 1e-3)


def test_a_world_of_its_own_is_taken() -> None:
    made = wrapped(text('<link name="world"/>', BASE, joint("hold", "world", "base")))
    assert not made.is_anchored
    assert made.remarks == ()
    assert [body.name for body in made.bodies] == ["base"]


def test_a_fixed_joint_is_kept_on_request_or_as_the_description_says() -> None:
    robot = (BASE, ARM, HAND, SHOULDER, MOUNT)
    assert [body.name for body in wrapped(text(*robot)).bodies] == ["base", "arm"]
    kept = wrapped(text(*robot), kept=frozenset({"mount"}))
    assert [body.name for body in kept.bodies] == ["base", "arm", "hand"]
    for tag in ("preserveFixedJoint", "disableFixedJointLumping"):
        own = f'<gazebo reference="mount"><{tag}>true</{tag}></gazebo>'
        assert len(wrapped(text(*robot, own)).bodies) == 3
        assert len(wrapped(text(*robot, own.replace("true", "false"))).bodies) == 2
    with pytest.raises(ArgumentError, match="'shoulder' is not fixed"):
        wrapped(text(*robot), kept=frozenset({"shoulder"}))
    with pytest.raises(UnknownNameError, match="no joint is called 'mond'"):
        wrapped(text(*robot), kept=frozenset({"mond"}))


def test_where_joints_begin() -> None:
    slide = joint("shoulder", "base", "arm", "prismatic")
    ranged = slide.replace("<limit ", '<limit lower="0.2" upper="0.6" ')
    made = wrapped(text(BASE, ARM, ranged))
    assert tree(made).findtext("ros2_control/joint/state_interface/param") == "0.4"
    assert "0 is beyond its range; it begins in the middle, at 0.4" in made.lines("filled")[0]
    asked = wrapped(text(BASE, ARM, ranged), positions={"shoulder": 0.0})
    assert tree(asked).findtext("ros2_control/joint/state_interface/param") == "0"
    with pytest.raises(UnknownNameError, match="no joint is called 'sholder'"):
        wrapped(text(BASE, ARM, ranged), positions={"sholder": 0.0})


def test_meshes_are_where_gazebo_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_mesh(name: str) -> str:
        mesh = f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'
        return text(BASE, ARM.replace("</link>", f"{mesh}</link>"), SHOULDER)

    (tmp_path / "share" / "own_meshes").mkdir(parents=True)
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path))
    found = wrapped(with_mesh("package://own_meshes/a.stl"))
    assert found.resource_folders == (tmp_path / "share",)
    assert found.remarks == ()
    (line,) = wrapped(with_mesh("package://other_meshes/a.stl")).lines("lost")
    assert "package 'other_meshes'" in line
    assert "GZ_SIM_RESOURCE_PATH" in line
    (line,) = wrapped(with_mesh("meshes/a.stl")).lines("lost")
    assert "'meshes/a.stl' has a relative path" in line
    file = tmp_path / "r.urdf"
    file.write_text(with_mesh("meshes/a b.stl"))
    mesh = tree(wrapped(file)).find("link/visual/geometry/mesh")
    assert mesh.get("filename") == f"file://{tmp_path}/meshes/a%20b.stl"
    for name in ("file:///a.stl", "/a.stl", "model://m/a.stl", "https://h/a.stl"):
        assert tree(wrapped(with_mesh(name))).find(".//mesh").get("filename") == name


@pytest.mark.parametrize(
    "begin",
    [
        '<robot xmlns="http://www.ros.org" name="r">',
        '<?xml version="1.0" encoding="utf-8"?><robot name="r" xmlns:xacro="http://ros.org/xacro">',
        '<robot name="r"><!--- no -- comment -->',
    ],
)
def test_namespaces_letters_and_comments_do_no_harm(begin: str) -> None:
    mast = BASE.replace("base", "säule")
    turn = SHOULDER.replace("base", "säule").replace("shoulder", "dreh gelenk")
    made = wrapped(f"{begin}{mast}{ARM}{turn}</robot>")
    assert made.joints == ("dreh gelenk",)
    assert {element.tag for element in tree(made).iter()} >= {"link", "ros2_control"}
    assert load_model(made.text).joint_names == made.joints
