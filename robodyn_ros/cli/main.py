"""`robodyn`: the command line of the package."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from robodyn_ros.cli import demo, report
from robodyn_ros.errors import RobodynError

COMMANDS = (demo, report)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="robodyn",
        description="Live multibody kinematics and dynamics from a robot description.",
    )
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_to(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code: 1 with one line for what went wrong."""
    options = parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except RobodynError as error:
        print(f"robodyn: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of a pipe has seen enough
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
