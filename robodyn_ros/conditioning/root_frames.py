"""Frames that sit rigidly on the root link: where a base's sensors may be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.inertial_frames import frames_fixed_to
from robodyn_ros.conditioning.complaints import listed
from robodyn_ros.conditioning.frame_motion import Offset
from robodyn_ros.errors import quoted
from robodyn_ros.model import Model
from robodyn_ros.spatial import invert, quaternion_from_matrix


class RootFrames:
    """The root link, the links fixed to it, and the named frames on any of them.

    Attributes:
        root: Published name of the root link's frame.
        names: Published names of all of them, the root link first.
    """

    def __init__(self, model: Model, prefix: str = "") -> None:
        """Collect them.

        Args:
            model: The robot.
            prefix: What the published name of every frame begins with.
        """
        root = 0 if model.base == "fixed" else 1
        on_root = frames_fixed_to(model, root)
        self.root = prefix + model.body_names[root]
        self.names = tuple(prefix + name for name in on_root)
        self._root_in = {name: _offset(*invert(pose)) for name, pose in on_root.items()}
        self._root_in.update({prefix + name: self._root_in[name] for name in on_root})

    def root_in(self, name: str) -> Offset | None:
        """Return where the root link is in a frame (m); None for a frame elsewhere.

        The name may carry the prefix or not: some drivers are given the link's name alone.
        """
        return self._root_in.get(name)

    def described(self) -> str:
        """Return what a frame may be called, for an error text."""
        others = [quoted(name) for name in self.names[1:]]
        if not others:
            return f"the root link {quoted(self.root)}"
        return f"the root link {quoted(self.root)} or a frame fixed to it: {listed(others)}"


def _offset(rotation: NDArray[np.float64], position: NDArray[np.float64]) -> Offset:
    return Offset(quaternion_from_matrix(rotation), position)
