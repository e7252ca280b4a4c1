"""The Stewart platform by closed forms: inverse kinematics and inverse dynamics.

Leg k runs from the ball BASE[k], fixed in the world, to PLATFORM[k], fixed in the platform. All
vectors are in world axes but for those of the platform, which are in its own; its origin is not its
centre of mass. Legs are massless, or two slender rods with a joint between them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


def _ring(radius: float, angles: tuple[float, ...], height: float) -> np.ndarray:
    turned = np.radians(angles)
    columns = [radius * np.cos(turned), radius * np.sin(turned), np.full(6, height)]
    return np.round(np.array(columns).T, 6)


BASE = _ring(0.8, (-12, 12, 108, 132, 228, 252), 0.0)
PLATFORM = _ring(0.5, (-48, 48, 72, 168, 192, 288), -0.05)
GRAVITY = np.array([0.0, 0.0, -9.81])
MASS = 12.0
CENTER = np.array([0.02, -0.03, 0.04])
INERTIA = np.array([[0.8, 0.05, -0.02], [0.05, 0.9, 0.04], [-0.02, 0.04, 1.5]])
#: Of a leg: mass, length and thus inertia of the rod at the base and of that at the platform.
LOWER = (1.2, 0.5)
UPPER = (0.9, 0.6)


def skew(vector: np.ndarray) -> np.ndarray:
    x, y, z = vector
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


@dataclass(frozen=True)
class Motion:
    """Pose, twist and acceleration of the platform's origin."""

    position: np.ndarray
    rotation: np.ndarray
    velocity: np.ndarray
    omega: np.ndarray
    acceleration: np.ndarray
    alpha: np.ndarray

    def point(self, local: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return position, velocity and acceleration of a point fixed in the platform."""
        r = self.rotation @ local
        turning = np.cross(self.omega, r)
        rate = self.velocity + turning
        second = self.acceleration + np.cross(self.alpha, r) + np.cross(self.omega, turning)
        return self.position + r, rate, second


@dataclass(frozen=True)
class Legs:
    """Lengths (6,), their rates and accelerations, and directions (6, 3) with their rates."""

    length: np.ndarray
    rate: np.ndarray
    acceleration: np.ndarray
    direction: np.ndarray
    direction_rate: np.ndarray
    direction_acceleration: np.ndarray


def legs(motion: Motion) -> Legs:
    """Return the closed-form inverse kinematics."""
    rows = []
    for fixed, local in zip(BASE, PLATFORM, strict=True):
        end, rate, second = motion.point(local)
        e = end - fixed
        length = np.linalg.norm(e)
        u = e / length
        length_1 = u @ rate
        u_1 = (rate - length_1 * u) / length
        length_2 = u @ second + u_1 @ rate
        u_2 = (second - length_2 * u - 2 * length_1 * u_1) / length
        rows.append((length, length_1, length_2, u, u_1, u_2))
    return Legs(*(np.array(column) for column in zip(*rows, strict=True)))


def platform_wrench(motion: Motion) -> np.ndarray:
    """Return the wrench (moment about the origin, force) that moves the platform so."""
    _, _, acceleration = motion.point(CENTER)
    force = MASS * (acceleration - GRAVITY)
    inertia = motion.rotation @ INERTIA @ motion.rotation.T
    moment = inertia @ motion.alpha + np.cross(motion.omega, inertia @ motion.omega)
    return np.concatenate([moment + np.cross(motion.rotation @ CENTER, force), force])


def leg_jacobian(motion: Motion) -> np.ndarray:
    """Return J (6, 6) with rates = J (omega, velocity)."""
    u = legs(motion).direction
    arms = (motion.rotation @ PLATFORM.T).T
    return np.hstack([np.cross(arms, u), u])


def massless_leg_forces(motion: Motion) -> np.ndarray:
    """Return the forces along the legs (6,), positive where they push the platform away."""
    return np.linalg.solve(leg_jacobian(motion).T, platform_wrench(motion))


def platform_acceleration(motion: Motion, forces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return alpha and the origin's acceleration under forces of massless legs."""
    zero = np.zeros(3)
    parts = (motion.position, motion.rotation, motion.velocity, motion.omega)
    at_rest = Motion(*parts, zero, zero)
    columns = [
        platform_wrench(Motion(*parts, unit[3:], unit[:3])) - platform_wrench(at_rest)
        for unit in np.eye(6)
    ]
    known = leg_jacobian(motion).T @ forces - platform_wrench(at_rest)
    found = np.linalg.solve(np.array(columns).T, known)
    return found[:3], found[3:]


def massive_leg_forces(motion: Motion) -> np.ndarray:
    """Return the forces between the rods of each leg (6,), by the principle of virtual power.

    A slender rod of direction u, whose centre is a + h u, needs m (c'' - g) . dc + I u'' . du.
    """
    ends = legs(motion)
    wrench = platform_wrench(motion)
    for k, local in enumerate(PLATFORM):
        r = motion.rotation @ local
        end_by_twist = np.hstack([-skew(r), np.eye(3)])
        u, u_1, u_2 = ends.direction[k], ends.direction_rate[k], ends.direction_acceleration[k]
        length, length_1, length_2 = ends.length[k], ends.rate[k], ends.acceleration[k]
        u_by_twist = (np.eye(3) - np.outer(u, u)) @ end_by_twist / length
        mass, extent = LOWER
        center = extent / 2 * u_2 - GRAVITY
        wrench = wrench + u_by_twist.T @ (mass * extent / 2 * center + mass * extent**2 / 12 * u_2)
        mass, extent = UPPER
        h = length - extent / 2
        center = h * u_2 + 2 * length_1 * u_1 + length_2 * u - GRAVITY
        center_by_twist = h * u_by_twist + np.outer(u, u @ end_by_twist)
        wrench = wrench + center_by_twist.T @ (mass * center)
        wrench = wrench + u_by_twist.T @ (mass * extent**2 / 12 * u_2)
    return np.linalg.solve(leg_jacobian(motion).T, wrench)


def _row(values: np.ndarray) -> str:
    return "[" + ", ".join(repr(float(value)) for value in values) + "]"


def _platform(indent: str = "  ") -> str:
    i = INERTIA
    six = np.array([i[0, 0], i[0, 1], i[0, 2], i[1, 1], i[1, 2], i[2, 2]])
    return f"{indent}platform: {{mass: {MASS!r}, com: {_row(CENTER)}, inertia: {_row(six)}}}"


def text_of_rods(initial: Mapping[str, float], pose: tuple[np.ndarray, np.ndarray]) -> str:
    """Return the mechanism file with massless legs: rods whose lengths are controls leg_1 ...

    Args:
        initial: lengths by control.
        pose: position and quaternion (x, y, z, w) of the platform to begin with.
    """
    lines = ["mechanism: 1", "name: stewart", "gravity: [0, 0, -9.81]", "root: base", "bodies:"]
    lines += ["  base:", _platform(), "controls:"]
    lines += [f"  {name}: {{initial_position: {float(x)!r}}}" for name, x in initial.items()]
    lines += ["constraints:"]
    for k, (a, b) in enumerate(zip(BASE, PLATFORM, strict=True), start=1):
        lines.append(
            f"  rod_{k}: {{type: rod, body_1: base, point_1: {_row(a)}, body_2: platform,"
            f" point_2: {_row(b)}, length: leg_{k}}}"
        )
    lines += [
        "joints:",
        "  platform_free:",
        "    type: floating",
        "    parent: base",
        "    child: platform",
        f"    initial_position: {_row(np.concatenate(pose))}",
        f"actuated: [{', '.join(initial)}]",
    ]
    return "\n".join(lines) + "\n"


def text_of_legs(initial: Mapping[str, float], pose: tuple[np.ndarray, np.ndarray]) -> str:
    """Return the mechanism file with universal, prismatic and ball joints and massive legs."""
    lines = ["mechanism: 1", "name: stewart_ups", "gravity: [0, 0, -9.81]", "bodies:"]
    lines += ["  base:", _platform()]
    rods = {"cylinder": (LOWER, 1.0), "piston": (UPPER, -1.0)}
    for k in range(1, 7):
        for name, ((mass, extent), sign) in rods.items():
            lines.append(
                f"  {name}_{k}: {{mass: {mass!r}, com: [0, 0, {sign * extent / 2!r}],"
                f" inertia: {{shape: rod, length: {extent!r}, axis: [0, 0, 1]}}}}"
            )
    lines += ["joints:"]
    for k, a in enumerate(BASE, start=1):
        lines += [
            f"  hook_{k}: {{type: universal, parent: base, child: cylinder_{k},"
            f" on_parent: {{position: {_row(a)}}}, initial_position: {_hook(k, pose)}}}",
            f"  leg_{k}: {{type: prismatic, parent: cylinder_{k}, child: piston_{k},"
            f" axis: [0, 0, 1], initial_position: {float(initial[f'leg_{k}'])!r}}}",
        ]
    lines += [
        "  platform_free:",
        "    type: floating",
        "    parent: base",
        "    child: platform",
        f"    initial_position: {_row(np.concatenate(pose))}",
        "loops:",
    ]
    for k, b in enumerate(PLATFORM, start=1):
        lines.append(
            f"  ball_{k}: {{type: spherical, parent: piston_{k}, child: platform,"
            f" on_child: {{position: {_row(b)}}}}}"
        )
    return "\n".join(lines) + f"\nactuated: [{', '.join(initial)}]\n"


def _hook(k: int, pose: tuple[np.ndarray, np.ndarray]) -> str:
    """Return the angles about x, then y, that point a leg's z axis from base to platform."""
    p, (x, y, z, w) = pose
    b = PLATFORM[k - 1]
    v = np.array([x, y, z])
    end = p + b + 2 * np.cross(v, np.cross(v, b) + w * b)
    u = (end - BASE[k - 1]) / np.linalg.norm(end - BASE[k - 1])
    # Rot_x(f) Rot_y(g) z = (sin g, -sin f cos g, cos f cos g).
    return _row(np.array([np.arctan2(-u[1], u[2]), np.arcsin(u[0])]))
