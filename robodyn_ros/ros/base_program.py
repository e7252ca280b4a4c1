"""The motion of a prescribed base from a file, as the parameters say."""

from __future__ import annotations

from collections.abc import Callable

from robodyn_ros.conditioning.base_motion_file import SHOWN, read_base_motion
from robodyn_ros.conditioning.base_program import BaseProgram
from robodyn_ros.conditioning.frame_motion import Motion
from robodyn_ros.conditioning.multi_dof import Program
from robodyn_ros.conditioning.pose_inputs import FILE
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.ros.base_parameters import FIRST
from robodyn_ros.ros.parameters import Parameters


class FromFirst:
    """A program whose first row is at the first stamp that is asked for, after 0."""

    def __init__(self, program: BaseProgram) -> None:
        """Begin with no stamp known."""
        self._program = program
        self._first: int | None = None

    def __call__(self, stamp: int) -> Motion:
        """Return the motion at a stamp, ns."""
        if self._first is None and stamp > 0:
            self._first = stamp
        since = 0 if self._first is None else stamp - self._first
        return self._program.at(self._program.start + since * 1e-9)


def base_program(config: Parameters, warn: Callable[[str], object]) -> Program | None:
    """Return the motion that the parameters say; None where a base moves by no file.

    Args:
        config: The node's parameters.
        warn: Takes a line for each kind of rate in the file that does not go with its poses.

    Raises:
        ArgumentError: the file cannot be used, or is given or not as `base_input` does not ask for.
    """
    path, wanted = config.text("base_motion_file"), config.text("base_input") == FILE
    if not (path or wanted):
        return None
    if not path:
        raise ArgumentError("base_input file needs a base_motion_file; set it")
    if not wanted:
        raise ArgumentError("base_motion_file is for base_input file; set that, or leave it out")
    program = read_base_motion(path, loop=bool(config["base_motion_loop"]))
    for doubt in program.doubts:
        warn(f"base_motion_file {quoted(path, SHOWN)}: {doubt}")
    if config.text("base_motion_start") == FIRST:
        return FromFirst(program)
    return lambda stamp: program.at(stamp * 1e-9)
