"""What kinematics and dynamics do not need is passed over without a sound."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.model import Note

ARM = """
  <link name="base"/><link name="tip"/>
  <joint name="j" type="revolute"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" velocity="1" effort="1"/></joint>
"""
FOREIGN = {
    "old transmission": '<transmission type="SimpleTransmission" name="t"><actuator name="m"/>'
    '<joint name="j"/><mechanicalReduction>1</mechanicalReduction></transmission>',
    "new transmission": '<transmission name="t"><type>x/Simple</type><joint name="j">'
    "<hardwareInterface>E</hardwareInterface></joint></transmission>",
    "empty transmission": "<transmission/>",
    "two transmissions": '<transmission name="t"/><transmission name="t"/>',
    "gazebo": '<gazebo reference="tip"><material>Gazebo/Blue</material></gazebo>',
    "gazebo plugin": '<gazebo><plugin name="p" filename="f.so"><joint>j</joint></plugin></gazebo>',
    "ros2_control": '<ros2_control name="c" type="system"><joint name="j">'
    '<command_interface name="position"/></joint></ros2_control>',
    "sensor": '<sensor name="cam" type="camera" update_rate="x"><parent link="base"/></sensor>',
    "material": '<material name="blue"/><material/><material name="c"><color rgba="x"/></material>',
    "group": '<group name="g"/><disable_collisions link1="a"/>',
    "text": "stray text &amp; more",
    "unknown with bad numbers": '<mass value="none"/><origin xyz="a"/><axis xyz="0 0 0"/>',
}


def notes_of(text: str, capfd: pytest.CaptureFixture[str]) -> tuple[Note, ...]:
    """Load `text`, check that nothing was printed, return the notes."""
    model = load_model(text)
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")
    assert model.joint_names == ("j",)
    return model.notes


@pytest.mark.parametrize("foreign", FOREIGN.values(), ids=FOREIGN.keys())
@pytest.mark.parametrize("before", [True, False])
def test_foreign_elements_are_ignored(
    foreign: str, before: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    text = f'<robot name="r">{foreign * before}{ARM}{foreign * (not before)}</robot>'
    notes = notes_of(text, capfd)
    assert {note.category for note in notes} <= {"ignored"}
    assert len(notes) <= 1


def test_two_hundred_unknown_tags_make_one_note(capfd: pytest.CaptureFixture[str]) -> None:
    unknown = "".join(f"<thing_{i} a='{i}'/>" for i in range(150)) + "<other/>" * 50
    (note,) = notes_of(f'<robot name="r">{unknown}{ARM}</robot>', capfd)
    assert note.element == "robot"
    assert note.text.startswith("not used here: other (50), thing_")
    assert note.text.endswith(", and 111 more")
    assert len(note.text) < 1500


def test_long_unknown_names_are_cut() -> None:
    long_name = "x" * 10_000
    (note,) = load_model(f'<robot name="r"><{long_name}/>{ARM}</robot>').notes
    assert len(note.text) < 100


def test_materials_are_somebody_elses(capfd: pytest.CaptureFixture[str]) -> None:
    assert notes_of(f'<robot name="r"><material name="blue"/>{ARM}</robot>', capfd) == ()


@pytest.mark.parametrize(
    ("old", "new", "mentions"),
    [
        ('<link name="base"/>', '<link name="base" type="x"><contact/></link>', "link/contact (1)"),
        ('<link name="base"/>', '<link name="base"><origin xyz="a"/></link>', "link/origin (1)"),
        ("<axis", '<safety_controller k_velocity="a"/><axis', "joint/safety_controller (1)"),
        ("<axis", '<calibration rising="a"/><axis', "joint/calibration (1)"),
        ('effort="1"', 'effort="1" jerk="z" acceleration="9"', "limit@jerk (1)"),
        ("<parent", "<dynamics damping='1' D='x'/><parent", "dynamics@D (1)"),
        ('type="revolute"', 'type="revolute" dont_collapse="true"', "joint@dont_collapse (1)"),
    ],
)
def test_unknown_parts_of_links_and_joints_are_ignored_and_listed(
    old: str, new: str, mentions: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (note,) = notes_of(f'<robot name="r">{ARM.replace(old, new, 1)}</robot>', capfd)
    assert mentions in note.text


@pytest.mark.parametrize(
    "shape",
    [
        "<visual><geometry><mesh filename='package://no/such.dae'/></geometry></visual>" * 3,
        "<visual/>",
        "<visual><geometry/></visual>",
        "<visual><geometry><box size='a b'/><sphere/></geometry></visual>",
        "<visual><geometry><capsule radius='1' length='1'/></geometry></visual>",
        "<visual><origin xyz='bad'/><material/></visual>",
        "<collision><geometry><cylinder/></geometry></collision>",
    ],
)
def test_shapes_are_somebody_elses(shape: str, capfd: pytest.CaptureFixture[str]) -> None:
    text = ARM.replace('<link name="base"/>', f'<link name="base">{shape}</link>')
    assert notes_of(f'<robot name="r">{text}</robot>', capfd) == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<axis", "<axis xyz='0 0 1'/><axis bad='x'"),
        ("<limit", "<limit lower='-1' upper='1' velocity='1' effort='1'/><limit bad='x'"),
        ("<parent link", "<parent link='base'/><parent lnk"),
        ("<axis", "<origin xyz='1 2 3'/><origin xyz='bad'/><axis"),
        ("<axis", "<dynamics damping='1'/><dynamics damping='bad'/><axis"),
    ],
)
def test_of_elements_given_twice_the_first_counts(
    old: str, new: str, capfd: pytest.CaptureFixture[str]
) -> None:
    notes = notes_of(f'<robot name="r">{ARM.replace(old, new, 1)}</robot>', capfd)
    assert any("the first counts" in note.text and "(line " in note.text for note in notes)


def test_a_second_inertial_is_ignored(capfd: pytest.CaptureFixture[str]) -> None:
    inertial = '<inertial><mass value="{}"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    link = f'<link name="base">{inertial.format(2)}{inertial.format("bad")}</link>'
    text = f'<robot name="r">{ARM.replace("<link name=" + chr(34) + "base" + chr(34) + "/>", link)}'
    notes = notes_of(text + "</robot>", capfd)
    assert load_model(text + "</robot>").bodies[0].mass == 2.0
    assert [note.element for note in notes if "another <inertial>" in note.text] == ["link 'base'"]


def test_what_a_joints_type_does_not_use_is_not_read(capfd: pytest.CaptureFixture[str]) -> None:
    text = """<robot name="r">
      <link name="base"/><link name="tip"/><link name="tool"/><link name="ball"/>
      <joint name="j" type="continuous"><parent link="base"/><child link="tip"/>
        <axis xyz="0 0 1"/><limit lower="bad" upper="" effort="3" velocity="4"/></joint>
      <joint name="k" type="fixed"><parent link="tip"/><child link="tool"/>
        <axis xyz="0 0 0"/><limit effort="bad"/><dynamics damping="bad"/>
        <mimic joint="nobody" multiplier="bad"/></joint>
      <joint name="l" type="floating"><parent link="tip"/><child link="ball"/>
        <axis xyz="0 0 0"/><limit effort="bad"/><dynamics damping="bad"/></joint>
    </robot>"""
    model = load_model(text)
    assert capfd.readouterr().err == ""
    said = {(note.element, note.text.partition(" (")[0]) for note in model.notes}
    assert said == {
        ("joint 'j'", "lower and upper of a continuous joint ignored"),
        ("joint 'k'", "<mimic> of a fixed joint ignored"),
        ("joint 'l'", "<limit> of a floating joint ignored"),
        ("joint 'l'", "<dynamics> of a floating joint ignored"),
    }
    assert not model.joint("k").is_follower
    assert (model.joint("j").limits.lower, model.joint("j").limits.effort) == (None, 3.0)


def test_loading_never_writes_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "r.urdf"
    path.write_text(f'<robot name="r">{ARM}</robot>')
    load_model(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["r.urdf"]
