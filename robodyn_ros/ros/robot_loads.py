"""What the parameters say of a robot's payloads and joints, put into its environment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.effort_units import Report, conversion
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.errors import ArgumentError, UnknownNameError, did_you_mean, quoted
from robodyn_ros.model import Model, Payload, TreeJoint
from robodyn_ros.robot import Robot
from robodyn_ros.ros.dynamics_parameters import (
    JOINT_NUMBERS,
    joint_specs,
    joints_of,
    rate_parameter,
)
from robodyn_ros.ros.joint_dynamics import Measured
from robodyn_ros.ros.parameters import Parameters

_FIELDS = ("frame", "mass", "com", "inertia")
_ORDER = {3: "x, y, z in m", 6: "ixx, ixy, ixz, iyy, iyz, izz in kg m^2"}


class Load(NamedTuple):
    """A payload as a parameter file has it; see `Robot.set_payload`."""

    name: str
    frame: str
    mass: float
    com: NDArray[np.float64]
    inertia: NDArray[np.float64]


def loads_given(config: Parameters) -> list[Load]:
    """Return the payloads that were given at start-up as `payloads.NAME.FIELD`.

    Raises:
        ArgumentError: a field that there is not, one of another kind, or no frame or mass.
    """
    by_name: dict[str, dict[str, object]] = {}
    for key, value in config.given("payloads").items():
        name, _, field = key.rpartition(".")
        if not name or field not in _FIELDS:
            known = ", ".join(_FIELDS)
            raise ArgumentError(
                f"there is no parameter payloads.{key}: give payloads.NAME.FIELD, with a field of"
                f" {known}"
            )
        by_name.setdefault(name, {})[field] = value
    return [_load(name, fields) for name, fields in by_name.items()]


def _load(name: str, fields: dict[str, object]) -> Load:
    what = f"payloads.{name}"
    frame, mass = fields.get("frame"), fields.get("mass")
    if not isinstance(frame, str) or not frame:
        raise ArgumentError(f"{what}.frame must be the name of a link or frame, got {frame!r}")
    if not isinstance(mass, (int, float)) or isinstance(mass, bool):
        raise ArgumentError(f"{what}.mass must be a number of kg, got {mass!r}")
    com = _numbers(f"{what}.com", fields.get("com", (0.0, 0.0, 0.0)), 3)
    ixx, ixy, ixz, iyy, iyz, izz = _numbers(f"{what}.inertia", fields.get("inertia", (0.0,) * 6), 6)
    inertia = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
    return Load(name, frame, float(mass), com, inertia)


def _numbers(what: str, value: object, length: int) -> NDArray[np.float64]:
    try:
        numbers = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.zeros(0)
    if numbers.shape != (length,):
        raise ArgumentError(f"{what} must be {length} numbers ({_ORDER[length]}), got {value!r}")
    return numbers


def attach(robot: Robot, loads: Iterable[Load]) -> None:
    """Attach payloads.

    Raises:
        UnknownNameError: no such frame.
        ArgumentError: a value that no body can have.
    """
    for load in loads:
        robot.set_payload(load.frame, load.mass, load.com, load.inertia, name=load.name)


def carry_over(robot: Robot, loads: Iterable[Payload]) -> Iterator[Complaint]:
    """Attach what another robot carried, and yield what has no place on this one."""
    for load in loads:
        if load.frame in robot.model.frames:
            robot.set_payload(load.frame, load.mass, load.com, load.inertia, name=load.name)
            continue
        yield Complaint(
            Severity.WARN,
            "payloads lost",
            f"payload {quoted(load.name)} is gone: the new description has no frame"
            f" {quoted(load.frame)}",
            about=load.name,
        )


class JointParameters:
    """The parameters of a robot's joints, declared for as long as it is there."""

    def __init__(self, config: Parameters) -> None:
        self._config = config
        self._declared: list[str] = []

    def begin(self, model: Model) -> Iterator[Complaint]:
        """Declare those of a model's joints, and yield what was given for joints it lacks.

        Raises:
            ArgumentError: a value given at start-up is not acceptable; those of the model before
                are still there.
        """
        specs = [spec for joint in joints_of(model) for spec in joint_specs(joint)]
        self._config.check(specs)
        self._config.remove(self._declared)
        self._declared = [spec.name for spec in specs]
        self._config.add(specs)
        known = {joint.name: joint for joint in joints_of(model)}
        lost = dict.fromkeys(
            key for key in self._config.given("joints") if f"joints.{key}" not in self._declared
        )
        for key in lost:
            text = f"parameter joints.{key} is not used: {_no_such(key, known)}"
            yield Complaint(Severity.WARN, "parameters not used", text, about=key)

    def apply(self, robot: Robot) -> None:
        """Give a robot the armatures, dampings and frictions of the parameters.

        Joints of which all are as the description says are left alone.
        """
        robot.reset_joint_parameters()
        for joint in joints_of(robot.model):
            given = {
                name: [
                    self._config.number(rate_parameter(joint, rate, name))
                    for rate in range(joint.joint.nv)
                ]
                for name in JOINT_NUMBERS
            }
            if not np.array_equal(np.transpose([*given.values()]), joint.rate_parameters):
                robot.set_joint_parameters(joint.name, **given)

    def measured(self, model: Model, *, compensated: bool) -> Measured:
        """Return what the joints' reported efforts are; `compensated` as in `Measured`."""
        factors: list[float] = []
        refused: dict[str, str] = {}
        for told in told_coordinates(model):
            joint, rate = told.joint, told.v - told.joint.v_index
            whole = self._report(joint.name) if joint.joint.axes else None
            factor, why = conversion(joint, rate, self._report(told.name), whole)
            factors.append(factor)
            if why:
                refused[told.name] = why
        return Measured(np.array(factors), refused, compensated=compensated)

    def _report(self, name: str) -> Report:
        """Return what the parameters say of the efforts of a joint or coordinate."""
        unit = self._config.text(f"joints.{name}.effort_unit")
        return Report(unit, self._config.number(f"joints.{name}.effort_gain"))


def _no_such(key: str, known: Mapping[str, TreeJoint]) -> str:
    """Return why `joints.` and a key name no parameter."""
    name, _, field = key.rpartition(".")
    joint = known.get(name) or known.get(key) or known.get(name.rpartition("/")[0])
    if joint is None:
        return str(UnknownNameError.among("joint that moves", name or key, known))
    own = [spec.name.removeprefix("joints.") for spec in joint_specs(joint)]
    fields = list(dict.fromkeys(x.rpartition(".")[2] for x in own))
    if joint.joint.axes and field in fields:
        among = [x for x in own if x.endswith(f".{field}")]
        return f"joint {quoted(joint.name)} has several coordinates; give {', '.join(among)}"
    whole = name == joint.name or bool(joint.joint.axes and name)
    lacks = f"has no parameter {quoted(field)}" if whole else "is no parameter itself"
    meant = did_you_mean(field, fields) if whole else ""
    return f"joint {quoted(joint.name)} {lacks}; it has {', '.join(fields)}{meant}"
