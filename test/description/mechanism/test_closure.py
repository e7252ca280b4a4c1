"""Controls, loops, constraints and motors: what a file says is what the model has."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.algorithms import body_motion
from robodyn_ros.constraints import loading
from robodyn_ros.description import load_description, load_model
from robodyn_ros.errors import DescriptionError
from robodyn_ros.joints import JointLimits
from robodyn_ros.model import (
    FunctionFollower,
    Model,
    PointOnCylinder,
    PointOnPlane,
    Rod,
    SkewAxes,
    Weld,
)

TOLERANCE = 1e-9
"""How far, in m or rad, a mechanism that was closed may be from it."""

FOUR_BAR = """mechanism: 1
name: four_bar
parameters: {ground: 0.4, rocker: 0.3}
bodies: {base: , crank: {mass: 1}, coupler: {mass: 1}, rocker: {mass: 1}}
joints:
  drive: {type: revolute, parent: base, child: crank, axis: [0, 0, 1], initial_position: 0.5}
  pin: {type: revolute, parent: crank, child: coupler, axis: [0, 0, 1],
    on_parent: {position: [0.2, 0, 0]}}
  pivot: {type: revolute, parent: base, child: rocker, axis: [0, 0, 1],
    on_parent: {position: [ground, 0, 0]}, initial_position: 1.5}
loops:
  closing: {type: revolute, parent: coupler, child: rocker, axis: [0, 0, 1],
    on_parent: {position: [0.4, 0, 0]}, on_child: {position: [rocker, 0, 0]},
    range: [-3, 3], damping: 0.1, friction: 0.2, armature: 0.3, effort_limit: 4}
"""
# A block on a table of rods; what a case adds begins below `constraints`.
BLOCK = """mechanism: 1
parameters: {half: 0.1}
bodies: {base: , block: {mass: 1}}
controls: {lift: {initial_position: 0.3}}
joints:
  free: {type: floating, parent: base, child: block, initial_position: [0.3, 0.2, 0.4, 0, 0, 0, 1]}
constraints:
"""


def first_pose(model: Model, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return R_WB and p_WB of a body in the state that the model begins with."""
    found = body_motion(model, model.defaults.q)
    number = model.body_index(name)
    return found.rotation[number], found.position[number]


def test_a_loop_has_what_joints_have_and_is_closed() -> None:
    model = load_model(FOUR_BAR)
    assert model.joint_names == ("drive", "pin", "pivot", "closing")
    joint = model.joint("closing")
    assert joint.limits == JointLimits(-3.0, 3.0, effort=4.0)
    np.testing.assert_array_equal(joint.rate_parameters, [[0.3, 0.1, 0.2]])
    (weld,) = model.closure.elements
    assert isinstance(weld, Weld)
    assert model.body_names[weld.body_2] == "rocker"
    assert model.bodies[weld.body_1].auxiliary
    R_WC, p_WC = first_pose(model, "coupler")
    R_WR, p_WR = first_pose(model, "rocker")
    ends = (p_WC + R_WC @ [0.4, 0, 0], p_WR + R_WR @ [0.3, 0, 0])
    np.testing.assert_allclose(ends[0], ends[1], atol=TOLERANCE)


def test_parameters_make_another_mechanism() -> None:
    plain, longer = load_model(FOUR_BAR), load_model(FOUR_BAR, parameters={"rocker": 0.35})
    assert plain.fingerprint != longer.fingerprint
    assert plain.fingerprint == load_model(FOUR_BAR, parameters={"rocker": 0.3}).fingerprint


@pytest.mark.parametrize("key", ["actuated", "independent"])
def test_what_is_given_is_kept_when_the_mechanism_is_closed(key: str) -> None:
    model = load_model(f"{FOUR_BAR}{key}: [drive]\n")
    assert model.defaults.q[0] == 0.5


