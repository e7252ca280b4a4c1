"""`robodyn`: the command line of the package.

A command is a module of this room, named as the command is, and one row of `COMMANDS`. It has

    add_parser(subparsers) -> None     adds its parser, by `subparsers.add_parser(name, ...)`
    run(options) -> int                does the work and returns the exit code

and imports at its top only what is quick: what is heavy (NumPy, ROS) belongs into `run`. Only the
module of the command that is called is imported; for the help, all are.

Exit codes, of every command:

    0    fine; also when a command that runs until it is stopped is stopped
    1    findings, a failed check, or a failure on the way (a node that ends, a disk that is full)
    2    wrong usage, or input that cannot be read or used
    130  interrupted

For 1 and 2 a `RobodynError` becomes one line on standard error, without a traceback: 2 for the
errors about what was given (`INPUT_ERRORS`), 1 for the others.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from robodyn_ros.errors import (
    ArgumentError,
    DescriptionError,
    RobodynError,
    UnknownNameError,
    quoted,
)

COMMANDS = (
    "report",
    "check",
    "torque",
    "compare",
    "animate",
    "view",
    "replay",
    "identify",
    "convert",
    "export",
    "gazebo",
    "demo",
)
"""The commands, in the order of the help."""

INPUT_ERRORS = (ArgumentError, DescriptionError, UnknownNameError)


class _Version(argparse.Action):
    """Prints the version, which takes a look into the installed packages, only when asked."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print it and end."""
        from robodyn_ros import __version__

        print(f"robodyn {__version__}")
        parser.exit()


def parser(commands: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the parser of the command line, with the given commands."""
    top = argparse.ArgumentParser(
        prog="robodyn",
        description="Live multibody kinematics and dynamics from a robot description.",
        epilog="Exit codes: 0 fine, 1 findings or a failure, 2 wrong usage or unreadable input.",
    )
    top.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    subparsers = top.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for command in commands:
        _module(command).add_parser(subparsers)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code (see the module's text)."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # names may have letters that it has not
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        try:
            return _run(sys.argv[1:] if arguments is None else arguments)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except RobodynError as error:
        _complain(error)
        return 2 if isinstance(error, INPUT_ERRORS) else 1
    except BrokenPipeError:  # the reader of a pipe has seen enough
        _discard_output()
        return 0
    except OSError as error:
        _discard_output()
        _complain(error)
        return 1
    except KeyboardInterrupt:
        return 130


def _run(arguments: Sequence[str]) -> int:
    called = next((word for word in arguments if not word.startswith("-")), None)
    top = parser((called,) if called in COMMANDS else COMMANDS)
    options, unknown = top.parse_known_args(arguments)
    if unknown:
        top.error("unknown arguments: " + " ".join(map(quoted, unknown)))
    if options.command is None:
        top.error(f"a command is missing: {', '.join(COMMANDS[:-1])} or {COMMANDS[-1]}")
    return int(_module(options.command).run(options))


def _module(command: str) -> ModuleType:
    """Return the module of a command."""
    return importlib.import_module(f"robodyn_ros.cli.{command}")


def _complain(error: Exception) -> None:
    with contextlib.suppress(OSError):
        print(f"robodyn: {error}", file=sys.stderr)


def _discard_output() -> None:
    """Let what is still to be written go nowhere, so that the interpreter's end is quiet."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
