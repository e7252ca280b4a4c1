"""`robodyn gazebo FILE`: a robot description made ready for Gazebo and ros2_control."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robodyn_ros.cli.json_text import json_text
from robodyn_ros.cli.robot_files import FILE_HELP, find_robot
from robodyn_ros.cli.robot_options import add_set, given_parameters

if TYPE_CHECKING:
    from robodyn_ros.description.gazebo import GazeboDescription, GazeboSettings

DESCRIPTION = """\
Make a robot description ready for current Gazebo (ROS 2 Jazzy: Harmonic): write it as a URDF with
the tags of ros2_control, and the YAML of its controllers. FILE stays as it is. What was filled in
is told on standard output, what is lost in Gazebo on standard error, a line each. Without --output
nothing is written."""

_MARKS = {
    "urdf": b"gz_ros2_control-system",
    "controllers": b"forward_effort_controller",
    "bridge": b"gz_topic_name",
}
"""What stands in every file that was written here."""
_SHOWN = 200


def add_parser(subparsers: Any) -> None:
    """Add the command to the command line."""
    command = subparsers.add_parser(
        "gazebo",
        help="make it ready for Gazebo and ros2_control",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("file", metavar="FILE", help=FILE_HELP)
    add_set(command)
    _add_outputs(command)
    _add_settings(command)
    command.add_argument(
        "--masses",
        action="store_true",
        help="print mass, centre of mass and inertia of every body that Gazebo has to simulate",
    )
    command.add_argument("--json", action="store_true", help="print JSON instead of text")
    command.add_argument(
        "--strict", action="store_true", help="write nothing where something is lost; exit 1"
    )


def _add_outputs(command: argparse.ArgumentParser) -> None:
    command.add_argument("--output", metavar="FILE.urdf", help="the URDF to write")
    command.add_argument(
        "--controllers",
        metavar="FILE.yaml",
        help="the controllers' YAML to write (default: beside OUTPUT, as OUTPUT_controllers.yaml)",
    )
    command.add_argument(
        "--parameters", metavar="FILE", help="take this controllers' YAML and write none"
    )
    command.add_argument(
        "--bridge", metavar="FILE.yaml", help="write the YAML of ros_gz_bridge, for /clock"
    )


def _add_settings(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--base", metavar="BASE", help="fixed or floating (default: as a .yaml file says, or fixed)"
    )
    command.add_argument(
        "--pose",
        metavar="POSE",
        help="x,y,z[,roll,pitch,yaw] of a fixed root link in the world, m and rad",
    )
    command.add_argument(
        "--q", action="append", default=[], metavar="JOINTS", help="where joints begin: joint=value"
    )
    command.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="JOINT",
        help="a fixed joint that Gazebo keeps, with the link behind it; repeatable",
    )
    command.add_argument(
        "--replace", action="store_true", help="replace <ros2_control> and its plugin in FILE"
    )
    command.add_argument(
        "--namespace", default="", metavar="NAME", help="namespace of the controller manager"
    )
    command.add_argument(
        "--rate", type=int, metavar="HZ", help="rate of the controller manager (default: 500)"
    )
    command.add_argument(
        "--no-hold",
        action="store_true",
        help="let joints fall until a controller is active; else Gazebo holds them still",
    )
    command.add_argument(
        "--token-mass",
        type=float,
        metavar="KG",
        help="give moving links without mass this much, where Gazebo would drop them",
    )


def run(options: argparse.Namespace) -> int:
    """Make the description, write the files that are asked for, and tell of it."""
    from robodyn_ros.description.gazebo import gazebo_description

    source = find_robot(options.file)
    files = _files(options)
    _require_own(files, source)
    made = gazebo_description(
        source, _settings(options, files), parameters=given_parameters(options.set)
    )
    for line in made.lines("lost"):
        print(f"lost: {line}", file=sys.stderr)
    if options.strict and made.lines("lost"):
        return 1
    written = _write(made, options, files)
    if options.json:
        print(json_text(_data(made, written)))
    elif options.masses:
        print("\n".join(_mass_lines(made)))
    else:
        print("\n".join(_lines(made, written)))
    return 0


def _files(options: argparse.Namespace) -> dict[str, Path]:
    """Return the files to write.

    Raises:
        ArgumentError: one that cannot be written, or the YAML is both written and given.
    """
    from robodyn_ros.description.output_file import require_output_file
    from robodyn_ros.errors import ArgumentError

    if options.controllers and options.parameters:
        raise ArgumentError("--controllers writes the YAML that --parameters names; give one")
    files = {}
    if options.output:
        files["urdf"] = Path(options.output)
        require_output_file(files["urdf"], (".urdf",))
        if not options.parameters:
            beside = files["urdf"].with_name(f"{files['urdf'].stem}_controllers.yaml")
            files["controllers"] = Path(options.controllers or beside)
    elif options.controllers:
        files["controllers"] = Path(options.controllers)
    if options.bridge:
        files["bridge"] = Path(options.bridge)
    for key in ("controllers", "bridge"):
        if key in files:
            require_output_file(files[key], (".yaml", ".yml"))
    return files


def _require_own(files: dict[str, Path], source: Path) -> None:
    """Raise ArgumentError where a file of somebody else's would be lost, or two are the same."""
    from robodyn_ros.errors import ArgumentError, quoted

    taken: set[Path] = set()
    for key, path in files.items():
        name, place = quoted(str(path), _SHOWN), path.resolve()
        if place in taken:
            raise ArgumentError(f"{name} is to be written twice: give each file a name of its own")
        taken.add(place)
        there = path.read_bytes() if path.is_file() else b""
        if (there and _MARKS[key] not in there) or place == source.resolve():
            raise ArgumentError(
                f"{name} is there already, and was not written by this command: give another name"
            )