def test_what_cannot_be_closed_is_told_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "OTHER_GUESSES", 1)
    with pytest.raises(
        DescriptionError, match=r"line 12: loops/closing: .* lacks .* m; "
    ) as raised:
        load_model(FOUR_BAR, parameters={"ground": 5.0})
    assert "loop 'closing'" in str(raised.value)


def test_the_world_is_the_parent_of_a_loop() -> None:
    fixed = load_model(FOUR_BAR)
    text = FOUR_BAR.replace(
        "parent: coupler, child: rocker, axis: [0, 0, 1],\n    on_parent: {position: [0.4, 0, 0]}",
        "parent: world, child: rocker, axis: [0, 0, 1],\n    on_parent: {position: [0.4, 0.3, 0]}",
    )
    for base in ("fixed", "floating"):
        model = load_model(text, base=base)  # type: ignore[arg-type]
        assert model.joint("closing").parent == 0
        _, p_WR = first_pose(model, "rocker")
        np.testing.assert_allclose(p_WR[2], 0.0, atol=TOLERANCE)
    assert fixed.joint("closing").parent != 0
    with pytest.raises(DescriptionError, match=r"'closing' \(line 12\) is on the world"):
        load_model(text, base="prescribed")


@pytest.mark.parametrize("length", ["0.2 + lift", "half + 4 * half + 0 * lift", "0.5"])
def test_a_rod_has_its_points_and_its_length(length: str) -> None:
    model = load_model(
        f"{BLOCK}  r: {{type: rod, body_1: world, point_1: [0, 0, 1], body_2: block,"
        f" point_2: [0, 0, half], length: {length!r}}}\n"
    )
    (rod,) = model.closure.elements
    assert isinstance(rod, Rod)
    assert (rod.name, rod.body_1, model.body_names[rod.body_2]) == ("r", 0, "block")
    np.testing.assert_array_equal([rod.point_1, rod.point_2], [[0, 0, 1], [0, 0, 0.1]])
    assert rod.length.value(model.defaults.q) == pytest.approx(0.5, abs=TOLERANCE)
    R_WB, p_WB = first_pose(model, "block")
    distance = np.linalg.norm(p_WB + R_WB @ [0, 0, 0.1] - [0, 0, 1])
    assert distance == pytest.approx(0.5, abs=TOLERANCE)
    depends = "lift" in length
    assert bool(rod.length.arguments) == depends
    assert "lift" in model.joint_names


def test_the_other_constraints_have_what_the_file_gives() -> None:
    model = load_model(
        BLOCK + "  p: {type: point_on_plane, body_1: base, normal: [0, 0.6, 0.8], offset: 0.3,\n"
        "    body_2: block, point_2: [half, 0, 0]}\n"
        "  c: {type: point_on_cylinder, body_1: base, point_1: [0, 0, half], axis_1: [0, 0, 1],\n"
        "    body_2: block, radius: lift}\n"
        "  s: {type: skew_axes, body_1: base, axis_1: [0, 0, 1], body_2: block,\n"
        "    point_2: [0, half, 0], axis_2: [1, 0, 0], distance: '-lift'}\n"
    )
    plane, cylinder, axes = model.closure.elements
    assert isinstance(plane, PointOnPlane)
    np.testing.assert_array_equal([plane.normal, plane.point_2], [[0, 0.6, 0.8], [0.1, 0, 0]])
    assert isinstance(cylinder, PointOnCylinder)
    np.testing.assert_array_equal([cylinder.point_1, cylinder.point_2], [[0, 0, 0.1], [0, 0, 0]])
    np.testing.assert_array_equal(cylinder.axis_1, [0, 0, 1])
    assert isinstance(axes, SkewAxes)
    np.testing.assert_array_equal([axes.point_1, axes.point_2], [[0, 0, 0], [0, 0.1, 0]])
    np.testing.assert_array_equal([axes.axis_1, axes.axis_2], [[0, 0, 1], [1, 0, 0]])
    q = model.defaults.q
    measures = [element.measure.value(q) for element in model.closure.elements]
    lift = q[model.joint("lift").q_index]
    np.testing.assert_allclose(measures, [0.3, lift, -lift], atol=1e-15)
    R_WB, p_WB = first_pose(model, "block")
    assert [0, 0.6, 0.8] @ (p_WB + R_WB @ [0.1, 0, 0]) == pytest.approx(0.3, abs=TOLERANCE)
    assert np.hypot(p_WB[0], p_WB[1]) == pytest.approx(lift, abs=TOLERANCE)


