"""`robodyn convert FILE OUTPUT`: a robot description in another program's form."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from robodyn_ros.cli.robot_files import FILE_HELP, find_robot
from robodyn_ros.errors import ArgumentError, quoted

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
    command.add_argument("file", metavar="FILE", help=FILE_HELP)
    command.add_argument("output", metavar="OUTPUT", help="a .urdf, .mat or .json file to write")
    command.add_argument("--base", metavar="BASE", help="fixed or floating (default: the file's)")
    command.add_argument("--root", metavar="LINK", help="root the tree at this link")
    command.add_argument(
        "--strict", action="store_true", help="write nothing where something would be lost; exit 1"
    )


def run(options: argparse.Namespace) -> int:
    """Write the file and tell what was lost."""
    output = Path(options.output)
    endings = (URDF, ".mat", ".json")
    if output.suffix.lower() not in endings:
        raise ArgumentError(f"OUTPUT must end in {', '.join(endings)}, got {quoted(str(output))}")
    if "\0" in options.output:
        raise ArgumentError(f"OUTPUT cannot be the name of a file: {quoted(options.output)}")
    path = find_robot(options.file)
    from robodyn_ros.description.exchange import (
        SpatialV2,
        save_spatial_v2,
        spatial_v2_model,
        urdf_text,
    )
    from robodyn_ros.description.load import load_model

    model = load_model(path, base=options.base, root=options.root)
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
        print(f"{output}: {model.nb} bodies, {model.nv} coordinates")
    return 0