def _settings(options: argparse.Namespace, files: dict[str, Path]) -> GazeboSettings:
    """Return the options as settings.

    Raises:
        ArgumentError: one that cannot be.
    """
    from robodyn_ros.description.gazebo.settings import GazeboSettings, pose_from, positions_from

    parameters = options.parameters or files.get("controllers", "controllers.yaml")
    more = {"pose": pose_from(options.pose)} if options.pose else {}
    return GazeboSettings(
        parameters_file=os.path.abspath(parameters),  # noqa: PTH100 - links are not followed
        base=options.base,
        namespace=options.namespace,
        replace=options.replace,
        kept=frozenset(options.keep),
        positions=positions_from(",".join(options.q)),
        hold=not options.no_hold,
        token_mass=options.token_mass,
        rate=options.rate,
        **more,
    )


def _write(
    made: GazeboDescription, options: argparse.Namespace, files: dict[str, Path]
) -> dict[str, str]:
    """Write the files and return their names."""
    from robodyn_ros.description.gazebo import bridge_yaml, controllers_yaml

    texts = {"urdf": made.text, "bridge": bridge_yaml()}
    if "controllers" in files:
        texts["controllers"] = controllers_yaml(
            made.joints, rate=made.rate, namespace=options.namespace
        )
    for key, path in files.items():
        path.write_text(texts[key], encoding="utf-8")
    return {key: str(path) for key, path in files.items()}


def _lines(made: GazeboDescription, written: dict[str, str]) -> list[str]:
    """Return what is told in text."""
    total = sum(body.mass for body in made.bodies)
    lines = [f"filled: {line}" for line in made.lines("filled")]
    followers = f", {len(made.followers)} followers" if made.followers else ""
    lines.append(
        f"{made.name}: {len(made.bodies)} bodies, {total:.6g} kg, {len(made.joints)} joints with"
        f" efforts{followers}"
    )
    lines += [f"{key}: {path}" for key, path in written.items()]
    if made.resource_folders:
        lines.append(f"export GZ_SIM_RESOURCE_PATH={_joined(made)}")
    return lines


def _mass_lines(made: GazeboDescription) -> list[str]:
    """Return a table of the bodies."""
    rows = [("body", "joint", "mass", "com", "ixx iyy izz ixy ixz iyz")]
    for body in made.bodies:
        inertia = body.inertia
        moments = [inertia[k, k] for k in range(3)]
        moments += [inertia[0, 1], inertia[0, 2], inertia[1, 2]]
        com = " ".join(f"{x:.6g}" for x in body.com + 0.0)
        values = " ".join(f"{x + 0.0:.6g}" for x in moments)
        rows.append((body.name, body.joint or "-", f"{body.mass:.6g}", com, values))
    widths = [max(len(row[k]) for row in rows) for k in range(5)]
    total = sum(body.mass for body in made.bodies)
    return [
        f"{made.name}: kg; centre of mass in the body's frame, m; inertia about it, kg m^2",
        *("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows),
        f"total {total:.9g} kg",
    ]


def _joined(made: GazeboDescription) -> str:
    return os.pathsep.join(map(str, made.resource_folders))


def _data(made: GazeboDescription, written: dict[str, str]) -> dict[str, Any]:
    """Return everything as data."""
    return {
        "robot": made.name,
        "joints": list(made.joints),
        "followers": list(made.followers),
        "bodies": [
            {
                "name": body.name,
                "links": list(body.links),
                "joint": body.joint,
                "parent": body.parent,
                "mass": body.mass,
                "com": body.com.tolist(),
                "inertia": body.inertia.tolist(),
            }
            for body in made.bodies
        ],
        "total_mass": sum(body.mass for body in made.bodies),
        "resource_path": [str(folder) for folder in made.resource_folders],
        "filled": made.lines("filled"),
        "lost": made.lines("lost"),
        "written": written,
    }
