"""The robot that a command is about: its FILE and the options that say how it is read."""

from __future__ import annotations

import argparse
from typing import Any

from robodyn_ros.cli.robot_files import FILE_HELP, find_robot
from robodyn_ros.errors import ArgumentError, quoted


def add_robot(command: argparse.ArgumentParser, *, base: bool = True) -> None:
    """Add FILE, --set, --root and, where the command asks how the root is held, --base."""
    command.add_argument("file", metavar="FILE", help=FILE_HELP)
    add_reading(command, base=base)


def add_reading(command: argparse.ArgumentParser, *, base: bool = True) -> None:
    """Add the options that say how a description is read, wherever it comes from."""
    add_set(command)
    command.add_argument("--root", metavar="LINK", help="root the tree at this link")
    if base:
        command.add_argument(
            "--base",
            metavar="BASE",
            help="fixed, floating or prescribed (default: as a .yaml file says, or fixed)",
        )


def add_set(command: argparse.ArgumentParser) -> None:
    """Add --set, whose words `given_parameters` reads."""
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="another value of a parameter of a .yaml file",
    )


def described(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options as arguments of `load`, `load_description` and their like.

    Raises:
        ArgumentError: --set without a name or a number.
        DescriptionError: FILE leads to no robot.
    """
    return {"source": find_robot(options.file), **reading(options)}


def reading(options: argparse.Namespace) -> dict[str, Any]:
    """Return what `add_reading` added as arguments of `load`, the source not among them.

    Raises:
        ArgumentError: --set without a name or a number.
    """
    found = {"root": options.root, "parameters": given_parameters(options.set)}
    return {**found, "base": options.base} if "base" in options else found


def given_parameters(words: list[str]) -> dict[str, float] | None:
    """Return what --set gives, None for nothing.

    Raises:
        ArgumentError: a word without a name or a number.
    """
    found = {}
    for word in words:
        name, _, text = word.partition("=")
        try:
            found[name.strip()] = float(text)
        except ValueError:
            name = ""
        if not name.strip():
            raise ArgumentError(f"--set must be NAME=VALUE with a number, got {quoted(word)}")
    return found or None
