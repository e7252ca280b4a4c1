"""What a loader does with a closed mechanism: it is closed before anybody sees it."""

from __future__ import annotations

import numpy as np

from robodyn_ros.constraints.assembly import OTHER_GUESSES, assemble, assembled_model, closed_from
from robodyn_ros.constraints.newton import CLOSED, positions_by_rate
from robodyn_ros.errors import ClosureError, DescriptionError
from robodyn_ros.model import Model


def assembled_at_load(model: Model) -> Model:
    """Return a closed model whose initial state is closed, with independent equations chosen.

    From the initial state the coordinates with a motor, those wanted as independent, and control
    elements are kept if that is possible; else control elements may move; else all may, and else
    other guesses are tried.

    Raises:
        DescriptionError: it cannot be closed; the text says which element lacks how much.
    """
    if not model.is_closed:
        return model
    guess = np.array(model.defaults.q)
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
