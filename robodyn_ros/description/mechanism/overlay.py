"""A builder through which a URDF passes, changed by a mechanism file on its way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from robodyn_ros.description.mechanism.inertia import MassProperties, mass_properties
from robodyn_ros.description.mechanism.joint_parts import rate_properties
from robodyn_ros.description.mechanism.sections import Entry
from robodyn_ros.joints import Joint
from robodyn_ros.joints.control import Control
from robodyn_ros.model import ModelBuilder

State = Callable[[str, Joint], dict[str, Any]]


class OverlaidBuilder(ModelBuilder):
    """Takes bodies and joints as they come and puts in what entries of the same name give."""

    def __init__(
        self,
        name: str,
        bodies: Mapping[str, Entry],
        joints: Mapping[str, Entry],
        state: State,
    ) -> None:
        """Begin an empty robot.

        Args:
            name: the robot's name.
            bodies: mass properties in place of those that come, by body.
            joints: rate properties in place of those that come, by joint.
            state: gives the initial state of a joint, by its name, as a builder takes it.

        `source` is what messages call the file that elements come from, "" for the mechanism file.
        """
        super().__init__(name)
        self._body_changes = bodies
        self._joint_changes = joints
        self._state = state
        self.source = ""

    def add_body(self, name: str, **properties: Any) -> None:
        """Add a body with its changes."""
        entry = self._body_changes.get(name)
        if entry is not None and not entry.is_bare:
            described = MassProperties(
                properties.get("mass", 0.0),
                np.asarray(properties.get("com", np.zeros(3))),
                np.asarray(properties.get("inertia", np.zeros((3, 3)))),
            )
            changed = mass_properties(entry, described)
            properties |= {**vars(changed), "has_inertial": True}
        super().add_body(name, **self._told(properties))

    def add_joint(
        self, name: str, joint: Joint, parent: str, child: str, **properties: Any
    ) -> None:
        """Add a joint with its changes."""
        entry = self._joint_changes.get(name)
        if entry is not None:
            properties |= rate_properties(entry, joint, properties.get("limits"))
        properties |= self._state(name, joint)
        super().add_joint(name, joint, parent, child, **self._told(properties))

    def add_loop(self, name: str, joint: Joint, parent: str, child: str, **properties: Any) -> None:
        """Add a loop joint with its initial state."""
        super().add_loop(name, joint, parent, child, **properties, **self._state(name, joint))

    def add_control(self, name: str, **properties: Any) -> None:
        """Add a control element with its initial state."""
        super().add_control(name, **properties | self._state(name, Control()))

    def add_mimic(self, follower: str, driver: str, *numbers: float, **properties: Any) -> None:
        """Add a mimic."""
        super().add_mimic(follower, driver, *numbers, **self._told(properties))

    def _told(self, properties: dict[str, Any]) -> dict[str, Any]:
        """Return properties whose `where` says in which file it is."""
        where = properties.get("where")
        if where and self.source:
            properties["where"] = f"{where} of {self.source}"
        return properties
