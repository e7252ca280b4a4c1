"""What the operator chose about messages, as far as inputs of whole poses need it."""

from __future__ import annotations

from typing import Protocol

from robodyn_ros.conditioning.joint_states import Choices


class InputSettings(Protocol):
    """What the operator chose; `state_path.Settings` is one."""

    @property
    def ignore_timestamp(self) -> bool:
        """Whether every message counts whatever its stamp."""

    @property
    def publish_outliers(self) -> bool:
        """Whether poses that are flagged as outliers are published."""

    @property
    def stale_after(self) -> float:
        """Age in s beyond which a value is not used; 0 for never."""

    @property
    def choices(self) -> Choices:
        """Where velocities and accelerations come from, and the filters' time constant (s)."""
