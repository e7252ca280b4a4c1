"""`robodyn`: the command line of the package."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Sequence

from robodyn_ros import __version__
from robodyn_ros.cli import demo, report
from robodyn_ros.errors import RobodynError, quoted

COMMANDS = (demo, report)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="robodyn",
        description="Live multibody kinematics and dynamics from a robot description.",
    )
    top.add_argument("--version", action="version", version=f"robodyn {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    for command in COMMANDS:
        command.add_to(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code: 1 with one line for what went wrong."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # names may have letters that it has not
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        try:
            return _run(arguments)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except RobodynError as error:
        _complain(error)
        return 1
    except BrokenPipeError:  # the reader of a pipe has seen enough
        _discard_output()
        return 0
    except OSError as error:
        _discard_output()
        _complain(error)
        return 1
    except KeyboardInterrupt:
        return 130


def _run(arguments: Sequence[str] | None) -> int:
    top = parser()
    options, unknown = top.parse_known_args(arguments)
    if unknown:
        top.error("unknown arguments: " + " ".join(map(quoted, unknown)))
    if not hasattr(options, "run"):
        top.error("a command is missing: demo or report")
    return int(options.run(options))


def _complain(error: Exception) -> None:
    with contextlib.suppress(OSError):
        print(f"robodyn: {error}", file=sys.stderr)


def _discard_output() -> None:
    """Let what is still to be written go nowhere, so that the interpreter's end is quiet."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
