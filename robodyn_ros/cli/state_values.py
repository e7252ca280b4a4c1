"""The states that commands are given by --q, --v and --a, from text to numbers."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms import neutral
from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

NEUTRAL = "neutral"


def angles(model: Model) -> tuple[Floats, Floats]:
    """Return which of the nq coordinates and of the nv rates are angles, 1.0 where they are."""
    positions, rates = np.zeros(model.nq), np.zeros(model.nv)
    for joint in model.own_joints:
        places = zip(joint.joint.turning(), joint.joint.rate_coordinates(), strict=True)
        for k, (turns, place) in enumerate(places):
            rates[joint.v_index + k] = turns
            if place is not None:
                positions[joint.q_index + place] = turns
    return positions, rates


def stated(model: Model, options: argparse.Namespace, **starts: Floats) -> list[Floats]:
    """Return what the options say of a state.

    Args:
        model: the robot.
        options: of the command line; each of `q`, `v`, `a` is a list of words "name=value,...", of
            numbers in the order of the model, or of both. "neutral" among the words of `q` stands
            for the neutral positions.
        starts: by option, in the order of the result: the values (nq,) or (nv,) of the coordinates
            that it does not name.

    Raises:
        ArgumentError: a wrong number of values, or something that is no finite number.
        UnknownNameError: no such coordinate; the text names a follower's driver.
    """
    names = {"q": model.position_names, "v": model.coordinate_names, "a": model.coordinate_names}
    return [
        _values(model, f"--{key}", getattr(options, key), names[key], start)
        for key, start in starts.items()
    ]


def _values(
    model: Model, option: str, words: Sequence[str], names: Sequence[str], start: Floats
) -> Floats:
    """Return numbers by coordinate from an option's words."""
    tokens = [token.strip() for word in words for token in word.split(",")]
    from_neutral = option == "--q" and NEUTRAL in tokens
    listed = [x for x in tokens if "=" not in x and not (from_neutral and x == NEUTRAL)]
    found = neutral(model) if from_neutral else start.copy()
    if listed:
        numbers = [number(option, token) for token in listed]
        if len(numbers) != len(names):
            raise ArgumentError(
                f"{option} needs {len(names)} numbers in the order {_few(names)}, got"
                f" {len(numbers)}; or give joints by name, as in {names[0]}=0.5"
                if len(names)
                else f"{option}: this robot has no coordinates; leave the option out"
            )
        found[:] = numbers
    for token in tokens:
        name, equals, text = token.rpartition("=")
        if equals:
            found[_index(model, option, name.strip(), names)] = number(option, text, name)
    return found


def _index(model: Model, option: str, name: str, names: Sequence[str]) -> int:
    """Return a coordinate's number by name."""
    if name in names:
        return names.index(name)
    parts = [x for x in names if x.startswith(f"{name}/")]
    if parts:
        raise ArgumentError(
            f"{option}: joint {quoted(name)} has several coordinates; name one of"
            f" {', '.join(parts)}"
        )
    if any(name == joint.name for _, joint in model.moving):
        model.own_joint(name)
    raise UnknownNameError.among("coordinate", name, names)


def number(option: str, text: str, name: str = "") -> float:
    """Return the finite number that an option is given, perhaps for what is called `name`."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        what = f"{option}: the value of {quoted(name)}" if name else option
        form = "" if name else "; give numbers with commas between, or name=value"
        raise ArgumentError(f"{what} must be a finite number, got {quoted(text)}{form}")
    return found


def _few(names: Sequence[str], most: int = 8) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
