"""From a robot description to a Robot."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from robodyn_ros.description import dh_model, load_model
from robodyn_ros.description.dh import Convention, Table
from robodyn_ros.description.source import is_text
from robodyn_ros.errors import DescriptionError, quoted
from robodyn_ros.model.builder import Base
from robodyn_ros.robot.kernel_source import Compile
from robodyn_ros.robot.robot import Robot
from robodyn_ros.robot.robot_files import find_robot


def load(
    source: str | bytes | Path,
    *,
    base: Base | None = None,
    root: str | None = None,
    parameters: Mapping[str, float] | None = None,
    compile: Compile = "background",
) -> Robot:
    """Load a robot description.

    Args:
        source: the path of a .urdf, .xacro or .yaml (mechanism) file, or the text of a URDF or
            mechanism file as str or bytes. For robots by name there is `find_robot`.
        base: "fixed", "floating" or "prescribed": how the root link moves in the world; by default
            as the mechanism file says, else "fixed".
        root: the link to root the tree at; the description's own root by default.
        parameters: values in place of those that a mechanism file gives its parameters.
        compile: when kernels are compiled; see `Robot`.

    Raises:
        DescriptionError: the description cannot be used; the text names the element, its line and
            the remedy.
        UnknownNameError: the mechanism file has no such parameter.
        ArgumentError: no such base, or parameters for a URDF.
    """
    _refuse_name(source)
    model = load_model(source, base=base, root=root, parameters=parameters)
    return Robot(model, compile=compile)


def from_dh(
    table: Table,
    convention: Convention = "classic",
    *,
    name: str = "robot",
    base: Base = "fixed",
    compile: Compile = "background",
) -> Robot:
    """Make a robot from a Denavit-Hartenberg table.

    Args:
        table: a row for each joint: a mapping with a, alpha, d, theta, type, mass, com, ..., or the
            numbers a, alpha, d, theta; see `robodyn_ros.description.dh_model`. m and rad.
        convention: "classic" (joint i about z of frame i - 1), "modified" (Craig's: about z of
            frame i) or "thesis" (document D's: about x of frame i).
        name: the robot's name.
        base: how the body `base`, which the first joint hangs on, is held.
        compile: when kernels are compiled; see `Robot`.

    Raises:
        DescriptionError: a row that means nothing; the text names it.
        ArgumentError: the table is no list of rows.
    """
    return Robot(dh_model(table, convention, name=name, base=base), compile=compile)


def _refuse_name(source: object) -> None:
    """Raise where a robot's name is given in place of a path."""
    if not isinstance(source, str) or is_text(source) or os.sep in source:
        return
    try:
        found = find_robot(source)
    except DescriptionError:
        return  # a path that leads nowhere: what reads it knows more about that
    if found != Path(source).absolute():
        raise DescriptionError(
            f"{quoted(source)} is no file, but a robot goes by that name:"
            f" load(find_robot({quoted(source)}))"
        )
