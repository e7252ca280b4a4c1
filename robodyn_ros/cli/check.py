"""`robodyn check FILE`: what in a robot description will hurt dynamics, with an exit code."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from robodyn_ros.cli.json_text import json_text
from robodyn_ros.cli.robot_options import add_robot, described
from robodyn_ros.errors import quoted

if TYPE_CHECKING:
    from robodyn_ros.model.findings import Finding


def add_parser(subparsers: Any) -> None:
    """Add the command to the command line."""
    command = subparsers.add_parser(
        "check",
        help="find what in a robot description will hurt dynamics",
        description="Name each joint and link whose mass properties, limits or axes will hurt"
        " dynamics, and what to do about it. Exit code 1 for errors (with --strict for warnings"
        " too), 2 where the description cannot be read.",
    )
    add_robot(command, base=False)
    command.add_argument("--strict", action="store_true", help="let warnings fail too")
    command.add_argument("--json", action="store_true", help="print JSON instead of text")


def run(options: argparse.Namespace) -> int:
    """Print the findings; the exit code says whether there are any that count."""
    from robodyn_ros.description.findings import described_findings

    model, found = described_findings(**described(options))
    if options.json:
        print(json_text({"robot": model.name, "findings": [asdict(f) for f in found]}))
    else:
        print("\n".join([*map(_line, found), _summary(model.name, found)]))
    return int(any(options.strict or finding.severity == "error" for finding in found))


def _line(finding: Finding) -> str:
    """Return a finding on one line."""
    place = "" if finding.line is None else f" (line {finding.line})"
    return (
        f"{finding.severity}: {finding.element}{place}: {finding.what};"
        f" {finding.remedy} [{finding.kind}]"
    )


def _summary(robot: str, found: Sequence[Finding]) -> str:
    """Return the last line: how many findings of each severity."""
    counts = []
    for severity in ("error", "warning"):
        number = sum(finding.severity == severity for finding in found)
        if number:
            counts.append(f"{number} {severity}{'s' * (number > 1)}")
    return f"robot {quoted(robot)}: {', '.join(counts) or 'nothing to complain of'}"