def test_bodies_that_only_constraints_hold_float() -> None:
    text = (
        "mechanism: 1\nbodies: {plate: {mass: 1}, base: , arm: {mass: 1}}\n"
        "joints: {hinge: {type: revolute, parent: base, child: arm}}\n"
        "constraints: {r: {type: rod, body_1: arm, point_1: [1, 0, 0], body_2: plate, length: 1}}\n"
    )
    model = load_model(text)
    assert model.body_names == ("plate", "base", "arm")
    assert model.joint_names == ("base_free", "hinge")
    rooted = load_model(text + "root: base\nindependent: [hinge, plate_free/x]\n")
    assert rooted.body_names[:2] == ("base", "arm")
    assert rooted.joint("plate_free").joint.type_name == "floating"
    assert [note.element for note in rooted.notes] == ["plate_free"]
    names = rooted.coordinate_names
    assert [names[k] for k in rooted.closure.preferred] == ["hinge", "plate_free/x"]
    assert load_model(text, root="base").body_names[0] == "base"
    begun = load_model(
        text + "root: base\ninitial: {positions: {plate_free: [2, 0, 0, 0, 0, 1, 0]}}"
    )
    R_WP, p_WP = first_pose(begun, "plate")
    np.testing.assert_allclose(p_WP, [2, 0, 0], atol=TOLERANCE)
    np.testing.assert_allclose(R_WP, np.diag([-1, -1, 1]), atol=TOLERANCE)
    with pytest.raises(DescriptionError, match=r"line 2: bodies/base: no joint carries it"):
        load_model(text[: text.index("constraints")])


def test_motors_are_named_by_coordinate_or_joint() -> None:
    text = (
        "mechanism: 1\nbodies: {base: , a: {mass: 1}, b: {mass: 1}, c: {mass: 1}}\n"
        "controls: {u: }\njoints:\n  x: {type: universal, parent: base, child: a}\n"
        "  y: {type: prismatic, parent: a, child: b}\n"
        "  z: {type: spherical, parent: b, child: c}\n"
        "constraints: {r: {type: rod, body_1: base, body_2: c, point_2: [1, 0, 0], length: 1}}\n"
        "actuated: [y, z/ry, x]\n"
    )
    model = load_model(text)
    names = model.coordinate_names
    assert [names[k] for k in model.closure.actuated] == ["y", "z/ry", "x/rx", "x/ry"]
    assert load_model(text + "independent: [u]\n").closure.preferred == (names.index("u"),)


def test_a_control_has_its_limits_and_its_beginning() -> None:
    described = load_description(
        "mechanism: 1\nparameters: {w: 2}\nbodies: {base: , a: {mass: 1}}\n"
        "joints: {j: {type: revolute, parent: base, child: a, follows: {expression: still}}}\n"
        "controls:\n"
        "  still: {range: [-1, 2], velocity_limit: 3, effort_limit: 4, initial_velocity: 5}\n"
        '  driven: {drive: "0.1 + sin(w * t)"}\n'
        '  led: {initial_position: 0.5, drive: "3 * t"}\n'
        "  told: {range: [null, 1], drive: 7}\n"
        "  bare:\n"
        "initial: {positions: {bare: 0.9}, velocities: {told: -1}}\n"
    )
    model = described.model
    assert model.joint_names == ("still", "driven", "led", "told", "bare")
    assert model.joint("still").limits == JointLimits(-1.0, 2.0, 3.0, 4.0)
    assert model.joint("told").limits == JointLimits(None, 1.0)
    np.testing.assert_array_equal(model.defaults.q, [0, 0.1, 0.5, 7, 0.9])
    np.testing.assert_array_equal(model.defaults.v, [5, 2, 3, -1, 0])
    assert list(described.drives) == ["driven", "led", "told"]
    drive = described.drives["driven"]
    assert drive.names == ("t",)
    assert drive.evaluate({"t": 0.4}) == pytest.approx(0.1 + np.sin(0.8), rel=1e-15)
    assert load_description("mechanism: 1\nbodies: {a: }").drives == {}


