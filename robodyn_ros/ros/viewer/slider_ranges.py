"""Which coordinates of a robot have a slider, and how far it goes."""

from __future__ import annotations

import math

from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.model import Model
from robodyn_ros.ros.demo_motion import free_range, interval, is_played, limits_of
from robodyn_ros.viewer.panel_joints import Range


def slider_ranges(model: Model) -> list[Range]:
    """Return the coordinates that joint states name; of a closed mechanism the independent ones."""
    found = []
    for one in told_coordinates(model):
        if not is_played(model, one):
            continue
        joint = one.joint.joint
        turns = bool(joint.turning()[one.v - one.joint.v_index])
        if one.turns_endlessly:
            lower, upper = -math.pi, math.pi
        else:
            lower, upper = interval(limits_of(one), free_range(joint, turns))
        unit = "rad" if turns else "m"
        found.append(Range(one.name, lower, upper, unit, turns_endlessly=one.turns_endlessly))
    return found
