"""`robodyn convert FILE OUTPUT`: a robot description in another program's form."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robodyn_ros.cli.robot_options import add_robot, described

if TYPE_CHECKING:
    from robodyn_ros.model import Model

DESCRIPTION = """\
Write a robot description as URDF, as far as URDF can say it, or as Featherstone's spatial_v2 model,
by the ending of OUTPUT. What is lost is told on standard error, a line each."""

URDF = ".urdf"
"""The ending of URDF files; the others are those of spatial_v2."""


def add_parser(subparsers: Any) -> None:
    """Add the command to the command line."""
    command = subparsers.add_parser(
        "convert",
        help="write a robot description as URDF or spatial_v2",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_robot(command)
    command.add_argument("output", metavar="OUTPUT", help="a .urdf, .mat or .json file to write")
    command.add_argument(
        "--strict", action="store_true", help="write nothing where something would be lost; exit 1"
    )


def run(options: argparse.Namespace) -> int:
    """Write the file and tell what was lost."""
    output = Path(options.output)
    from robodyn_ros.description.exchange import (
        SpatialV2,
        save_spatial_v2,
        spatial_v2_model,
        urdf_text,
    )
    from robodyn_ros.description.load import load_model
    from robodyn_ros.description.output_file import require_output_file

    require_output_file(output, (URDF, ".mat", ".json"))
    model = load_model(**described(options))
    written = urdf_text(model) if output.suffix.lower() == URDF else spatial_v2_model(model)
    for line in written.lost:
        print(f"lost: {line}", file=sys.stderr)
    if options.strict and written.lost:
        return 1
    if isinstance(written, SpatialV2):
        save_spatial_v2(output, written.fields)
        count = written.fields["NB"]
        print(f"{output}: {count} bodies and the base, {count} coordinates")
    else:
        output.write_text(written.text, encoding="utf-8")
        print(f"{output}: {_size(model)}")
    return 0


def _size(model: Model) -> str:
    """Return how much of a model a URDF has: all but what serves loops and controls."""
    own = [not body.auxiliary for body in model.bodies]
    joints = [joint for body, joint in model.moving if own[body] and not joint.is_follower]
    return f"{sum(own)} bodies, {sum(joint.joint.nv for joint in joints)} coordinates"
