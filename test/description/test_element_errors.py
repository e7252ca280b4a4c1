"""Elements that no model can be built from: one line, with line, element and remedy."""

from __future__ import annotations

import pytest

from robodyn_ros.description import load_model, urdf
from robodyn_ros.errors import DescriptionError

ROBOT = """<robot name="r">
<link name="base"/>
<link name="tip">
<inertial>
<origin xyz="0 0 0.1" rpy="0 0 0"/>
<mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
</inertial>
</link>
<joint name="elbow" type="revolute">
<origin xyz="0 0 0" rpy="0 0 0"/>
<parent link="base"/>
<child link="tip"/>
<axis xyz="0 0 1"/>
<limit lower="-1" upper="1" velocity="2" effort="3"/>
<dynamics damping="0" friction="0"/>
</joint>
</robot>"""
# (what to replace, by what, expected line, expected parts of the message)
FAULTS = [
    ('<link name="base"/>', "<link/>", 2, ["link without a name", 'add name="..."']),
    ('<link name="base"/>', '<link name="  "/>', 2, ["needs a name"]),
    ('name="elbow" ', "", 10, ["joint without a name"]),
    (' type="revolute"', "", 10, ["joint 'elbow'", "has no type", "prismatic"]),
    (
        '"revolute"',
        '"Revolute"',
        10,
        ["'elbow'", "'Revolute'", "did you mean 'revolute'? (known: revolute, continuous"],
    ),
    ('"revolute"', '"ball"', 10, ["unknown type 'ball'", "floating"]),
    ('"revolute"', '"unknown"', 10, ["unknown type 'unknown'"]),
    ('"revolute"', '""', 10, ["unknown type ''"]),
    ('<parent link="base"/>', "", 10, ["'elbow'", "has no <parent>", '<parent link="..."/>']),
    ('<child link="tip"/>', "", 10, ["'elbow'", "has no <child>"]),
    ('<parent link="base"/>', "<parent/>", 12, ["<parent> of joint 'elbow'", "lacks link"]),
    ('<child link="tip"/>', '<child link=""/>', 13, ["<child> of joint 'elbow'", "lacks link"]),
    ('<child link="tip"/>', '<child link="base"/>', 10, ["joins link 'base' to itself"]),
    ('xyz="0 0 1"', 'xyz="0 0 0"', 14, ["<axis> of joint 'elbow'", "zero", 'xyz="0 0 1"']),
    ('xyz="0 0 1"', 'xyz="0 -0.0 0e5"', 14, ["<axis> of joint 'elbow'", "the axis is zero"]),
    ('xyz="0 0 1"', 'xyz="0 0"', 14, ["<axis> of joint 'elbow'", "needs 3 numbers and has 2"]),
    ('xyz="0 0 1"', 'xyz="0 0 nan"', 14, ["'nan' is not a finite number"]),
    ('xyz="0 0 0" rpy', 'xyz="0 0 0 0" rpy', 11, ["xyz", "needs 3 numbers and has 4"]),
    ('xyz="0 0 0" rpy', 'xyz="" rpy', 11, ["<origin> of joint 'elbow'", "has 0"]),
    ('xyz="0 0 0" rpy', 'xyz="0,0,0" rpy', 11, ["'0,0,0'", "write a point"]),
    ('xyz="0 0 0" rpy', 'xyz="0 0 1,5" rpy', 11, ["'1,5'", "write a point"]),
    ('xyz="0 0 0" rpy', 'xyz="0 0 inf" rpy', 11, ["'inf' is not a finite number"]),
    ('xyz="0 0 0" rpy', 'xyz="0 0 1e300" rpy', 11, ["1e300 is too large"]),
    ('xyz="0 0 0" rpy', 'xyz="0 0 1_0" rpy', 11, ["'1_0' is not a number"]),
    ('xyz="0 0 0" rpy', 'xyz="0 0 0x1" rpy', 11, ["'0x1' is not a number"]),
    ('xyz="0 0 0" rpy', 'xyz="0 0 \u0663" rpy', 11, ["is not a number"]),
    ('rpy="0 0 0"/>\n<parent', 'rpy="0 0 pi/2"/>\n<parent', 11, ["rpy", "'pi/2'"]),
    ('xyz="0 0 0.1"', 'xyz="0 0"', 5, ["<origin> of link 'tip'", "has 2"]),
    ('<mass value="1"/>', '<mass value="-1"/>', 6, ["<mass> of link 'tip'", "negative (-1 kg)"]),
    ('<mass value="1"/>', '<mass value="nan"/>', 6, ["<mass> of link 'tip'", "finite"]),
    ('<mass value="1"/>', '<mass value="-inf"/>', 6, ["<mass> of link 'tip'", "finite"]),
    ('<mass value="1"/>', '<mass value="1 kg"/>', 6, ["<mass> of link 'tip'", "'kg'"]),
    ('<mass value="1"/>', "<mass/>", 6, ["<mass> of link 'tip'", "lacks value"]),
    ('<mass value="1"/>', "<mass>1</mass>", 6, ["<mass> of link 'tip'", "lacks value"]),
    ('<mass value="1"/>', "", 4, ["<inertial> of link 'tip'", "no <mass>", "in kg"]),
    ('ixx="1"', "", 7, ["<inertia> of link 'tip'", "lacks ixx", "kg m^2"]),
    ('izz="1"', 'izz="one"', 7, ["<inertia> of link 'tip'", "izz='one'"]),
    ('ixy="0"', 'ixy="nan"', 7, ["<inertia> of link 'tip'", "ixy='nan'"]),
    ('lower="-1"', 'lower="low"', 15, ["<limit> of joint 'elbow'", "lower='low'"]),
    ('effort="3"', 'effort=""', 15, ["<limit> of joint 'elbow'", "has 0"]),
    ('damping="0"', 'damping="inf"', 16, ["<dynamics> of joint 'elbow'", "damping='inf'"]),
    ("<axis", '<mimic multiplier="1"/>\n<axis', 14, ["<mimic> of joint 'elbow'", "lacks joint"]),
    ("<axis", '<mimic joint="elbow" offset="nan"/>\n<axis', 14, ["<mimic> of joint 'elbow'"]),
]


