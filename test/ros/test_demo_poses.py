"""Demo motions of joints that only poses move: poses that the joints can have, exact twists."""

from __future__ import annotations

import numpy as np
import pytest

from joint_cases import JOINTS
from robodyn_ros.conditioning.multi_dof_coordinates import described, off_joint
from robodyn_ros.conditioning.told_coordinates import has_plain_rates
from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints import Floating, Joint, JointLimits, SixDof, Spherical
from robodyn_ros.model import Model, ModelBuilder
from robodyn_ros.ros.demo_poses import PoseMotion
from robodyn_ros.spatial import quaternion_to_matrix

STEP = 1e-4
ERROR = 1e-6
"""Truncation of a central difference with that step."""
FREE = {name: joint for name, joint in JOINTS.items() if joint.nv and not has_plain_rates(joint)}


def model_of(joint: Joint, *, base: str = "fixed", limits: object = None) -> Model:
    builder = ModelBuilder("one joint")
    for name in ("root", "child"):
        builder.add_body(name, mass=1.0)
    builder.add_joint("joint", joint, "root", "child", limits=limits or JointLimits())
    return builder.build(base=base)


def motion(model: Model, **options: object) -> PoseMotion:
    return PoseMotion(model, **({"amplitude": 1.0, "period": 4.0, "seed": 3} | options))


def test_all_kinds_of_joints_that_need_poses_are_tried() -> None:
    assert {"spherical", "global", "floating", "six_dof"} <= {j.type_name for j in FREE.values()}


@pytest.mark.parametrize("name", sorted(FREE))
def test_twists_are_the_derivatives_of_poses_that_the_joint_can_have(name: str) -> None:
    plan, joint = motion(model_of(FREE[name])), described(FREE[name])
    assert plan.names == ("joint",)
    for time in np.linspace(0.0, 9.0, 19):
        ((before,), (now,), (after,)) = (plan.at(time + k * STEP) for k in (-1, 0, 1))
        slope = (after.position - before.position) / (2.0 * STEP)
        assert now.linear == pytest.approx(slope, abs=ERROR)
        R0, R, R1 = (quaternion_to_matrix(x.quaternion) for x in (before, now, after))
        spin = (R1 - R0) / (2.0 * STEP) @ R.T
        assert now.angular == pytest.approx([spin[2, 1], spin[0, 2], spin[1, 0]], abs=ERROR)
        assert off_joint(joint, now.position, now.quaternion) == pytest.approx((0, 0), abs=1e-7)
        assert np.arccos(0.5 * (np.trace(R) - 1.0)) < np.pi * 0.6


@pytest.mark.parametrize("joint", [Spherical(), Floating(), SixDof()])
def test_speeds_and_ranges_of_its_rates_are_kept(joint: Joint) -> None:
    turn, slide = JointLimits(velocity=0.3), JointLimits(0.1, 0.2, velocity=0.05)
    limits = [turn if axis.startswith("r") else slide for axis in joint.axes]
    plan = motion(model_of(joint, limits=limits), period=1.0)
    poses = [plan.at(time)[0] for time in np.linspace(0.0, 20.0, 400)]
    assert max(np.linalg.norm(pose.angular) for pose in poses) <= 0.3
    if len(limits) > 3:
        assert max(np.linalg.norm(pose.linear) for pose in poses) <= 0.05
        positions = np.array([pose.position for pose in poses])
        assert positions.min() >= 0.1
        assert positions.max() <= 0.2


@pytest.mark.parametrize("base", ["floating", "prescribed"])
def test_a_moving_base_is_moved_if_wanted(base: str) -> None:
    model = model_of(Spherical(), base=base)
    assert motion(model).names == (f"{base}_base", "joint")
    assert motion(model, move_base=False).names == ("joint",)
    first, second = motion(model).at(1.0)
    assert np.ptp([x.position for x in (first, second)], axis=0).max() > 0.0
    assert first.quaternion.tolist() != second.quaternion.tolist()


def test_impossible_motions_are_refused() -> None:
    with pytest.raises(ArgumentError, match="amplitude must be 0 to 1"):
        motion(model_of(Spherical()), amplitude=1.5)
