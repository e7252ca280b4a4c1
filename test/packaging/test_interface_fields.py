"""The messages and services: their fields are the published ones, and each is documented."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

STATE = "double"
DOUBLES = "sequence<double>"
STRINGS = "sequence<string>"
REST = {"names": STRINGS, "position": DOUBLES}
MOTION = {**REST, "velocity": DOUBLES, "acceleration": DOUBLES}
ANSWER = {"success": "boolean", "message": "string"}
NAMED = {**ANSWER, "names": STRINGS}
TERMS = ("inertial", "coriolis", "gravity", "friction", "armature", "payload", "external")
DOUBLE_TERMS = dict.fromkeys(TERMS, DOUBLES)
WRENCHES = {"external_wrenches": "sequence<geometry_msgs/WrenchStamped>", "friction": "boolean"}
VECTOR = "geometry_msgs/Vector3"

MESSAGES = {
    "BodyStateArray": {
        "header": "std_msgs/Header",
        "bodies": "sequence<robodyn_interfaces/BodyState>",
    },
    "BodyState": {
        "name": "string",
        "pose": "geometry_msgs/Pose",
        "twist": "geometry_msgs/Twist",
        "acceleration": "geometry_msgs/Accel",
        "center_of_mass": "geometry_msgs/Point",
        "center_of_mass_velocity": VECTOR,
        "center_of_mass_acceleration": VECTOR,
        "valid": "boolean",
        "age": "double",
    },
    "MarkerStateArray": {
        "header": "std_msgs/Header",
        "markers": "sequence<robodyn_interfaces/MarkerState>",
    },
    "MarkerState": {
        "name": "string",
        "body": "string",
        "kind": "uint8",
        "value": VECTOR,
        "rate": VECTOR,
        "acceleration": VECTOR,
        "valid": "boolean",
    },
    "JointDynamics": {
        "header": "std_msgs/Header",
        **MOTION,
        "effort": DOUBLES,
        **DOUBLE_TERMS,
        "measured": DOUBLES,
        "residual": DOUBLES,
        "valid": "sequence<boolean>",
        "kinetic_energy": "double",
        "potential_energy": "double",
    },
    "Payload": {
        "name": "string",
        "frame_id": "string",
        "mass": "double",
        "com": VECTOR,
        "inertia": "geometry_msgs/Inertia",
    },
    "Environment": {
        "header": "std_msgs/Header",
        "gravity": VECTOR,
        "payloads": "sequence<robodyn_interfaces/Payload>",
        "driver_compensates_gravity": "boolean",
    },
    "ExternalWrenchEstimate": {
        "header": "std_msgs/Header",
        "frame": "string",
        "wrench": "geometry_msgs/WrenchStamped",
        "names": STRINGS,
        "effort": DOUBLES,
        "known": "sequence<boolean>",
        "touched": "sequence<boolean>",
        "unexplained": "double",
        "unobservable": "uint8",
        "contact": "boolean",
        "valid": "boolean",
    },
    "ModelCheck": {
        "header": "std_msgs/Header",
        "names": STRINGS,
        "measured_rms": DOUBLES,
        "residual_mean": DOUBLES,
        "residual_rms": DOUBLES,
        "weight": DOUBLES,
        "coulomb": DOUBLES,
        "viscous": DOUBLES,
        "inertia": DOUBLES,
        "offset": DOUBLES,
        "seconds": DOUBLES,
        "findings": STRINGS,
        "severity": "sequence<uint8>",
        "payloads": "sequence<robodyn_interfaces/Payload>",
    },
    "SimulatorStatus": {
        "header": "std_msgs/Header",
        "paused": "boolean",
        "step": "double",
        "target_real_time_factor": "double",
        "real_time_factor": "double",
        "behind": "double",
        "names": STRINGS,
        "lower": DOUBLES,
        "upper": DOUBLES,
        "mode": "sequence<uint8>",
        "command": DOUBLES,
        "kinetic_energy": "double",
        "potential_energy": "double",
        "trouble": "string",
    },
}

SERVICES = {
    "InverseDynamics": (
        {**MOTION, "rest": "uint8", **WRENCHES},
        {**NAMED, "effort": DOUBLES, **DOUBLE_TERMS},
    ),
    "ForwardDynamics": (
        {
            **REST,
            "velocity": DOUBLES,
            "effort": DOUBLES,
            "rest": "uint8",
            "unnamed": "uint8",
            **WRENCHES,
        },
        {**NAMED, "acceleration": DOUBLES},
    ),
    "MassMatrix": ({**REST, "rest": "uint8"}, {**NAMED, "matrix": DOUBLES}),
    "Jacobian": ({**REST, "rest": "uint8", "frame": "string"}, {**NAMED, "matrix": DOUBLES}),
    "BodyMotion": (
        {**MOTION, "rest": "uint8"},
        {**NAMED, "bodies": "robodyn_interfaces/BodyStateArray"},
    ),
    "SetPayload": ({"payload": "robodyn_interfaces/Payload", "remove": "boolean"}, ANSWER),
    "ModelReport": ({}, {**ANSWER, "text": "string", "json": "string"}),
    "Push": ({"wrench": "geometry_msgs/WrenchStamped", "duration": "double"}, ANSWER),
    "SetSimulatorState": ({**REST, "velocity": DOUBLES}, ANSWER),
    "StepSimulation": ({"steps": "uint32"}, {**ANSWER, "time": "builtin_interfaces/Time"}),
}

CONSTANTS = {
    "REST_ERROR": 0,
    "REST_LIVE": 1,
    "REST_NEUTRAL": 2,
}


def definitions(root: Path) -> list[Path]:
    return sorted([*root.glob("interfaces/msg/*.msg"), *root.glob("interfaces/srv/*.srv")])


def message(name: str) -> type:
    return getattr(importlib.import_module("robodyn_interfaces.msg"), name)


def service(name: str) -> type:
    return getattr(importlib.import_module("robodyn_interfaces.srv"), name)


def fields(message_type: type) -> list[tuple[str, str]]:
    return list(message_type.get_fields_and_field_types().items())


def test_every_definition_is_in_the_tables(root: Path):
    assert {path.stem for path in definitions(root)} == set(MESSAGES) | set(SERVICES)


@pytest.mark.parametrize("name", sorted(MESSAGES))
def test_message_fields(name: str):
    assert fields(message(name)) == list(MESSAGES[name].items())


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_service_fields(name: str):
    request, response = SERVICES[name]
    built = service(name)
    assert fields(built.Request) == list(request.items())
    assert fields(built.Response) == list(response.items())


@pytest.mark.parametrize("name", [name for name in sorted(SERVICES) if "rest" in SERVICES[name][0]])
def test_constants_for_the_unnamed_coordinates(name: str):
    request = service(name).Request
    assert {constant: getattr(request, constant) for constant in CONSTANTS} == CONSTANTS


def test_other_constants():
    request = service("ForwardDynamics").Request
    assert (request.LOCKED, request.ZERO_EFFORT) == (0, 1)
    marker = message("MarkerState")
    assert (marker.POSITION, marker.DIRECTION) == (0, 1)
    check = message("ModelCheck")
    assert (check.INFO, check.WARN, check.ERROR) == (0, 1, 2)
    status = message("SimulatorStatus")
    assert (status.FREE, status.EFFORT, status.VELOCITY, status.POSITION) == (0, 1, 2, 3)


def test_every_field_is_documented_in_its_file(root: Path):
    undocumented = []
    for path in definitions(root):
        documented = False
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                documented = True
            elif line in ("", "---"):
                documented = False
            elif not documented:
                undocumented.append(f"{path.name}: {line}")
    assert undocumented == []


def test_every_number_has_a_unit(root: Path):
    """A real number's comment gives its unit in brackets."""
    without = []
    for path in definitions(root):
        comment = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            comment = comment + line if line.startswith("#") else comment
            if line.startswith(("float64", "geometry_msgs")) and "[" not in comment:
                without.append(f"{path.name}: {line}")
            if line and not line.startswith("#"):
                comment = ""
    assert without == []
