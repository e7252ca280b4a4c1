"""Frames on the root link are where kinematics has them."""

from __future__ import annotations

import numpy as np
import pytest

from quay_robot import quay_arm
from robodyn_ros import load
from robodyn_ros.conditioning.root_frames import RootFrames
from robodyn_ros.spatial import quaternion_to_matrix


@pytest.mark.parametrize("base", ["fixed", "floating", "prescribed"])
def test_the_root_link_is_found_from_every_frame_that_is_fixed_to_it(base: str) -> None:
    robot = load(quay_arm(base), compile="off")
    frames = RootFrames(robot.model, "r/")
    motion = robot.body_motion(robot.neutral())
    root = robot.model.body_index("pedestal")
    at_rest = {"fixed": ("r/quay",)}.get(base, ())
    assert set(frames.names) == {"r/pedestal", "r/plate", "r/socket", *at_rest}
    for name in frames.names:
        found = robot.model.frames[name.removeprefix("r/")]
        R_WF = motion.rotation[found.body] @ found.rotation
        p_WF = motion.position[found.body] + motion.rotation[found.body] @ found.position
        offset = frames.root_in(name)
        assert offset is not None
        assert np.asarray(quaternion_to_matrix(offset[0])) == pytest.approx(
            R_WF.T @ motion.rotation[root], abs=1e-14
        )
        assert offset[1] == pytest.approx(R_WF.T @ (motion.position[root] - p_WF), abs=1e-14)
    assert frames.root_in("r/grip") is None
