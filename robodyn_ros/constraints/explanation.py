"""Why a mechanism can move in more ways, or in fewer, than counting says."""

from __future__ import annotations

from robodyn_ros.constraints.mobility import Mobility
from robodyn_ros.model import Model


def explained(model: Model, count: int, found: Mobility) -> str:
    """Return a sentence on the difference of mobilities by count and by rank; "" for none.

    Args:
        model: the model.
        count: variables less equations.
        found: what ranks say.
    """
    rows = model.closure.rows
    redundant = rows - found.rank_nearby
    if found.finite == 0 and found.momentary > 0:
        return (
            f"by the Jacobian it seems to have mobility {found.momentary}, but only for the moment:"
            " it cannot move on, and gives way a little under load"
        )
    if redundant == 0 or count == found.finite:
        return ""
    plural = f"{redundant} equations follow" if redundant > 1 else "1 equation follows"
    if found.rank_open == found.rank_nearby:
        why = "as its joints' axes lie, whatever its lengths are (a planar or spherical loop)"
    elif found.rank_open == min(rows, model.nv):
        why = "only for lengths and angles like these (as in Bennett's and Bricard's mechanisms)"
    else:
        some = found.rank_open - found.rank_nearby
        why = f"{some} only for lengths and angles like these, the others as its joints' axes lie"
    held = "it is held more often than is needed" if found.finite == 0 else "it moves all the same"
    return f"counting says {count}, but {plural} from the others, {why}: {held}"
