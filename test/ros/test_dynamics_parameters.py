"""Parameters of joints and payloads, units of efforts, and what is reported of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from robodyn_ros import load
from robodyn_ros.conditioning.effort_units import UNITS, Report, conversion, si_unit
from robodyn_ros.conditioning.joint_efforts import NO_EFFORT
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.dynamics_parameters import JOINT_NUMBERS, joint_specs, joints_of
from robodyn_ros.ros.dynamics_reports import Surroundings, dynamics_report, measured_report
from robodyn_ros.ros.reports import Level
from robodyn_ros.ros.robot_loads import attach, carry_over, loads_given
from robots import OWN_ROBOTS, loaded

ROBOT = OWN_ROBOTS / "every_joint.urdf"
#: Ends of the descriptions, for what slides and for what turns.
UNITS_OF = {
    "armature": (", kg.", ", kg m^2."),
    "damping": (", N s/m.", ", N m s/rad."),
    "friction": (", N.", ", N m."),
}


class Given:
    """Stands for parameters given at start-up."""

    def __init__(self, **values: Any) -> None:
        self._values = {key.replace("__", "."): value for key, value in values.items()}

    def given(self, prefix: str) -> dict[str, Any]:
        """Return what was given."""
        assert prefix == "payloads"
        return self._values


def single(kind: str) -> Any:
    model = load(ROBOT, compile="off").model
    return next(
        joint
        for _, joint in model.moving
        if joint.joint.type_name == kind and not joint.is_follower
    )


@pytest.mark.parametrize("robot", ["every_joint.urdf", "every_type.yaml"])
def test_every_rate_has_described_parameters_with_its_own_defaults(robot: str) -> None:
    model = loaded(OWN_ROBOTS / robot)
    coordinates = []
    for joint in joints_of(model):
        specs = joint_specs(joint)
        for spec in specs:
            assert spec.name.startswith(f"joints.{joint.name}")
            assert spec.problem(spec.default) == ""
        for rate, turns in enumerate(joint.joint.turning()):
            axes = joint.joint.axes
            coordinate = f"{joint.name}/{axes[rate]}" if axes else joint.name
            coordinates.append(coordinate)
            for column, field in enumerate(JOINT_NUMBERS):
                spec = specs[len(JOINT_NUMBERS) * rate + column]
                assert spec.name == f"joints.{coordinate}.{field}"
                assert spec.default == joint.rate_parameters[rate, column]
                assert f"joint {coordinate}, " in spec.text
                assert spec.text.endswith(UNITS_OF[field][turns])
                assert spec.problem(-1.0)
    assert set(model.coordinate_names) <= set(coordinates)


@pytest.mark.parametrize(("kind", "unit"), [("revolute", "Nm"), ("prismatic", "N")])
def test_units_follow_the_kind_of_joint(kind: str, unit: str) -> None:
    joint = single(kind)
    (spec,) = (spec for spec in joint_specs(joint) if spec.name.endswith("effort_unit"))
    assert spec.default == unit
    assert conversion(joint, 0, Report(unit)) == (1.0, "")
    assert conversion(joint, 0, Report(unit, -1.0)) == (-1.0, "")
    assert conversion(joint, 0, Report("A", 9.5)) == (9.5, "")
    other = {"Nm": "N", "N": "Nm"}[unit]
    for refused, gain in (("A", 0.0), ("unknown", 1.0), (other, 1.0)):
        assert refused in UNITS
        factor, why = conversion(joint, 0, Report(refused, gain))
        assert factor == 0.0
        assert why


NONE = Report()


@pytest.mark.parametrize(
    ("axis", "own", "whole", "factor", "why"),
    [
        ("x", NONE, NONE, 1.0, ""),
        ("rz", NONE, NONE, 1.0, ""),
        ("x", NONE, Report("A", 3.0), 3.0, ""),
        ("x", Report(gain=4.0), Report("A", 3.0), 4.0, ""),
        ("x", Report(gain=4.0), Report("A"), 4.0, ""),
        ("x", NONE, Report(gain=-1.0), -1.0, ""),
        # A unit of its own goes without the gain of another unit.
        ("x", Report("N"), Report("A", 3.0), 1.0, ""),
        ("x", Report("A"), Report("A", 3.0), 0.0, "in A: set joints.planar/x.effort_gain"),
        ("x", NONE, Report("A"), 0.0, "in A: set joints.planar.effort_gain"),
        ("rz", NONE, Report("unknown"), 0.0, "unknown: set joints.planar.effort_unit"),
        ("rz", Report("unknown"), Report("Nm"), 0.0, "unknown: set joints.planar/rz.effort_unit"),
        ("rz", NONE, Report("Nm"), 1.0, ""),
        ("x", NONE, Report("Nm"), 0.0, "which has N: set joints.planar/x.effort_unit"),
        ("rz", Report("N"), NONE, 0.0, "which has Nm: set joints.planar/rz.effort_unit"),
    ],
)
def test_of_a_coordinate_and_its_joint_the_coordinate_wins(
    axis: str, own: Report, whole: Report, factor: float, why: str
) -> None:
    joint = loaded(OWN_ROBOTS / "every_type.yaml").own_joint("planar")
    found, said = conversion(joint, joint.joint.axes.index(axis), own, whole)
    assert found == factor
    assert said.endswith(why)
    assert bool(said) == bool(why)


def test_efforts_that_joint_states_give_have_a_unit_and_a_gain_and_no_others() -> None:
    model = loaded(OWN_ROBOTS / "every_type.yaml")
    declared = {spec.name for joint in joints_of(model) for spec in joint_specs(joint)}
    told = told_coordinates(model)
    expected = {x.name for x in told} | {x.joint.name for x in told}
    for field in ("effort_unit", "effort_gain"):
        names = {name for name in declared if name.endswith(f".{field}")}
        assert names == {f"joints.{name}.{field}" for name in expected}


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("slide", "N"),
        ("dh_prismatic", "N"),
        ("prismatic", "N"),
        ("helical", "Nm"),
        ("dh_revolute", "Nm"),
        ("continuous", "Nm"),
    ],
)
def test_the_motion_decides_the_unit_and_not_the_types_name(name: str, unit: str) -> None:
    assert si_unit(loaded(OWN_ROBOTS / "every_type.yaml").own_joint(name)) == unit


def test_payloads_are_read_from_parameters() -> None:
    given = Given(
        tool__frame="left_hand",
        tool__mass=2,
        tool__com=[0.0, 0.0, 0.1],
        tool__inertia=[1.0, 0.1, 0.2, 1.1, 0.3, 1.2],
        my__box__frame="left_hand",
        my__box__mass=0.5,
    )
    loads = loads_given(given)  # type: ignore[arg-type]
    assert [x.name for x in loads] == ["tool", "my.box"]
    assert loads[0].inertia.tolist() == [[1.0, 0.1, 0.2], [0.1, 1.1, 0.3], [0.2, 0.3, 1.2]]
    robot = load(ROBOT, compile="off")
    attach(robot, loads)
    assert [(x.name, x.mass) for x in robot.payloads] == [("tool", 2.0), ("my.box", 0.5)]
    other = load(OWN_ROBOTS / "skew_axes.urdf", compile="off")
    assert [told.about for told in carry_over(other, robot.payloads)] == ["tool", "my.box"]
    assert not other.payloads


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"tool__mass": 1.0}, "payloads.tool.frame"),
        ({"tool__frame": "x"}, "payloads.tool.mass"),
        ({"tool__frame": "x", "tool__mass": True}, "payloads.tool.mass"),
        ({"tool__frame": "x", "tool__mass": 1.0, "tool__com": [1.0]}, "3 numbers"),
        ({"tool__frame": "x", "tool__mass": 1.0, "tool__inertia": "heavy"}, "6 numbers"),
        ({"tool__weight": 1.0}, "frame, mass, com, inertia"),
        ({"mass": 1.0}, "payloads.NAME.FIELD"),
    ],
)
def test_payloads_that_are_none_are_told(values: dict, said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        loads_given(Given(**values))  # type: ignore[arg-type]


def test_reports_name_what_is_wrong() -> None:
    known = Surroundings(
        "imu", np.array([0.0, 0.0, -9.81]), 0.2, "", (), compensated=False, kernel=""
    )
    report = dynamics_report(known)
    assert report.level is Level.OK
    assert report.values["gravity age"] == "0.200 s"
    silent = Surroundings(
        "imu", np.zeros(3), 9.0, "gravity is not known", (), compensated=True, kernel="compiled"
    )
    assert dynamics_report(silent).level is Level.WARN
    assert measured_report(3, None).level is Level.OK
    assert measured_report(3, {}).level is Level.OK
    assert measured_report(2, dict.fromkeys("ab", NO_EFFORT)).level is Level.OK
    some = measured_report(3, {"a": "unit unknown"})
    assert some.level is Level.WARN
    assert "'a' (unit unknown)" in some.message
