"""All kinds of operations by name."""

from __future__ import annotations

from robodyn_ros.robot.closure_kinds import CLOSURE_KINDS
from robodyn_ros.robot.dynamic_kinds import DYNAMIC_KINDS
from robodyn_ros.robot.kind import Kind
from robodyn_ros.robot.kinematic_kinds import KINEMATIC_KINDS

KINDS: dict[str, Kind] = {**KINEMATIC_KINDS, **DYNAMIC_KINDS, **CLOSURE_KINDS}
