"""What becomes of a description on its way to Gazebo: filled in, lost, refused."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from robodyn_ros.description import load_model
from robodyn_ros.description.gazebo import (
    GazeboDescription,
    GazeboSettings,
    gazebo_description,
)
from robodyn_ros.errors import ArgumentError, DescriptionError, UnknownNameError
from robodyn_ros.spatial import rotation_from_rpy
from urdf_text import joint, link

I = np.diag([0.02, 0.03, 0.04])  # noqa: E741  # the name of inertia
BASE, ARM, HAND = (link(name, 1.0, (0.1, 0.0, 0.0), I) for name in ("base", "arm", "hand"))
SHOULDER = joint("shoulder", "base", "arm", "continuous")
MOUNT = joint("mount", "arm", "hand", xyz=(0.5, 0.0, 0.0))
ROOT = Path(__file__).parents[3]


def text(*elements: str, name: str = ' name="r"') -> str:
    return f"<robot{name}>{''.join(elements)}</robot>"


def wrapped(source: str | Path, **settings: object) -> GazeboDescription:
    chosen = {"parameters_file": "/etc/c.yaml", **settings}
    return gazebo_description(source, GazeboSettings(**chosen))  # type: ignore[arg-type]


def tree(description: GazeboDescription) -> ElementTree.Element:
    return ElementTree.fromstring(description.text)


def limits(description: GazeboDescription, name: str) -> dict[str, str]:
    found = tree(description).find(f"joint[@name='{name}']/limit")
    return {} if found is None else dict(found.attrib)


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


def test_a_massless_link_that_moves_is_lost_with_what_it_carries() -> None:
    elements = (BASE, '<link name="cross"/>', ARM, HAND, MOUNT)
    more = (
        joint("yaw", "base", "cross", "continuous"),
        joint("pitch", "cross", "arm", "continuous"),
    )
    made = wrapped(text(*elements, *more))
    (line,) = made.lines("lost")
    assert "link 'cross' (line 1): no mass; Gazebo drops it and the 2 links with and behind" in line
    assert "--token-mass" in line
    assert made.joints == ()
    assert tree(made).find("ros2_control") is None
    assert [body.name for body in made.bodies] == ["base"]
    kept = wrapped(text(*elements, *more), token_mass=0.01)
    assert kept.joints == ("yaw", "pitch")
    assert kept.lines("lost") == []
    assert sum(body.mass for body in kept.bodies) == pytest.approx(3.01)


def test_a_floating_base_gets_no_world() -> None:
    made = wrapped(text(BASE, ARM, SHOULDER), base="floating")
    assert not made.is_anchored
    assert made.base == "floating"
    assert tree(made).find("link[@name='world']") is None
    (line,) = wrapped(text('<link name="base"/>', ARM, SHOULDER), base="floating").lines("lost")
    assert "link 'base'" in line


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


def test_mimics_are_told_of_and_never_commanded() -> None:
    mimic = '<mimic joint="shoulder" multiplier="-2" offset="0.1"/>'
    follower = joint("elbow", "arm", "hand", "continuous", inside=mimic)
    made = wrapped(text(BASE, ARM, HAND, SHOULDER, follower), positions={"shoulder": 0.4})
    assert (made.joints, made.followers) == (("shoulder",), ("elbow",))
    (line,) = made.lines("lost")
    assert "does not feel" in line
    assert "the offset 0.1" in line
    block = tree(made).find("ros2_control/joint[@name='elbow']")
    assert block.find("command_interface") is None
    assert float(block.findtext("state_interface/param")) == pytest.approx(-0.7)


def test_a_follower_of_what_is_dropped_is_no_joint_of_ros2_control() -> None:
    mimic = '<mimic joint="shoulder"/>'
    robot = (BASE, '<link name="arm"/>', HAND, SHOULDER)
    made = wrapped(text(*robot, joint("elbow", "base", "hand", "continuous", inside=mimic)))
    assert (made.joints, made.followers) == ((), ())


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


OWN_BLOCK = '<ros2_control name="real" type="system"><hardware/></ros2_control>'
OWN_PLUGIN = '<gazebo><plugin filename="gz_ros2_control-system" name="x"/></gazebo>'


@pytest.mark.parametrize(
    ("own", "label"),
    [
        (OWN_BLOCK, "<ros2_control> 'real'"),
        (OWN_PLUGIN, "<plugin> 'x'"),
        (OWN_BLOCK + OWN_PLUGIN, "<ros2_control> 'real'"),
    ],
)
def test_tags_of_its_own_are_refused_or_replaced(own: str, label: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        wrapped(text(BASE, ARM, SHOULDER, own))
    assert str(caught.value) == (
        f"robot description: line 1: the description has {label} of its own; spawn it as it is, or"
        " have all such tags replaced (--replace, replace:=true)"
    )
    made = wrapped(text(BASE, ARM, SHOULDER, own), replace=True)
    assert made.text == wrapped(text(BASE, ARM, SHOULDER)).text
    again = wrapped(made.text, replace=True)
    assert (again.joints, again.is_anchored) == (made.joints, False)
    assert len(tree(again).findall("ros2_control")) == 1


def test_two_sensors_of_a_body_with_one_name_are_told_of() -> None:
    sensors = "".join(
        f'<gazebo reference="{name}"><sensor name="imu" type="imu"/></gazebo>'
        for name in ("arm", "hand", "base")
    )
    (line,) = wrapped(text(BASE, ARM, HAND, SHOULDER, MOUNT, sensors)).lines("lost")
    assert line.startswith("<sensor> 'imu' (line 1): link 'arm' has another one of this name")


def test_plugins_of_gazebo_classic_are_told_of() -> None:
    own = '<gazebo><plugin filename="libgazebo_ros_control.so" name="c"/></gazebo>'
    (line,) = wrapped(text(BASE, ARM, SHOULDER, own)).lines("lost")
    assert line.endswith("current Gazebo does not load: libgazebo_ros_control.so")


@pytest.mark.parametrize(
    ("elements", "said"),
    [
        ((BASE, ARM, joint("j", "base", "arm", "floating")), "joint 'j': is floating, and Gazebo"),
        ((BASE, ARM, joint("j", "base", "arm", "planar")), "joint 'j': is planar, and Gazebo"),
        (
            (BASE, '<link name="world"/>', joint("j", "base", "world")),
            "link 'world': is not the root, and Gazebo takes it for the world; rename it",
        ),
        ((BASE, ARM), "two roots"),
        (("<link>",), "not well-formed"),
    ],
)
def test_what_becomes_no_model_is_one_clear_line(elements: tuple[str, ...], said: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        wrapped(text(*elements))
    line = str(caught.value)
    assert "\n" not in line
    assert line.count("robot description: ") == 1
    if said != "two roots":
        assert said in line


def test_a_world_that_floats_is_refused() -> None:
    with pytest.raises(DescriptionError, match="is the world to Gazebo, which holds the robot"):
        wrapped(text('<link name="world"/>', BASE, joint("j", "world", "base")), base="floating")


def test_names_for_which_gazebo_refuses_a_robot_are_told_of() -> None:
    same = joint("arm", "base", "arm", "continuous")
    made = wrapped(text(BASE, ARM, HAND, same, joint("a::b", "arm", "hand", "continuous")))
    one, two = made.lines("lost")
    assert "joint 'arm' (line 1): a link is called 'arm' too" in one
    assert "joint 'a::b' (line 1): Gazebo refuses names" in two
    # A link that is one with another has no name there.
    other = joint("hand", "base", "arm", "continuous")
    assert wrapped(text(BASE, ARM, HAND, other, MOUNT)).lines("lost") == []


def test_links_of_nothing_that_are_fixed_to_each_other_do_no_harm() -> None:
    links = (link("a"), link("b"), joint("j", "arm", "a"), joint("k", "a", "b"))
    made = wrapped(text(BASE, ARM, SHOULDER, *links))
    assert made.remarks == ()
    assert tree(made).find("link[@name='b']/inertial") is None
    only = (link("a"), link("b", 0.0, (0, 0, 0), I), *links[2:])
    (line,) = wrapped(text(BASE, ARM, SHOULDER, *only)).lines("lost")
    assert line.startswith("link 'b' (line 1): moments of inertia without mass, fixed to 'a'")
    held = (link("b", 0.0, (0, 0, 0), I), joint("k", "arm", "b"))
    assert wrapped(text(BASE, ARM, SHOULDER, *held)).remarks == ()


def test_an_inertia_that_no_body_can_have_is_told_of() -> None:
    bad = link("arm", 1.0, (0, 0, 0), np.diag([1.0, 1.0, 3.0]))
    (line,) = wrapped(text(BASE, bad, SHOULDER)).lines("lost")
    assert line.startswith("link 'arm' (line 1): inertia that no body can have; Gazebo refuses")


def test_a_mechanism_file_is_written_as_urdf_first() -> None:
    made = wrapped(ROOT / "examples" / "four_bar.yaml")
    assert made.joints == ("motor", "crank_pin", "pivot")
    assert any(line.startswith("loop joint 'rocker_pin'") for line in made.lines("lost"))
    assert "the initial state" not in made.lines("lost")
    begun = [p.text for p in tree(made).iterfind("ros2_control/joint/state_interface/param")]
    assert begun[0] == "2"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"base": "prescribed"}, "base must be fixed or floating, got 'prescribed'"),
        ({"rate": 0}, "rate must be 1 to 10000 Hz, got 0"),
        ({"token_mass": 0.0}, "the token mass must be at least 1e-06 kg, got 0"),
        ({"token_mass": float("nan")}, "the token mass must be at least"),
        ({"namespace": "9/b"}, "namespace '9/b' must be words of letters"),
        ({"namespace": "a b"}, "namespace 'a b' must be words of letters"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ArgumentError, match=said.replace("(", r"\(")):
        GazeboSettings(parameters_file="/c.yaml", **settings)  # type: ignore[arg-type]
