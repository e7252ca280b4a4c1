"""Payloads and joint parameters from loose values, checked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.model import Environment, Model, Payload
from robodyn_ros.model.elements import constant
from robodyn_ros.spatial.arrays import real_array

#: How far an inertia may be from symmetric, and principal moments from what a body can have.
_TOLERANCE = 1e-9

_COLUMNS = ("armature", "damping", "friction")


def payload(
    model: Model,
    frame: str,
    mass: float,
    com: ArrayLike,
    inertia: ArrayLike | None,
    name: str,
) -> Payload:
    """Return the checked payload; see `Surroundings.set_payload` for the values.

    Raises:
        UnknownNameError: no such frame.
        ArgumentError: a negative or non-finite value, or an inertia that no body can have.
    """
    if not isinstance(frame, str):
        model.frame(frame)  # which refuses it
    if not isinstance(name, str) or not name:
        raise ArgumentError(f"a payload's name must be a text that is not empty, got {name!r}")
    what = f"payload {quoted(name)}:"
    try:
        model.frame(frame)
    except UnknownNameError as error:
        raise UnknownNameError(f"{what} {error}") from None
    kilograms = float(_finite(f"{what} mass", mass, ()))
    if kilograms < 0.0:
        raise ArgumentError(f"{what} mass must be >= 0 kg, got {kilograms:g}")
    moments = _finite(f"{what} inertia", np.zeros((3, 3)) if inertia is None else inertia, (3, 3))
    _require_physical(what, moments)
    return Payload(
        name, frame, kilograms, constant(_finite(f"{what} com", com, (3,))), constant(moments)
    )


def _finite(what: str, value: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    array = real_array(what, value)
    if array.shape != shape or not np.all(np.isfinite(array)):
        wanted = f"finite numbers of shape {shape}" if shape else "one finite number"
        raise ArgumentError(f"{what} must be {wanted}, got {array.tolist()}")
    return array


def _require_physical(what: str, inertia: NDArray[np.float64]) -> None:
    """Raise where an inertia about the centre of mass is one that no rigid body has."""
    scale = float(np.max(np.abs(inertia))) or 1.0
    unit = inertia / scale
    if np.max(np.abs(unit - unit.T)) > _TOLERANCE:
        raise ArgumentError(f"{what} inertia must be symmetric, got {inertia.tolist()}")
    ratios = np.linalg.eigvalsh(0.5 * (unit + unit.T))
    with np.errstate(over="ignore"):
        principal = scale * ratios
    if ratios[0] < -_TOLERANCE:
        raise ArgumentError(
            f"{what} inertia has the negative principal moment {principal[0]:g} kg m^2; give it"
            " about the payload's own centre of mass, in the axes of the frame"
        )
    if ratios[2] > ratios[0] + ratios[1] + _TOLERANCE:
        raise ArgumentError(
            f"{what} inertia has principal moments {principal.tolist()}: the largest exceeds the"
            " sum of the others, which no rigid body can have"
        )


def joint_parameters(
    model: Model, environment: Environment, joint: str, given: Mapping[str, ArrayLike | None]
) -> NDArray[np.float64]:
    """Return all joint parameters (nz, 3) with those of `joint` changed; None leaves one.

    Raises:
        UnknownNameError: no such joint, or a fixed one.
        ArgumentError: a wrong number of values, or one that is not finite or is negative and not
            as the model has it.
    """
    tree = model.lumped
    rates = _rates(model, joint)
    known = environment.joint_parameters
    changed = np.array(tree.joint_parameters if known is None else known)
    for column, name in enumerate(_COLUMNS):
        value = given.get(name)
        if value is None:
            continue
        numbers = real_array(f"{name} of joint {quoted(joint)}", value)
        fits = numbers.shape in ((), (rates.stop - rates.start,))
        # What a description says may stay, whatever it is.
        own = tree.joint_parameters[rates, column]
        if not (fits and np.all(np.isfinite(numbers) & ((numbers >= 0.0) | (numbers == own)))):
            raise ArgumentError(
                f"{name} of joint {quoted(joint)} must be one finite number >= 0, or one for each"
                f" of its {rates.stop - rates.start} rates, got {numbers.tolist()}"
            )
        changed[rates, column] = numbers
    return changed


def _rates(model: Model, name: str) -> slice:
    """Return the rows of a joint's rates, or of the one that `joint/axis` names.

    Raises:
        UnknownNameError: no such joint or rate, or a fixed joint.
    """
    moving = {lump.joint.name: lump for lump in model.lumped.lumps}
    if isinstance(name, str) and name in moving:
        return moving[name].rates
    of, slash, axis = name.rpartition("/") if isinstance(name, str) else ("", "", "")
    if not slash or of not in moving:
        raise UnknownNameError.among("joint that moves", name, moving)
    axes = moving[of].joint.joint.axes
    if axis not in axes:
        raise UnknownNameError.among("rate", name, [f"{of}/{each}" for each in axes] or [of])
    row = moving[of].rates.start + axes.index(axis)
    return slice(row, row + 1)
