"""What is found in joints of every type, of a mechanism file or made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.description.findings import described_findings, findings
from robodyn_ros.joints import (
    DhPrismatic,
    DhRevolute,
    Gimbal,
    Helical,
    Joint,
    JointLimits,
    Prismatic,
    Revolute,
    Translational,
)
from robodyn_ros.model import ModelBuilder
from robots import OWN_ROBOTS

Z = (0.0, 0.0, 1.0)
SLIDES = [Translational(inner=(Z,)), DhPrismatic(a=0.3)]
TURNS = [DhRevolute(a=0.3), Gimbal("3")]
SCREWS = [Helical(Z, pitch=0.001)]


def found(joint: Joint, *limits: JointLimits) -> list[tuple[str, str]]:
    """Return kind and text of what is found in a joint that moves a sound body."""
    builder = ModelBuilder("pair")
    for name in ("base", "tip"):
        builder.add_body(name, mass=1.0, com=(0.1, 0.2, 0.3), inertia=0.01 * np.eye(3))
    builder.add_joint("j", joint, "base", "tip", limits=limits[0] if len(limits) == 1 else limits)
    return [(f.kind, f.what) for f in findings(builder.build())]


def reaching(lower: float | None, upper: float | None) -> JointLimits:
    return JointLimits(lower, upper, 1.0, 1.0)


@pytest.mark.parametrize("joint", [*SLIDES, *SCREWS], ids=lambda joint: joint.type_name)
def test_what_slides_comes_to_an_end(joint: Joint) -> None:
    ((kind, what),) = found(joint, reaching(None, None))
    assert (kind, what.partition(",")[0]) == ("range", "no lower and no upper limit")
    assert found(joint, reaching(-0.1, 0.2)) == []


@pytest.mark.parametrize("joint", TURNS, ids=lambda joint: joint.type_name)
def test_what_turns_may_turn_for_ever(joint: Joint) -> None:
    assert found(joint, reaching(None, None)) == []


@pytest.mark.parametrize("joint", [Prismatic(Z), Revolute(Z), *SCREWS], ids=lambda x: x.type_name)
def test_a_follower_needs_no_limits_of_its_own(joint: Joint) -> None:
    builder = ModelBuilder("pair that follows")
    for name in ("base", "driver", "follower"):
        builder.add_body(name, mass=1.0, com=(0.1, 0.2, 0.3), inertia=0.01 * np.eye(3))
    builder.add_joint("leads", Revolute(Z), "base", "driver", limits=reaching(-1.0, 1.0))
    builder.add_joint("follows", joint, "base", "follower")
    without = [f.element for f in findings(builder.build())]
    assert set(without) == {"joint 'follows'"}
    builder.add_mimic("follows", "leads")
    assert findings(builder.build()) == ()


def test_units_follow_the_motion() -> None:
    for joint in SLIDES:
        assert found(joint, reaching(0.0, 25.0)) == [("units", "its range goes to 25")]
    for joint in TURNS:
        assert found(joint, reaching(0.0, 25.0)) == []
        assert found(joint, reaching(0.0, 180.0)) == [("units", "its range goes to 180")]
    for joint in SCREWS:  # a spindle turns often
        assert found(joint, reaching(0.0, 400.0)) == []


def test_ranges_of_one_of_several_rates_are_judged() -> None:
    free = JointLimits()
    told = found(Gimbal("321"), free, JointLimits(1.0, -1.0), JointLimits(0.5, 0.5))
    assert told == [
        ("range", "its lower limit of 'ry' 1 is above its upper limit -1"),
        ("range", "its range of 'rx' is one point, 0.5"),
    ]


def test_remedies_are_for_either_kind_of_file() -> None:
    _, told = described_findings(OWN_ROBOTS / "every_type.yaml")
    assert {f.kind for f in told} == {"limits", "range"}
    for finding in told:
        assert 'type="' not in finding.remedy
        assert ("URDF" in finding.remedy) == ("mechanism file" in finding.remedy)