def test_joints_follow_formulas_of_controls_and_joints() -> None:
    model = load_model(
        "mechanism: 1\nparameters: {k: 2}\nbodies: {base: , a: , b: , c: , d: }\n"
        "controls: {u: {initial_position: 0.3}}\n"
        "joints:\n  w: {type: revolute, parent: base, child: a, initial_position: 0.2}\n"
        '  x: {type: universal, parent: a, child: b, follows: {expressions: ["k*u", "w^2 + u"]}}\n'
        "  y: {type: prismatic, parent: b, child: c, follows: {expression: 'sin(k) * u'}}\n"
        "  z: {type: prismatic, parent: c, child: d, follows: {joint: u, multiplier: 3}}\n"
    )
    assert model.joint_names == ("w", "u")
    q = model.defaults.q
    x, y, z = (model.joint(name).coordinates for name in "xyz")
    assert isinstance(x, FunctionFollower)
    np.testing.assert_allclose(x.position(q), [0.6, 0.34], rtol=1e-15)
    np.testing.assert_allclose(y.position(q), [np.sin(2.0) * 0.3], rtol=1e-15)
    np.testing.assert_allclose(z.position(q), [0.9], rtol=1e-15)
    assert not model.is_closed


USER_DEFINED = """mechanism: 1
bodies: {base: , cam: {mass: 1}}
controls: {u: {initial_position: 0.3}, w: }
joints:
  j: {type: user_defined, parent: base, child: cam, variables: [u, w],
    m: ["cos(u)", "sin(u)", 0], n: ["-sin(u)", "cos(u)", 0], a: [0, 0, "w + u^2"]}
"""


def test_variables_of_a_user_defined_joint_follow_controls_of_their_names() -> None:
    model = load_model(USER_DEFINED)
    assert model.joint_names == ("u", "w")
    R_WC, p_WC = first_pose(model, "cam")
    np.testing.assert_allclose(p_WC, [0, 0, 0.09], rtol=1e-15)
    np.testing.assert_allclose(R_WC[:, 0], [np.cos(0.3), np.sin(0.3), 0], rtol=1e-15)
    free = load_model(USER_DEFINED.replace("{u: {initial_position: 0.3}, w: }", "{x: }"))
    assert free.coordinate_names == ("j/u", "j/w", "x")


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        (", w: }", "}", ["j/variables", "'u' is a control and 'w' is none", "rename"]),
        ("m: [", "follows: {joint: u}, m: [", ["j/follows", "variables follow controls", "drop"]),
        ("m: [", "initial_position: [0, 0], m: [", ["j/initial_position", "follows controls"]),
    ],
)
def test_variables_that_cannot_follow_are_told(old: str, new: str, parts: list[str]) -> None:
    with pytest.raises(DescriptionError, match=r"line \d: joints/j/") as raised:
        load_model(USER_DEFINED.replace(old, new))
    for part in parts:
        assert part in str(raised.value)


def test_lines_of_what_closes_it() -> None:
    text = FOUR_BAR + (
        "controls: {u: }\n"
        "constraints: {r: {type: rod, body_1: base, body_2: coupler, length: 0.3 + u}}\n"
    )
    lines = load_description(text).lines
    assert lines["joint 'closing'"] == 12
    assert lines["joint 'u'"] == 15
    assert lines["constraint 'r'"] == 16