@pytest.mark.parametrize(("old", "new", "line", "parts"), FAULTS)
def test_a_fault_is_named(
    old: str, new: str, line: int, parts: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert ROBOT.count(old) >= 1
    with pytest.raises(DescriptionError) as caught:
        load_model(ROBOT.replace(old, new, 1))
    message = str(caught.value)
    assert message.startswith(f"robot description: line {line}: ")
    assert all(part in message for part in parts), message
    assert "\n" not in message
    assert capfd.readouterr().err == ""


def test_what_the_check_would_miss_is_still_a_description_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(urdf, "check", lambda tree: None)
    with pytest.raises(DescriptionError, match="urdf_parser_py cannot read this robot") as caught:
        load_model(ROBOT.replace('<mass value="1"/>', '<mass value="heavy"/>'))
    assert "\n" not in str(caught.value)


def test_the_robot_that_the_faults_are_put_into_has_none() -> None:
    assert load_model(ROBOT).notes == ()


@pytest.mark.parametrize("number", ["1e+9", "+.5", "1.", "1E-3", "-0", " 7\t", "\n3", "00012"])
def test_every_decimal_notation_is_a_number(number: str) -> None:
    model = load_model(ROBOT.replace('xyz="0 0 0.1"', f'xyz="0 {number} 0"'))
    assert model.bodies[1].com[1] == float(number)


def test_numbers_may_be_set_apart_by_any_blanks() -> None:
    model = load_model(ROBOT.replace('xyz="0 0 0.1"', 'xyz=" 1\t 2\n3 "'))
    assert model.bodies[1].com.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    "empty",
    ["<robot/>", '<robot name="a"/>', '<robot name="a"><gazebo/></robot>', "<robot></robot>"],
)
def test_an_empty_robot_is_one_clear_error(empty: str) -> None:
    with pytest.raises(DescriptionError, match=r"line 1: the robot has no links; .*<link name=."):
        load_model(empty)


def test_foreign_text_in_messages_is_short_and_on_one_line() -> None:
    long_name = "x\n" * 40_000
    text = ROBOT.replace('"elbow"', f'"{long_name}"').replace('xyz="0 0 1"', f'xyz="{long_name}"')
    with pytest.raises(DescriptionError) as caught:
        load_model(text.replace("\nx", "&#10;x"))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("old", "line", "part"),
    [
        ('name="base"', 2, "link"),
        ('name="elbow"', 10, "joint"),
        ('link="base"', 12, "<parent> of joint 'elbow'"),
        ('link="tip"', 13, "<child> of joint 'elbow'"),
    ],
)
def test_names_are_bounded(old: str, line: int, part: str) -> None:
    def named(length: int) -> str:
        return ROBOT.replace(old, f'{old.partition("=")[0]}="{"x" * length}"', 1)

    with pytest.raises(DescriptionError, match=rf"line {line}: {part}.*is longer than 250"):
        load_model(named(251))
    if old == 'name="elbow"':
        assert load_model(named(250)).joint_names == ("x" * 250,)


@pytest.mark.parametrize(
    ("count", "complaint"), [(20_000, "20000 root links"), (20_001, "20001 links; at most 20000")]
)
def test_links_are_bounded(count: int, complaint: str) -> None:
    links = "".join(f'<link name="l{i}"/>' for i in range(count))
    with pytest.raises(DescriptionError, match=complaint):
        load_model(f'<robot name="r">{links}</robot>')
