"""The closed mechanisms of the examples beside what is known of them in closed form."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.model.closure import PointOnCylinder, PointOnPlane, Rod, SkewAxes

EXAMPLES = Path(__file__).parents[2] / "examples"
EXACT = 1e-9


@cache
def robot_of(name: str) -> rd.Robot:
    """Return an example's robot, as loaded."""
    return rd.load(EXAMPLES / f"{name}.yaml", compile="off")


def turned(robot: rd.Robot, **inputs: float) -> np.ndarray:
    """Return the coordinates that are reached from the initial ones in small steps."""
    q = robot.initial_state[0]
    begin = np.array([value(robot, q, name) for name in inputs])
    for part in np.linspace(0.0, 1.0, 13)[1:]:
        goal = begin + part * (np.array([*inputs.values()]) - begin)
        q = robot.assemble(q, **dict(zip(inputs, goal, strict=True))).q
    return np.array(q)


def value(robot: rd.Robot, q: np.ndarray, name: str) -> float:
    return float(q[robot.model.own_joint(name).q_index])


def place(robot: rd.Robot, q: np.ndarray, body: str) -> tuple[np.ndarray, np.ndarray]:
    """Return position and attitude of a body."""
    motion, number = robot.body_motion(q), robot.model.body_index(body)
    return motion.position[number], motion.rotation[number]


@pytest.mark.parametrize("angle", np.linspace(np.pi / 2, 3 * np.pi / 2, 5))
def test_the_pen_of_hoekens_four_bar_goes_along_a_line(angle: float) -> None:
    robot = robot_of("four_bar")
    q = turned(robot, motor=angle)
    p, R = place(robot, q, "coupler")
    pen = p + R @ [0.5, 0.0, 0.0]
    assert pen[2] == pytest.approx(0.4, rel=0.01)
    # C is on the left of the line from B to D, at 0.25 m from both.
    B = 0.1 * np.array([np.cos(angle), np.sin(angle)])
    BD = np.array([0.2, 0.0]) - B
    height = np.sqrt(0.25**2 / (BD @ BD) - 0.25)
    C = B + BD / 2 + height * np.array([-BD[1], BD[0]])
    assert pen[[0, 2]] == pytest.approx(B + 2 * (C - B), abs=EXACT)


@pytest.mark.parametrize("angle", [-0.5, 0.3, 1.0, 2.5])
def test_the_piston_of_the_slider_crank(angle: float) -> None:
    robot = robot_of("slider_crank")
    q = turned(robot, motor=angle)
    reach = np.sqrt(0.2**2 - (0.05 * np.sin(angle)) ** 2)
    assert value(robot, q, "bore") == pytest.approx(0.05 * np.cos(angle) + reach, abs=EXACT)
    v = robot.complete(q, np.eye(robot.model.nv)[0]).v
    slope = -0.05 * np.sin(angle) * (1 + 0.05 * np.cos(angle) / reach)
    assert v[robot.model.own_joint("bore").v_index] == pytest.approx(slope, abs=EXACT)


POSE = np.array([0.05, -0.04, 1.02]), np.array([0.06, -0.05, 0.1])


def ring(radius: float, degrees: tuple[int, ...]) -> np.ndarray:
    t = np.radians(degrees)
    return radius * np.stack([np.cos(t), np.sin(t), 0 * t], axis=-1)


