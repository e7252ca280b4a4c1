"""The whole of a mechanism file: its top-level keys and their sections.

Everything that a file may say stands here or in the modules that this one gathers; the reader, the
errors about unknown keys and the reference page are made from it.
"""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from robodyn_ros.description.mechanism.closure_keys import CONTROL, Constraint, CoordinateNames
from robodyn_ros.description.mechanism.dh_rows import CONVENTIONS, TYPES
from robodyn_ros.description.mechanism.drawing import DrawnShape
from robodyn_ros.description.mechanism.inertia import BODY, BODY_KEYS
from robodyn_ros.description.mechanism.joint_keys import FOLLOWS_KEY, RATE_KEYS, Joint
from robodyn_ros.description.mechanism.kinds import (
    Choice,
    Custom,
    Items,
    Name,
    Number,
    Numbers,
    OneOrMany,
    Scope,
    Text,
    UnitVector,
)
from robodyn_ros.description.mechanism.nodes import Place
from robodyn_ros.description.mechanism.placement import (
    FORMS,
    PLACEMENT_HINTS,
    PLACEMENT_KEYS,
    Placement,
)
from robodyn_ros.description.mechanism.sections import Empty, Key, Named, Section
from robodyn_ros.model.builder import Base

VERSION = "1"

_BODY_NAME = Key("body", Name("body"), "the body that it is fixed in")
FRAME = Section("a frame", (_BODY_NAME, *PLACEMENT_KEYS), (FORMS,), PLACEMENT_HINTS)
MARKER = Section(
    "a marker",
    (
        _BODY_NAME,
        Key("position", Numbers(3, "m"), "a point, in body axes", None),
        Key("direction", UnitVector(), "a direction, in body axes", None),
    ),
    (("position", "direction"),),
)

DH_ROW = Section(
    "a row of a DH table",
    (
        Key("a", Number("m"), "length of the common normal", 0.0, "0"),
        Key("alpha", Number("rad"), "twist about the common normal", 0.0, "0"),
        Key("d", Number("m"), "offset along the joint's axis, at coordinate 0", 0.0, "0"),
        Key("s", Number("m"), "document D's name of d", 0.0, "0"),
        Key("theta", Number("rad"), "angle about the joint's axis, at coordinate 0", 0.0, "0"),
        Key("type", Choice(TYPES), "what the joint does", "revolute", "revolute"),
        Key("pitch", Number("m/rad"), "of a helical joint: metres along per radian about", None),
        Key("joint", Name(), "the joint's name", None, "TABLE_joint1, ..."),
        Key("body", Name(), "the body's name", None, "TABLE_link1, ..."),
        *BODY_KEYS,
        *RATE_KEYS,
        FOLLOWS_KEY,
    ),
    (("d", "s"),),
)
DH_TABLE = Section(
    "a DH table",
    (
        Key("convention", Choice(tuple(CONVENTIONS)), "what a row means"),
        Key("parent", Name("body"), "the body that the first joint hangs on"),
        Key(
            "on_parent",
            Placement(),
            "the frame in which the table begins, in the parent's body frame",
            None,
            "the body frame",
        ),
        Key("rows", Items(DH_ROW), "a row for each joint and the body behind it"),
    ),
)

SIMULATION = Section(
    "the simulation",
    (
        Key("time", Number("s", positive=True), "how long it runs", None, "open end"),
        Key("step", Number("s", positive=True), "time between two states", None, "the simulator's"),
    ),
)

BASE_MOTION = Section(
    "the motion of a prescribed base",
    (
        *PLACEMENT_KEYS,
        Key("angular_velocity", Numbers(3, "rad/s"), "world axes", np.zeros(3), "0, 0, 0"),
        Key("linear_velocity", Numbers(3, "m/s"), "of its origin, world axes", np.zeros(3),
            "0, 0, 0"),
        Key("angular_acceleration", Numbers(3, "rad/s^2"), "world axes", np.zeros(3), "0, 0, 0"),
        Key("linear_acceleration", Numbers(3, "m/s^2"), "of its origin, world axes", np.zeros(3),
            "0, 0, 0"),
    ),
    (FORMS,),
    PLACEMENT_HINTS,
)  # fmt: skip

