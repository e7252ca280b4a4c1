"""The options --q, --v and --a, by which commands are given a state."""

from __future__ import annotations

import argparse
import re


def add_state(command: argparse.ArgumentParser, **meanings: str) -> None:
    """Add options that take JOINTS, such as --q for the name "q", each with its help."""
    # What begins with a minus sign and a digit is a list of numbers, not an option.
    command._negative_number_matcher = re.compile(r"-\.?\d")
    for name, meaning in meanings.items():
        command.add_argument(
            f"--{name}", action="append", default=[], metavar="JOINTS", help=meaning
        )
