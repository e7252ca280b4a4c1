"""The motion of one frame, kept from samples of its pose and, where there are any, its velocity."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.frame_motion import Motion, at_rest
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.pose_rates import PoseRate, VectorRate

Floats = NDArray[np.float64]


class TrackedFrame:
    """Motion of one frame in its reference frame.

    Attributes:
        motion: What is known; at rest in the reference at first.
        velocity_known: Whether the last velocity was given, or filtered from at least two poses.
    """

    def __init__(self) -> None:
        """Start with nothing known."""
        self.motion: Motion = at_rest()
        self.velocity_known = False
        self._pose_follows = True
        self._pose = PoseRate()
        self._twist = VectorRate(6)

    def restart(self) -> None:
        """Let the filters begin anew, as after a sample that is not sane."""
        self._pose.restart()
        self._twist.restart()

    def take_pose(self, position: Floats, quaternion: Floats, stamp: int, choices: Choices) -> bool:
        """Take a sane position (3,) in m and unit quaternion (4,) at a time in ns.

        Returns:
            Whether it follows from the poses before it; no rate is derived from one that does not.
        """
        expected = []
        if choices.outlier_rejection:
            if self._pose.known:
                expected.append(self._pose.value)
            if self.velocity_known:
                expected.append(np.concatenate(self.motion[2:4]))
        time_constant = choices.filter_time_constant
        self._pose_follows = self._pose.update(position, quaternion, stamp, time_constant, expected)
        self.motion = self.motion._replace(position=position, quaternion=quaternion)
        return self._pose_follows

    def take_velocity(self, twist: Floats, stamp: int, choices: Choices) -> bool:
        """Take a sane twist (6,) = [angular; linear] in the reference's axes.

        Returns:
            Whether it follows from those before it; no rate is derived from one that does not.
        """
        judged = choices.outlier_rejection and self._twist.known
        expected = [self._twist.value] if judged else []
        follows = self._twist.update(twist, stamp, choices.filter_time_constant, expected)
        self.velocity_known = True
        self._set_rates(twist, choices)
        return follows

    def derive_velocity(self, stamp: int, choices: Choices) -> None:
        """Filter the velocity from the poses, the last of which is that of `stamp`."""
        if not self._pose_follows:
            return
        if self._pose.known:
            self._twist.update(self._pose.value, stamp, choices.filter_time_constant)
            self.velocity_known = True
            self._set_rates(self._pose.value, choices)
            return
        self.velocity_known = False
        self._twist.restart()
        self._set_rates(np.zeros(6), choices)

    def _set_rates(self, twist: Floats, choices: Choices) -> None:
        rate = self._twist.value if choices.filtered_acceleration else np.zeros(6)
        self.motion = Motion(*self.motion[:2], twist[:3], twist[3:], rate[:3], rate[3:])