WORKSPACE = Section(
    "the workspace",
    (Key("name", Name(), "what its frame is called", "workspace", "workspace"), *PLACEMENT_KEYS),
    (FORMS,),
    PLACEMENT_HINTS,
)


def _state(kind: OneOrMany) -> Custom:
    def read(place: Place, scope: Scope) -> tuple[Place, Any]:
        return place, kind.read(place, scope)

    return Custom(kind.text, read)


INITIAL = Section(
    "the initial state",
    (
        Key(
            "positions",
            Named("joints", _state(OneOrMany(Number("rad or m"), "coordinate"))),
            "coordinates by joint",
            None,
            "the neutral ones",
        ),
        Key(
            "velocities",
            Named("joints", _state(OneOrMany(Number("rad/s or m/s")))),
            "rates by joint",
            None,
            "0",
        ),
    ),
)

PARAMETERS = Key(
    "parameters",
    Custom("a mapping from names to numbers or expressions", lambda place, scope: scope.values),
    "numbers by name, for expressions; each may use those before it",
    None,
    "none",
)

TOP = Section(
    "a mechanism file",
    (
        Key("mechanism", Text("1, the version of the format"), "version of the format"),
        Key("name", Name(), "the robot's name", None, "that of the file or of the URDF"),
        Key(
            "urdf",
            Text("a path, or a package:// URI"),
            "a URDF that this file is laid over",
            None,
            "none",
        ),
        Key("base", Choice(get_args(Base)), "how the root body is held", None, "fixed"),
        Key("root", Name("body"), "the body that is made the root", None, "that without a parent"),
        Key(
            "gravity",
            Numbers(3, "m/s^2", "[0, 0, -9.81]"),
            "acceleration of gravity, world axes",
            None,
            "0, 0, -9.81",
        ),
        PARAMETERS,
        Key("bodies", Named("bodies", Empty(BODY)), "the bodies", None, "none"),
        Key("joints", Named("joints", Joint()), "the joints", None, "none"),
        Key("dh", Named("tables", DH_TABLE), "Denavit-Hartenberg tables", None, "none"),
        Key("controls", Named("controls", Empty(CONTROL)), "control elements", None, "none"),
        Key("loops", Named("loop joints", Joint()), "joints that close loops", None, "none"),
        Key("constraints", Named("constraints", Constraint()), "constraint elements", None, "none"),
        Key(
            "actuated",
            CoordinateNames(),
            "what has a motor, of a closed mechanism",
            None,
            "the independent ones",
        ),
        Key(
            "motor_weights",
            Named("coordinates", Number(positive=True)),
            "what a motor's squared effort costs where more than needed share the work",
            None,
            "1 each",
        ),
        Key(
            "independent",
            CoordinateNames(),
            "what the rest of a closed mechanism is worked out from",
            None,
            "chosen, the actuated ones first",
        ),
        Key("frames", Named("frames", FRAME), "frames fixed in bodies", None, "none"),
        Key("markers", Named("markers", MARKER), "points and directions followed", None, "none"),
        Key("initial", INITIAL, "the state a robot begins with", None, "see the joints"),
        Key("base_motion", BASE_MOTION, "how a prescribed base moves", None, "not at all"),
        Key("workspace", WORKSPACE, "a frame fixed in the world", None, "none"),
        Key("simulation", SIMULATION, "how to simulate it", None, "the simulator's"),
        Key(
            "drawing",
            Named("bodies", Items(DrawnShape())),
            "shapes to draw bodies and frames with",
            None,
            "nothing",
        ),
    ),
)
