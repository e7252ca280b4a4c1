"""Kinematics of the same description by Pinocchio, in our conventions."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pinocchio as pin

from robodyn_ros.algorithms import BodyMotion
from robodyn_ros.model import Model


@cache
def _built(path: Path, *, floating: bool) -> pin.Model:
    root = (pin.JointModelFreeFlyer(),) if floating else ()
    return pin.buildModelFromUrdf(str(path), *root)


def pinocchio_motion(
    path: Path, model: Model, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> BodyMotion:
    """Return the motion of our bodies as Pinocchio computes it from the same file.

    Mimic joints are loaded as free joints and moved as our model says, so that no robot is
    excluded for them. Planar joints are not supported: Pinocchio ignores their axis.
    """
    other = _built(path, floating=model.base == "floating")
    state = [pin.neutral(other), np.zeros(other.nv), np.zeros(other.nv)]
    for _, joint in model.moving:
        if joint.joint.nv == 0:
            continue
        name = "root_joint" if joint.name.startswith("floating_base") else joint.name
        coordinates = joint.coordinates
        place = other.joints[other.getJointId(name)]
        z = coordinates.position(q)
        dz, ddz = coordinates.velocity(q, v), coordinates.acceleration(q, v, a)
        if joint.joint.type_name == "floating":
            dz, ddz = np.roll(dz, 3), np.roll(ddz, 3)
        elif place.nq == 2:
            z = np.array([np.cos(z[0]), np.sin(z[0])])
        for target, values, begin in zip(
            state, (z, dz, ddz), (place.idx_q, place.idx_v, place.idx_v), strict=True
        ):
            target[begin : begin + values.size] = values
    data = other.createData()
    pin.forwardKinematics(other, data, *state)
    pin.updateFramePlacements(other, data)
    return _rows(model, other, data)


def _rows(model: Model, other: pin.Model, data: pin.Data) -> BodyMotion:
    rows = []
    for i, name in enumerate(model.body_names):
        if i == 0 and model.base == "floating":
            rows.append((np.zeros(3), np.eye(3), *np.zeros((4, 3))))
            continue
        frame = other.getFrameId(name, pin.FrameType.BODY)
        aligned = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        velocity = pin.getFrameVelocity(other, data, frame, aligned)
        acceleration = pin.getFrameClassicalAcceleration(other, data, frame, aligned)
        placement = data.oMf[frame]
        rows.append(
            (
                placement.translation.copy(),
                placement.rotation.copy(),
                velocity.angular.copy(),
                velocity.linear.copy(),
                acceleration.angular.copy(),
                acceleration.linear.copy(),
            )
        )
    return BodyMotion(*(np.stack(column) for column in zip(*rows, strict=True)))