def legs_of(p: np.ndarray, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the vectors along the legs and the arms from the platform's middle to their ends."""
    arms = ring(0.5, (-48, 48, 72, 168, 192, 288)) @ R.T
    return p + arms - ring(0.8, (-12, 12, 108, 132, 228, 252)), arms


def rotation(rpy: np.ndarray) -> np.ndarray:
    (a, b, c), (s, t, u) = np.cos(rpy), np.sin(rpy)
    about = [[[1, 0, 0], [0, a, -s], [0, s, a]], [[b, 0, t], [0, 1, 0], [-t, 0, b]]]
    return np.array([[c, -u, 0], [u, c, 0], [0, 0, 1]]) @ about[1] @ about[0]


@pytest.mark.parametrize(
    ("name", "leg"), [("stewart_platform", "leg_"), ("stewart_platform_rods", "leg")]
)
def test_legs_by_inverse_kinematics_bring_the_platform_there(name: str, leg: str) -> None:
    robot = robot_of(name)
    p, R = POSE[0], rotation(POSE[1])
    legs, arms = legs_of(p, R)
    lengths = np.linalg.norm(legs, axis=1)
    q = robot.assemble(**{f"{leg}{k}": float(x) for k, x in enumerate(lengths, 1)}).q
    found, attitude = place(robot, q, "platform")
    assert found == pytest.approx(p, abs=EXACT)
    assert attitude == pytest.approx(R, abs=EXACT)
    if name == "stewart_platform_rods":  # massless legs: a static balance says their forces
        u = legs / lengths[:, None]
        weight = np.array([0, 0, 0, 0, 0, 12 * 9.81])
        forces = np.linalg.solve(np.vstack([np.cross(arms, u).T, u.T]), weight)
        tau = robot.inverse_dynamics(q)
        assert tau[list(robot.model.closure.actuated)] == pytest.approx(forces, abs=1e-7)


def test_nine_revolutes_have_seven_variables_and_without_the_control_three_freedoms() -> None:
    robot = robot_of("nine_revolutes")
    assert (robot.model.nv, robot.model.closure.rows, robot.mobility) == (7, 6, 1)
    q = robot.initial_state[0]
    phase = value(robot, q, "phase")
    names = robot.model.coordinate_names
    assert {"J1", "J4", "J7"}.isdisjoint(names)
    # Link 1 turns about z by the formula of its joint.
    _, R = place(robot, q, "link_1")
    driven = 0.4 * np.sin(phase)
    assert R[:2, 0] == pytest.approx([np.cos(driven), np.sin(driven)], abs=EXACT)
    text = (EXAMPLES / "nine_revolutes.yaml").read_text()
    text = re.sub(r"^    follows: .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^(controls:\n.*\n|actuated: .*\n)", "", text, flags=re.MULTILINE)
    free = rd.load(text, compile="off")
    assert (free.model.nv, free.mobility) == (9, 3)


@pytest.mark.parametrize("angle", [0.5, 1.5, 2.6, 4.0])
def test_bennett_moves_by_his_own_relation(angle: float) -> None:
    robot = robot_of("bennett")
    q = turned(robot, theta_1=angle)
    theta = [value(robot, q, f"theta_{k}") for k in range(1, 5)]
    assert theta[2] == pytest.approx(-theta[0], abs=EXACT)
    assert theta[3] == pytest.approx(-theta[1], abs=EXACT)
    product = np.tan(theta[0] / 2) * np.tan(theta[1] / 2)
    assert product == pytest.approx(-np.sin(np.pi / 3) / np.sin(np.pi / 6), rel=1e-7)
    closure = robot.model.closure
    assert len(closure.partition.rows) == 3
    assert robot.model.nv - closure.rows == -2


def test_only_the_numbers_of_bennett_let_it_move() -> None:
    other = rd.load(EXAMPLES / "bennett.yaml", parameters={"a_1": 0.16}, compile="off")
    assert other.mobility == 1  # a_2 goes with a_1
    stiff = rd.load(EXAMPLES / "bennett.yaml", parameters={"a_2": 0.29}, compile="off")
    assert stiff.mobility == 0


@pytest.mark.parametrize("axes", [(0.3, 0.2, 0.3), (-1.0, 0.9, 0.5), (0.0, -0.3, 1.2)])
def test_parallelograms_of_the_palletiser(axes: tuple[float, float, float]) -> None:
    robot = robot_of("palletiser")
    one, two, three = axes
    q = turned(robot, axis_1=one, axis_2=two, axis_3=three)
    expected = {
        "elbow": three - two,
        "wrist_pin": -three,
        "triangle_pin": -two,
        "upper_pin": three,
        "drive_pin": two - three,
        "level_pin": two,
    }
    for name, angle in expected.items():
        assert value(robot, q, name) == pytest.approx(angle, abs=EXACT), name
    _, R = place(robot, q, "wrist")
    assert R[:, 2] == pytest.approx([0, 0, 1], abs=EXACT)
    # What a payload asks of the motors: by virtual work on the height of the hand.
    carrying = rd.load(EXAMPLES / "palletiser.yaml", compile="off")
    carrying.set_payload("hand", mass=100.0)
    more = carrying.inverse_dynamics(q) - robot.inverse_dynamics(q)
    names = robot.model.coordinate_names
    weight = 100.0 * 9.81
    assert more[names.index("axis_2")] == pytest.approx(-weight * 0.95 * np.sin(two), abs=1e-6)
    assert more[names.index("axis_3")] == pytest.approx(-weight * np.cos(three), abs=1e-6)


@pytest.mark.parametrize(
    "place_of_tool", [(0.0, 0.0, -0.8), (0.15, -0.1, -0.75), (-0.2, 0.1, -0.7)]
)
def test_delta_robot_by_inverse_kinematics(place_of_tool: tuple[float, float, float]) -> None:
    robot = robot_of("delta_robot")
    angles = {}
    for k, turn in enumerate((0.0, 2 * np.pi / 3, -2 * np.pi / 3), 1):
        c, s = np.cos(turn), np.sin(turn)
        x, y, z = place_of_tool
        # In the arm's plane: the rods' end less the motor's axis.
        X, Y = c * x + s * y + 0.06 - 0.2, -s * x + c * y
        # (X - L cos t)^2 + Y^2 + (z + L sin t)^2 = rod^2, arm lowered by t.
        A, B = 2 * 0.35 * X, -2 * 0.35 * z
        D = X**2 + Y**2 + z**2 + 0.35**2 - 0.8**2
        angles[f"motor_{k}"] = float(np.arctan2(B, A) - np.arccos(D / np.hypot(A, B)))
    q = turned(robot, **angles)
    found, R = place(robot, q, "platform")
    assert found == pytest.approx(place_of_tool, abs=EXACT)
    assert pytest.approx(np.eye(3), abs=EXACT) == R


@pytest.mark.parametrize(
    ("name", "inputs"), [("mixed_platform", {"ram": 0.85}), ("two_clusters", {"shoulder": -0.4})]
)
def test_elements_hold_what_they_say(name: str, inputs: dict[str, float]) -> None:
    robot = robot_of(name)
    q = turned(robot, **inputs)
    motion = robot.body_motion(q)
    kinds = set()
    for element in robot.model.closure.elements:
        R, p = motion.rotation[element.body_1], motion.position[element.body_1]
        end = motion.position[element.body_2] + motion.rotation[element.body_2] @ element.point_2
        measure = float(element.measure.value(q))
        kinds.add(type(element))
        if isinstance(element, Rod):
            found = np.linalg.norm(end - p - R @ element.point_1)
        elif isinstance(element, PointOnPlane):
            found = (R @ element.normal) @ (end - p)
        elif isinstance(element, PointOnCylinder):
            found = np.linalg.norm(np.cross(R @ element.axis_1, end - p - R @ element.point_1))
        else:
            assert isinstance(element, SkewAxes)
            normal = np.cross(R @ element.axis_1, motion.rotation[element.body_2] @ element.axis_2)
            found = (end - p - R @ element.point_1) @ normal / np.linalg.norm(normal)
        assert found == pytest.approx(measure, abs=EXACT), element.name
    if name == "mixed_platform":
        assert kinds == {Rod, PointOnPlane, PointOnCylinder, SkewAxes}


def test_a_cluster_that_no_joint_carries_is_free_but_for_the_elements() -> None:
    robot = robot_of("two_clusters")
    assert robot.model.joint("table_free").joint.type_name == "floating"
    assert any("table" in note.text or "table" in note.element for note in robot.model.notes)
    _, R = place(robot, turned(robot, shoulder=0.4), "table")
    assert R[:, 2] == pytest.approx([0, 0, 1], abs=EXACT)
