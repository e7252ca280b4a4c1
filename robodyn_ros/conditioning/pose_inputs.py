"""The inputs that move whole poses, of one state path: multi-DOF joint states, odometry, IMU."""

from __future__ import annotations

from robodyn_ros.conditioning.base_sources import ImuSample, OdometrySample
from robodyn_ros.conditioning.base_state import BaseState, Source
from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.input_settings import InputSettings
from robodyn_ros.conditioning.multi_dof import Program
from robodyn_ros.conditioning.multi_dof_input import (
    NOTHING,
    MultiDofInput,
    MultiDofSample,
    MultiStep,
)
from robodyn_ros.conditioning.root_frames import RootFrames
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.errors import ArgumentError

Sample = MultiDofSample | OdometrySample | ImuSample
DESCRIPTION, FILE = "description", "file"
"""The `base_input` of a prescribed base that moves as its description says, and as a file does."""

_NO_TIME = Complaint(
    Severity.WARN,
    "without time",
    "poses without a stamp are dropped while the node has no time itself: use_sim_time is set and"
    " nothing came on /clock yet",
    about="poses",
    once=False,
)


class PoseInputs:
    """Gives each sample to what it moves."""

    def __init__(
        self,
        path: StatePath,
        base_input: str,
        *,
        prefix: str = "",
        multi_dof_topic: str = "multi_dof_joint_states",
        odometry_topic: str = "odom",
        imu_topic: str = "imu",
        program: Program | None = None,
    ) -> None:
        """Start with nothing received.

        Args:
            path: The state path whose other joints are moved.
            base_input: "none", or what moves a base that moves: "description", "file", or see
                `BaseState`.
            prefix: What the published name of every frame begins with.
            multi_dof_topic: Full name, for texts.
            odometry_topic: Full name, for texts.
            imu_topic: Full name, for texts.
            program: Where a prescribed base is at a stamp, of `base_input` file.

        Raises:
            ArgumentError: an input that the base does not go together with.
        """
        self._path = path
        self._multi_dof = MultiDofInput(
            path.plan, path.rest, base_input=base_input, topic=multi_dof_topic
        )
        self._base: BaseState | None = None
        if base_input in (DESCRIPTION, FILE):
            path.rest.hold(base_input, program)
        elif base_input != "none":
            self._base = BaseState(
                path.plan,
                RootFrames(path.robot.model, prefix),
                path.rest,
                base_input,
                gravity=path.gravity,
                odometry_topic=odometry_topic,
                imu_topic=imu_topic,
            )

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of a moving base, for diagnostics."""
        return self._base.sources if self._base is not None else ()

    def take(self, sample: Sample, now: int, settings: InputSettings) -> MultiStep:
        """Merge a sample; `now` is the node's time in ns, used where it has no stamp.

        Without either, `now` being 0, it is dropped.

        Raises:
            ArgumentError: odometry or IMU without a `base_input`.
        """
        if sample.stamp == 0 and now == 0:
            return MultiStep(0, NOTHING, None, (_NO_TIME,))
        if isinstance(sample, MultiDofSample):
            return self._multi_dof.take(sample, sample.stamp or now, settings)
        if self._base is None:
            raise ArgumentError("no base_input was chosen: nothing is moved by odometry or an IMU")
        self._base.gravity = self._path.gravity
        if isinstance(sample, OdometrySample):
            return self._base.take_odometry(sample, now, settings)
        return self._base.take_imu(sample, now, settings)
