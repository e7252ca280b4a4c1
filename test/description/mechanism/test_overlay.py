"""Mechanism files over a URDF: what they add, what they change, what they must not."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from robodyn_ros.description import load_description, load_model
from robodyn_ros.description.published import description_text
from robodyn_ros.description.source import read_source
from robodyn_ros.errors import DescriptionError
from robodyn_ros.joints import JointLimits

URDF = """<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><mass value="2"/><origin xyz="0 0 0.1"/>
    <inertia ixx="1" iyy="1" izz="0.5"/></inertial></link>
  <link name="fore"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="2" effort="30"/>
    <dynamics damping="0.5" friction="0.1"/></joint>
  <joint name="elbow" type="planar"><parent link="upper"/><child link="fore"/></joint>
</robot>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a URDF."""
    (tmp_path / "arm.urdf").write_text(URDF)
    return tmp_path


def over(folder: Path, text: str) -> Path:
    """Return a mechanism file over the URDF."""
    path = folder / "arm.yaml"
    path.write_text(f"mechanism: 1\nurdf: arm.urdf\n{text}")
    return path


def test_nothing_more_is_the_urdf(folder: Path) -> None:
    model = load_model(over(folder, ""))
    assert model.fingerprint == load_model(URDF).fingerprint
    assert model.name == "arm"
    assert load_model(over(folder, "name: other")).name == "other"


def test_bodies_and_joints_are_added_anywhere(folder: Path) -> None:
    model = load_model(
        over(
            folder,
            "bodies: {tool: {mass: 1}, cart: }\n"
            "joints:\n"
            "  grip: {type: spherical, parent: fore, child: tool}\n"
            "  rail: {type: prismatic, parent: cart, child: base}\n"
            "frames: {tip: {body: fore}}\nmarkers: {m: {body: upper, position: [0, 0, 1]}}\n"
            "dh: {t: {convention: classic, parent: tool, rows: [{a: 1}]}}\n",
        )
    )
    assert model.body_names == ("cart", "base", "upper", "fore", "tool", "t_link1")
    assert model.joint_names == ("rail", "shoulder", "elbow", "grip", "t_joint1")
    assert "tip" in model.frames
    assert [marker.name for marker in model.markers] == ["m"]


def test_a_joint_s_rates_are_changed_and_the_rest_stays(folder: Path) -> None:
    model = load_model(
        over(
            folder,
            "joints:\n"
            "  shoulder: {armature: 0.2, range: [-2, 2], initial_position: 0.5}\n"
            "  elbow: {friction: [1, 2, 3], velocity_limit: 4}\n",
        )
    )
    shoulder = model.joint("shoulder")
    assert shoulder.limits == JointLimits(-2.0, 2.0, 2.0, 30.0)
    assert (shoulder.armature, shoulder.damping, shoulder.friction) == (0.2, 0.5, 0.1)
    elbow = model.joint("elbow")
    np.testing.assert_array_equal(elbow.rate_parameters[:, 2], [1, 2, 3])
    assert elbow.limits == JointLimits(velocity=4.0)
    np.testing.assert_array_equal(model.defaults.q, [0.5, 0, 0, 0])
    told = load_model(over(folder, "initial: {positions: {elbow: [1, 2, 3]}}"))
    np.testing.assert_array_equal(told.defaults.q, [0, 1, 2, 3])


def test_a_body_s_mass_is_changed_and_the_rest_stays(folder: Path) -> None:
    upper = load_model(over(folder, "bodies: {upper: {mass: 3}}")).bodies[1]
    assert upper.mass == 3.0
    np.testing.assert_array_equal(upper.com, [0, 0, 0.1])
    np.testing.assert_array_equal(upper.inertia, np.diag([1, 1, 0.5]))
    points = "point_masses: [{mass: 2, position: [0, 0, 0.3]}]"
    upper = load_model(over(folder, f"bodies: {{upper: {{{points}}}}}")).bodies[1]
    assert upper.mass == 4.0
    np.testing.assert_allclose(upper.com, [0, 0, 0.2])
    fore = load_model(over(folder, "bodies: {fore: {mass: 1}}")).bodies[2]
    assert fore.has_inertial
    assert not load_model(over(folder, "bodies: {fore: }")).bodies[2].has_inertial


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("joints: {shoulder: {type: fixed}}", ["line 3: joints/shoulder/type", "the URDF's"]),
        ("joints: {shoulder: {axis: [0,0,1]}}", ["shoulder/axis", "change it there"]),
        ("joints: {shoulder: {parent: fore}}", ["shoulder/parent", "the URDF's"]),
        ("joints: {shoulder: {follows: {joint: elbow}}}", ["shoulder/follows", "the URDF's"]),
        ("joints: {shoulder: {dampin: 1}}", ["shoulder/dampin", "did you mean 'damping'?"]),
        ("joints: {shoudler: {damping: 1}}", ["lacks type", "did you mean 'shoulder'?"]),
        ("joints: {elbow: {damping: [1, 2]}}", ["elbow/damping", "3 rates (x, y, rz)"]),
        ("bodies: {upr: {mass: 1}}", ["line 3: bodies/upr", "no joint carries it", "'base'"]),
        (
            "bodies: {t: }\njoints: {j: {type: fixed, parent: uper, child: t}}",
            ["joints/j/parent", "did you mean 'upper'?", "bodies: base, upper, fore, t"],
        ),
        ("initial: {positions: {elbwo: 1}}", ["initial/positions/elbwo", "'elbow'"]),
    ],
)
def test_what_cannot_be_laid_over_is_told(folder: Path, text: str, parts: list[str]) -> None:
    with pytest.raises(DescriptionError) as raised:
        load_model(over(folder, text))
    for part in ("arm.yaml: line", *parts):
        assert part in str(raised.value)


def test_a_bad_urdf_is_told_with_both_lines(folder: Path) -> None:
    (folder / "arm.urdf").write_text(URDF.replace('value="2"', 'value="x"'))
    with pytest.raises(DescriptionError, match=r"arm\.yaml: line 2: urdf: .*arm\.urdf: line 3: "):
        load_model(over(folder, ""))
    (folder / "arm.urdf").write_text("<robot")
    with pytest.raises(
        DescriptionError, match=r"2: urdf: .*arm\.urdf: line 1: not well-formed XML"
    ):
        load_model(over(folder, ""))


def test_what_a_whole_robot_lacks_is_told_with_the_file_that_lacks_it(folder: Path) -> None:
    urdf = URDF.replace("</robot>", '<link name="lost"/></robot>')
    line = urdf.count("\n", 0, urdf.index('"lost"')) + 1
    joint = '<joint name="x" type="fixed"><parent link="none"/><child link="lost"/></joint></robot>'
    (folder / "arm.urdf").write_text(urdf.replace("</robot>", joint))
    with pytest.raises(DescriptionError, match=rf"joint 'x' \(line {line} of arm\.urdf\) names"):
        load_model(over(folder, ""))


def test_a_urdf_that_a_reader_could_wait_for_is_refused(folder: Path) -> None:
    pipe = folder / "pipe.urdf"
    os.mkfifo(pipe)
    for name in (str(pipe), f"file://{pipe}", "/dev/zero", "/dev/stdin"):
        with pytest.raises(DescriptionError, match=r"line 2: urdf: .* is a pipe or device"):
            load_model(f"mechanism: 1\nurdf: {name}\n")


def test_only_a_file_may_name_a_relative_path(folder: Path) -> None:
    text = over(folder, "").read_text()
    with pytest.raises(DescriptionError, match="relative, and a text lies in no folder"):
        load_model(text)
    absolute = text.replace("arm.urdf", str(folder / "arm.urdf"))
    assert load_model(absolute).nb == 3
    assert load_model(absolute.replace("urdf: ", "urdf: file://").encode()).nb == 3


@pytest.mark.parametrize(
    ("urdf", "part"),
    [
        ("http://example.com/arm.urdf", "nothing is downloaded"),
        ("package://no_such_package/arm.urdf", "'no_such_package' is not found"),
        ("package://some", "package://PACKAGE/PATH"),
        ("package://some/../../etc/passwd", "package://PACKAGE/PATH"),
        ("missing.urdf", "mising.urdf'?); name a .urdf or .xacro file"),
        ("missing.yam", "mising.urdf'?)"),
        ("crane_on_a_ship.xacro", "has 'arm.urdf', 'mising.urdf'); name"),
        ("other.yaml", "cannot be laid over another"),
        ("[a]", "a path, or a package:// URI"),
        ("'a\\0b.urdf'", "cannot read"),
        ('"a\\0b.urdf"', "cannot read"),
    ],
)
def test_a_urdf_that_is_not_there_is_told(folder: Path, urdf: str, part: str) -> None:
    (folder / "mising.urdf").write_text(URDF)
    path = folder / "arm.yaml"
    path.write_text(f"mechanism: 1\nurdf: {urdf}\n")
    with pytest.raises(DescriptionError, match=r"line 2: urdf: ") as raised:
        load_model(path)
    assert part in str(raised.value)


def test_xacro_is_expanded_for_a_file_and_never_for_a_text(folder: Path) -> None:
    xacro = folder / "arm.urdf.xacro"
    xacro.write_text(URDF)
    path = folder / "over.yaml"
    path.write_text("mechanism: 1\nurdf: arm.urdf.xacro\n")
    assert load_model(path).nb == 3
    with pytest.raises(DescriptionError, match="xacro"):
        load_model(f"mechanism: 1\nurdf: {xacro}\n")


def test_packages_are_found_where_ros_looks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    share = folder / "install" / "share" / "my_arm" / "urdf"
    share.mkdir(parents=True)
    (share / "arm.urdf").write_text(URDF)
    text = "mechanism: 1\nurdf: package://my_arm/urdf/arm.urdf\n"
    with pytest.raises(DescriptionError, match="AMENT_PREFIX_PATH"):
        load_model(text)
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"/nowhere:{folder / 'install'}")
    assert load_model(text).nb == 3
    monkeypatch.delenv("AMENT_PREFIX_PATH")
    source = folder / "src" / "repository" / "my_arm"
    (source / "urdf").mkdir(parents=True)
    (source / "package.xml").write_text("<package/>")
    (source / "urdf" / "arm.urdf").write_text(URDF)
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(folder / "src"))
    assert load_model(text).nb == 3
    with pytest.raises(DescriptionError, match=r"has no file urdf/leg\.urdf"):
        load_model(text.replace("urdf/arm", "urdf/leg"))


def test_robots_of_example_robot_data_are_packages() -> None:
    uri = "package://example-robot-data/robots/ur_description/urdf/ur5_robot.urdf"
    model = load_model(f"mechanism: 1\nurdf: {uri}\njoints: {{elbow_joint: {{armature: 0.5}}}}\n")
    assert model.nv == 6
    assert model.joint("elbow_joint").armature == 0.5


def test_the_text_for_others_has_an_absolute_path(folder: Path) -> None:
    path = over(folder, "bodies: {fore: {mass: 1}} # a note\n")
    document = read_source(path)
    text = description_text(document)
    assert f"urdf: {json.dumps(str(folder / 'arm.urdf'))}\n" in text
    assert text.endswith("# a note\n")
    assert load_model(text).fingerprint == load_model(path).fingerprint
    plain = read_source(f"\ufeffmechanism: 1\nurdf: {folder / 'arm.urdf'}\n")
    assert description_text(plain) == f"mechanism: 1\nurdf: {folder / 'arm.urdf'}\n"
    assert description_text(read_source(URDF)) == URDF


def test_lines_of_what_the_file_describes(folder: Path) -> None:
    lines = load_description(over(folder, "joints:\n  elbow: {damping: 1}\n")).lines
    assert lines == {"joint 'elbow'": 4}
