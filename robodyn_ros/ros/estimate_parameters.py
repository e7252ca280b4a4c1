"""The parameters of estimated external wrenches and of the running check of the model."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.model import Model
from robodyn_ros.ros.parameter_specs import Spec, Value

WORLD, FRAME = "world", "frame"


def thresholds_given(text: str) -> dict[str, float]:
    """Return what `contact_thresholds` says, by coordinate.

    Raises:
        ArgumentError: a part that is not NAME=NUMBER, or a number not above 0.
    """
    found: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, number = part.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not name.strip() or not 0.0 < value < math.inf:
            raise ArgumentError(
                "contact_thresholds must be NAME=NUMBER for joints, N m or N above 0, separated by"
                f" commas, got {quoted(part)}"
            )
        found[name.strip()] = value
    return found


def thresholds_of(
    everywhere: float, given: Mapping[str, float], model: Model
) -> NDArray[np.float64]:
    """Return thresholds (nv,), N m or N; NaN where they are to be learnt.

    Args:
        everywhere: Of all coordinates, 0 to learn them.
        given: Of single ones, by name.
        model: The model.

    Raises:
        UnknownNameError: something is said of a coordinate that the model does not have.
    """
    found = np.full(model.nv, everywhere if everywhere > 0.0 else math.nan)
    names = list(model.coordinate_names)
    for name, value in given.items():
        if name not in names:
            error = UnknownNameError.among("coordinate", name, names)
            raise UnknownNameError(f"contact_thresholds: {error}")
        found[names.index(name)] = value
    return found


def _problem_of_thresholds(value: Value) -> str:
    try:
        thresholds_given(str(value))
    except ArgumentError as error:
        return str(error)
    return ""


ESTIMATE_PARAMETERS: tuple[Spec, ...] = (
    Spec(
        "wrench_estimate_frames",
        str,
        "Links or frames, separated by commas, that external wrenches are estimated at from the"
        " efforts in joint states, while somebody listens; empty for none.",
        default="",
        read_only=True,
    ),
    Spec(
        "wrench_estimate_gain",
        float,
        "Gain of the momentum observer, 1/s: estimates follow with its inverse as time constant;"
        " noise passes up to it.",
        default=25.0,
        lower=0.1,
        upper=1000.0,
    ),
    Spec(
        "wrench_estimate_axes",
        str,
        "Axes of the wrench in ~/external_wrench_estimate: world, or frame for those of its frame."
        " ~/external_wrench always has its frame's.",
        default=WORLD,
        choices=(WORLD, FRAME),
    ),
    Spec(
        "contact_threshold",
        float,
        "Estimated external effort above which a joint counts as touched, N m or N; 0 to learn that"
        " of each joint from the first seconds, in which nothing may touch the robot.",
        default=0.0,
        lower=0.0,
        upper=1e6,
    ),
    Spec(
        "contact_thresholds",
        str,
        "The same of single joints, NAME=NUMBER separated by commas.",
        default="",
        check=_problem_of_thresholds,
    ),
    Spec(
        "contact_duration",
        float,
        "Seconds that a contact, and its end, last before they are told.",
        default=0.02,
        lower=0.0,
        upper=10.0,
    ),
    Spec(
        "model_check",
        bool,
        "Whether measured efforts are compared with computed ones all the time, for the"
        " diagnostics; else only while somebody listens to ~/model_check.",
        default=False,
    ),
    Spec(
        "model_check_frames",
        str,
        "Links or frames, separated by commas, that payloads are looked for on; empty for the last"
        " links of the robot's chains.",
        default="",
        read_only=True,
    ),
    Spec(
        "model_check_window",
        float,
        "Time constant in s with which the check forgets older efforts.",
        default=10.0,
        lower=1.0,
        upper=3600.0,
    ),
)
