"""A model whose joints are moved by multi-DOF joint states, and what they make of it."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.algorithms import body_motion
from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.frame_motion import Motion
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.multi_dof import MultiDofStates
from robodyn_ros.conditioning.multi_dof_input import MultiDofInput, MultiDofSample, MultiStep
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.description import load_model
from robodyn_ros.joints import Joint
from robodyn_ros.model import Model, ModelBuilder
from robodyn_ros.spatial import quaternion_from_matrix
from robots import OWN_ROBOTS

MS = 1_000_000
PLAIN = Settings(choices=Choices(filter_time_constant=0.0))
IDENTITY = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)


def one_joint(joint: Joint) -> Model:
    """Return a robot with one arm, called j, whose joint frame is the root link's."""
    builder = ModelBuilder("one")
    builder.add_body("base")
    builder.add_body("arm", mass=1.0)
    builder.add_joint("j", joint, "base", "arm")
    return builder.build()


class Setup:
    """The states of one model and the input that feeds them."""

    def __init__(self, model: Model, *, base_input: str = "none", settings: Settings = PLAIN):
        self.model, self.settings = model, settings
        self.plan = FramePlan(model)
        self.states = MultiDofStates(model, self.plan)
        self.input = MultiDofInput(self.plan, self.states, base_input=base_input)

    def take(self, names, transforms=(), twists=(), *, at: float = 1, wrenches: int = 0):
        """Take a message at a time in ms."""
        stamp = round(at * MS)
        sample = MultiDofSample(stamp, tuple(names), tuple(transforms), tuple(twists), wrenches)
        return self.input.take(sample, stamp, self.settings)

    def give(self, name: str, motion: Motion, *, at: float, twist: bool = True) -> MultiStep:
        """Take a message that gives one joint's motion at a time in ms."""
        pose = (*motion.position, *motion.quaternion)
        rates = ((*motion.angular_velocity, *motion.linear_velocity),) if twist else ()
        return self.take([name], (pose,), rates, at=at)


def mixed() -> Model:
    return load_model(OWN_ROBOTS / "every_joint.urdf")


def kinds(complaints: tuple[Complaint, ...]) -> list[str]:
    return [complaint.kind for complaint in complaints if complaint.severity is Severity.WARN]


def check_body(setup: Setup, given: Motion, tolerance: float) -> None:
    """Compare the arm's motion at the states' coordinates with a motion in the root's frame."""
    states = setup.states
    found = body_motion(setup.model, states.q, states.v, states.a)
    turned = np.abs(quaternion_from_matrix(found.rotation[1]) @ given.quaternion)
    assert turned == pytest.approx(1.0, abs=tolerance)
    assert found.position[1] == pytest.approx(given.position, abs=tolerance)
    for name in Motion._fields[2:]:
        assert getattr(found, name)[1] == pytest.approx(getattr(given, name), abs=tolerance)
