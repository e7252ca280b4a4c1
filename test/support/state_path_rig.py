"""A state path without processes, and what a test asks of it."""

from __future__ import annotations

from pathlib import Path

from robodyn_ros import load
from robodyn_ros.conditioning.complaints import Severity
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.state_path import StatePath, Step

ROBOTS = Path(__file__).parents[1] / "description" / "robots"
MS = 1_000_000
PLAIN = Settings()


def path_of(name: str = "skew_axes.urdf", settings: Settings = PLAIN) -> StatePath:
    """Return the state path of one of our own robots."""
    robot = load(ROBOTS / name, compile="off")
    return StatePath(robot, FramePlan(robot.model), settings)


def take(path: StatePath, values: dict[str, float], at: float, **options) -> Step:
    """Give joint values, without velocities unless `velocity=` is given."""
    velocity = options.pop("velocity", ())
    effort = options.pop("effort", ())
    position = list(values.values())
    return path.take(list(values), position, velocity, effort, round(at * MS))


def frames(path: StatePath, step: Step) -> set[str]:
    """Return the names of the frames that a step publishes."""
    return {path.plan.names[body] for body in step.frames}


def child(path: StatePath, joint: str) -> str:
    """Return the link that a joint moves."""
    model = path.robot.model
    return next(model.body_names[b] for b, j in model.moving if j.name == joint)


def texts(step: Step, severity: Severity = Severity.WARN) -> list[str]:
    """Return what a step says."""
    return [c.text for c in step.complaints if c.severity is severity]
