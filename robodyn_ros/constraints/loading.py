"""What a loader does with a closed mechanism: it is closed before anybody sees it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.constraints.assembly import OTHER_GUESSES, assemble, assembled_model, closed_from
from robodyn_ros.constraints.newton import CLOSED, positions_by_rate, solved_closure
from robodyn_ros.errors import ClosureError, DescriptionError
from robodyn_ros.model import Model, Weld

Floats = NDArray[np.float64]


def assembled_at_load(model: Model) -> Model:
    """Return a closed model whose initial state is closed, with independent equations chosen.

    From the initial state, with loop joints put where the tree nearly closes, coordinates with a
    motor, those wanted as independent, and control elements are kept if that is possible; else
    control elements may move; else all may, and else other guesses are tried.

    Raises:
        DescriptionError: it cannot be closed; the text says which element lacks how much.
    """
    if not model.is_closed:
        return model
    guess = _with_loops(model, np.array(model.defaults.q))
    wanted = (*model.closure.preferred, *model.closure.actuated)
    controls = (j.v_index for j in model.own_joints if j.joint.type_name == "control")
    values = positions_by_rate(model, guess)
    for kept in dict.fromkeys((frozenset((*wanted, *controls)), frozenset(wanted))):
        held = {k: float(values[k]) for k in kept if np.isfinite(values[k])}
        q, left = closed_from(model, guess, held)
        if left < CLOSED:
            return assembled_model(model, q)
    try:
        q = assemble(model, guess, other_guesses=OTHER_GUESSES).q
    except ClosureError as error:
        raise DescriptionError(str(error)) from None
    return assembled_model(model, q)


def _with_loops(model: Model, q: Floats) -> Floats:
    """Return q with the loop joints where the tree's own coordinates bring them nearest to closed.

    Descriptions mostly do not say where a loop joint begins; left at 0 it would pull the tree over
    to another branch.
    """
    loops = {element.name for element in model.closure.elements if isinstance(element, Weld)}
    values = positions_by_rate(model, q)
    held = {
        k: float(values[k])
        for joint in model.own_joints
        if joint.name not in loops
        for k in range(joint.v_index, joint.v_index + joint.joint.nv)
        if np.isfinite(values[k])
    }
    return solved_closure(model, q, held)[0] if len(held) < model.nv else q
