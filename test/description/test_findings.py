"""What will hurt dynamics is found: one small description for each kind of finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.description.findings import described_findings, findings
from robodyn_ros.model import ModelBuilder
from robodyn_ros.model.findings import Finding
from robots import UNUSABLE, example, example_urdfs

DEMO_ARM = Path(__file__).parents[2] / "urdf" / "demo_arm.urdf"

GOOD_INERTIA = "0.01 0 0 0.01 0 0.01"
LIMIT = '<limit lower="-1" upper="1" velocity="1" effort="1"/>'
AXIS = '<axis xyz="0 0 1"/>'


def link(name: str, mass: float = 1.0, inertia: str = GOOD_INERTIA, com: str = "0.1 0 0") -> str:
    keys = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    values = " ".join(f'{k}="{v}"' for k, v in zip(keys, inertia.split(), strict=True))
    return (
        f'<link name="{name}">\n<inertial><origin xyz="{com}"/><mass value="{mass}"/>'
        f"<inertia {values}/></inertial></link>\n"
    )


def joint(
    name: str,
    parent: str,
    child: str,
    parts: str = AXIS + LIMIT,
    kind: str = "revolute",
    at: str = "0.3 0 0",
) -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{at}"/>{parts}</joint>\n'
    )


def robot(*parts: str) -> str:
    return "<robot name='r'>\n" + "".join(parts) + "</robot>"


def arm(tip: str = "", turn: str = "") -> str:
    """A base and a tip on a joint, either of which may be given."""
    return robot(link("base"), tip or link("tip"), turn or joint("turn", "base", "tip"))


def found(text: str) -> tuple[Finding, ...]:
    return described_findings(text)[1]


def only(text: str) -> Finding:
    (finding,) = found(text)
    return finding


def test_a_sound_arm_has_none() -> None:
    assert found(arm()) == ()


def limited(limit: str, kind: str = "revolute") -> str:
    return arm(turn=joint("turn", "base", "tip", AXIS + limit, kind))


#: name: (description, severity, kind, element, words of what is wrong)
CASES = {
    "massless tip": (
        arm(tip='<link name="tip"/>'),
        ("error", "singular", "joint 'turn'", "no link behind it has mass"),
    ),
    "massless tip of a mass of zero": (
        arm(tip=link("tip", 0.0, "0 0 0 0 0 0")),
        ("error", "singular", "joint 'turn'", "no link behind it has mass"),
    ),
    "negative inertia": (
        arm(tip=link("tip", inertia="-0.01 0 0 0.01 0 0.01")),
        ("error", "inertia", "link 'tip'", "negative principal moment"),
    ),
    "triangle inequality": (
        arm(tip=link("tip", inertia="0.01 0 0 0.01 0 0.03")),
        ("error", "inertia", "link 'tip'", "triangle inequality"),
    ),
    "inertia without mass": (
        arm(tip=link("tip", 0.0)),
        ("warning", "mass", "link 'tip'", "no mass, but a moment of inertia of 0.01"),
    ),
    "mass without inertia": (
        arm(tip=link("tip", inertia="0 0 0 0 0 0")),
        ("warning", "inertia", "link 'tip'", "a mass of 1 kg and no inertia: a point"),
    ),
    "rounding instead of inertia": (
        arm(tip=link("tip", inertia="-1e-20 0 0 1e-20 0 3e-20")),
        ("warning", "inertia", "link 'tip'", "a mass of 1 kg and no inertia: a point"),
    ),
    "inertia too small": (
        arm(tip=link("tip", inertia="1e-6 0 0 1e-6 0 1e-6")),
        ("warning", "inertia", "link 'tip'", "denser than any material"),
    ),
    "inertia in kg mm^2": (
        arm(tip=link("tip", inertia="1e4 0 0 1e4 0 1e4")),
        ("warning", "units", "link 'tip'", "1 kg at a distance of 122.5 m"),
    ),
    "centre of mass in mm": (
        arm(tip=link("tip", com="100 0 0")),
        ("warning", "units", "link 'tip'", "centre of mass lies 100 m from its frame"),
    ),
    "positions in mm": (
        arm(turn=joint("turn", "base", "tip", at="300 0 0")),
        ("warning", "units", "robot 'r'", "its joints lie up to 300 m apart"),
    ),
    "massless link between": (
        robot(
            link("base"),
            '<link name="cross"/>',
            link("tip"),
            joint("pitch", "base", "cross", '<axis xyz="0 1 0"/>' + LIMIT),
            joint("turn", "cross", "tip"),
        ),
        ("warning", "mass", "link 'cross'", "moves by joint 'pitch' and carries others"),
    ),
    "no limits at all": (
        limited("", "continuous"),
        ("warning", "limits", "joint 'turn'", "no velocity and no effort limit"),
    ),
    "no velocity limit": (
        limited('<limit lower="-1" upper="1" effort="1"/>'),
        ("warning", "limits", "joint 'turn'", "no velocity limit"),
    ),
    "zero effort limit": (
        limited('<limit lower="-1" upper="1" velocity="1" effort="0"/>'),
        ("warning", "limits", "joint 'turn'", "no effort limit"),
    ),
    "no range": (
        limited('<limit velocity="1" effort="1"/>'),
        ("warning", "range", "joint 'turn'", "no lower and no upper limit"),
    ),
    "endless range": (
        limited('<limit lower="-1e16" upper="inf" velocity="1" effort="1"/>', "prismatic"),
        ("warning", "range", "joint 'turn'", "no lower and no upper limit, though it is prismatic"),
    ),
    "exchanged range": (
        limited('<limit lower="1" upper="-1" velocity="1" effort="1"/>'),
        ("error", "range", "joint 'turn'", "lower limit 1 is above its upper limit -1"),
    ),
    "range of a point": (
        limited('<limit lower="0" upper="0" velocity="1" effort="1"/>'),
        ("warning", "range", "joint 'turn'", "one point"),
    ),
    "range in degrees": (
        limited('<limit lower="-180" upper="180" velocity="1" effort="1"/>'),
        ("warning", "units", "joint 'turn'", "its range goes to 180"),
    ),
    "range in mm": (
        limited('<limit lower="0" upper="400" velocity="1" effort="1"/>', "prismatic"),
        ("warning", "units", "joint 'turn'", "its range goes to 400"),
    ),
    "axis of another length": (
        arm(turn=joint("turn", "base", "tip", '<axis xyz="0 0 2"/>' + LIMIT)),
        ("warning", "axis", "joint 'turn'", "length 2"),
    ),
    "no axis": (
        arm(turn=joint("turn", "base", "tip", LIMIT)),
        ("warning", "axis", "joint 'turn'", "no axis"),
    ),
    "negative damping": (
        arm(turn=joint("turn", "base", "tip", AXIS + LIMIT + '<dynamics damping="-1"/>')),
        ("error", "friction", "joint 'turn'", "damping is negative"),
    ),
    "mimic of a fixed joint": (
        robot(
            *(link(name) for name in ("base", "tip", "end")),
            joint("turn", "base", "tip"),
            joint("weld", "tip", "end", '<mimic joint="turn"/>', "fixed"),
        ),
        ("warning", "mimic", "joint 'weld'", "fixed and cannot follow"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_fault_is_the_one_finding_on_its_description(case: str) -> None:
    text, expected = CASES[case]
    finding = only(text)
    assert (finding.severity, finding.kind, finding.element) == expected[:3]
    assert expected[3] in finding.what
    assert finding.remedy
    kind, name = finding.element.replace("'", "").split()
    places = [i for i, row in enumerate(text.splitlines(), 1) if f'<{kind} name="{name}"' in row]
    assert [finding.line] == (places or [None])


@pytest.mark.parametrize(
    ("mimic", "words"),
    [
        ('multiplier="0"', "multiplier 0: it never moves"),
        ('multiplier="2"', "drives it from -2 to 2, beyond its own limits"),
        ('offset="0.5"', "drives it from -0.5 to 1.5"),
        ('multiplier="-1"', None),
    ],
)
def test_a_follower_stays_within_its_limits(mimic: str, words: str | None) -> None:
    text = robot(
        *(link(name) for name in ("base", "left", "right")),
        joint("turn", "base", "left"),
        joint("follow", "base", "right", f'{AXIS}{LIMIT}<mimic joint="turn" {mimic}/>'),
    )
    told = found(text)
    assert len(told) == (words is not None)
    for finding in told:
        assert (finding.kind, finding.element) == ("mimic", "joint 'follow'")
        assert words is not None
        assert words in finding.what


def test_a_point_on_an_axis_moves_nothing() -> None:
    point = link("tip", inertia="0 0 0 0 0 0", com="0 0 0.4")
    error, warning = found(arm(tip=point))
    assert (error.severity, error.kind) == ("error", "singular")
    assert "all mass behind it lies on its axis" in error.what
    assert warning.severity == "warning"


def test_two_joints_on_one_axis_are_named_together() -> None:
    text = robot(
        link("base"),
        '<link name="middle"/>',
        link("tip"),
        joint("first", "base", "middle"),
        joint("second", "middle", "tip", at="0 0 0.1"),
    )
    error = found(text)[0]
    assert (error.severity, error.kind) == ("error", "singular")
    assert error.element == "joints 'first', 'second'"


def test_a_joint_of_several_rates_is_one_finding() -> None:
    text = arm(tip='<link name="tip"/>', turn=joint("free", "base", "tip", "", "floating"))
    what = only(text).what
    assert what.startswith("no link behind it has mass: it moves no inertia along 'free/rx', ")


def test_links_that_only_mark_a_place_are_fine() -> None:
    text = arm().replace(
        "</robot>", '<link name="tool"/>' + joint("weld", "tip", "tool", "", "fixed") + "</robot>"
    )
    assert found(text) == ()


def test_a_model_made_by_hand_is_judged_too() -> None:
    """What the text of a description would show, `findings` sees in the model as far as it can."""
    builder = ModelBuilder("hand")
    builder.add_body("only", mass=1.0, inertia=[[1, 0.5, 0], [0, 1, 0], [0, 0, 1]])
    (finding,) = findings(builder.build())
    assert "not symmetric" in finding.what
    assert finding.line is None


def test_errors_come_first() -> None:
    text = robot(link("base"), link("tip", 1.0, "0 0 0 0 0 0"), '<link name="end"/>').replace(
        "</robot>", joint("turn", "base", "tip") + joint("spin", "tip", "end") + "</robot>"
    )
    assert [f.severity for f in found(text)] == ["error", "warning"]


@pytest.mark.parametrize("name", ["ur5_robot", "panda", "ur10_robot", "xarm7", "go2", ""])
def test_good_robots_have_no_errors(name: str) -> None:
    _, told = described_findings(example(f"{name}.urdf") if name else DEMO_ARM)
    assert [finding for finding in told if finding.severity == "error"] == []


@pytest.mark.parametrize(
    "path",
    [path for path in example_urdfs() if path.name not in UNUSABLE],
    ids=lambda path: path.stem,
)
def test_findings_on_real_robots_are_unique_and_have_their_lines(path: Path) -> None:
    model, told = described_findings(path)
    assert model.fingerprint == load_model(path).fingerprint
    assert len({(f.kind, f.element, f.what) for f in told}) == len(told)
    for finding in told:
        assert "\n" not in finding.element + finding.what + finding.remedy
        assert finding.line is not None or " " in finding.element
        assert finding.severity in ("error", "warning")


def test_the_massless_hands_of_a_real_robot_are_found() -> None:
    _, told = described_findings(example("romeo.urdf"))
    errors = {(f.kind, f.element) for f in told if f.severity == "error"}
    assert errors == {("singular", "joint 'LHand'"), ("singular", "joint 'RHand'")}
