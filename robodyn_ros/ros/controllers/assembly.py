"""A supervisor and its watchdog, put together from the parameters for one robot."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.control import (
    Commanded,
    EffortShaper,
    FaultKind,
    SafeForm,
    SafeGains,
    SafeLaw,
    Supervisor,
    Watchdog,
    WatchdogLimits,
)
from robodyn_ros.errors import quoted
from robodyn_ros.robot import Robot
from robodyn_ros.ros.controllers.given_numbers import effort_limits
from robodyn_ros.ros.controllers.laws import MakeLaw, ReferencedLaw
from robodyn_ros.ros.controllers.parameters import fault_parameter
from robodyn_ros.ros.parameters import Parameters

Floats = NDArray[np.float64]
_LISTED = 6


class Assembly(NamedTuple):
    """One controller of one robot.

    Attributes:
        robot: The robot.
        referenced: Its law.
        commanded: What it commands.
        supervisor: Decides what is sent.
        watchdog: Looks at the states.
        without_limit: Why it may not be activated for want of effort limits; "" where it may.
    """

    robot: Robot
    referenced: ReferencedLaw
    commanded: Commanded
    supervisor: Supervisor
    watchdog: Watchdog
    without_limit: str


def assembled(robot: Robot, config: Parameters, make: MakeLaw, *, compensated: bool) -> Assembly:
    """Put a controller together.

    Args:
        robot: The robot.
        config: The parameters.
        make: Makes the law.
        compensated: Whether the driver adds the weight by itself.

    Raises:
        RobodynError: parameters that do not go together with the robot.
    """
    model = robot.model
    asked = [name.strip() for name in config.text("command_joints").split(",") if name.strip()]
    given = effort_limits(config, model.coordinate_names)
    commanded = Commanded.of(model, asked, given)
    bare = Robot(model, compile=robot.compile_mode)  # which never carries anything
    referenced = make(robot, bare, commanded, config)
    limit = config.number("effort_limit_share") * np.nan_to_num(commanded.limit)
    shaper = EffortShaper(limit, config.number("slew_time"), config.number("ramp_time"))
    gains = SafeGains(config.number("safe_frequency"), 1.0 / config.number("safe_damping_time"))
    safe = SafeLaw(robot, bare, gains, commanded)
    forms = {kind: SafeForm(config.text(fault_parameter(kind))) for kind in FaultKind}
    supervisor = Supervisor(
        robot,
        referenced.law,
        commanded,
        shaper,
        safe,
        forms,
        driver_compensates_gravity=compensated,
    )
    share = config.number("residual_limit")
    limits = WatchdogLimits(
        config.number("state_timeout"),
        config.number("min_rate"),
        config.number("rate_window"),
        config.number("clock_jump"),
        share * limit if share > 0.0 else np.full(len(limit), np.inf),
        config.number("residual_time"),
    )
    watchdog = Watchdog(limits, commanded.names)
    return Assembly(robot, referenced, commanded, supervisor, watchdog, _limits_missing(commanded))


def _limits_missing(commanded: Commanded) -> str:
    names = commanded.without_limit
    if not names:
        return ""
    listed = ", ".join(quoted(name) for name in names[:_LISTED])
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return (
        f"no effort limit is known of {listed}{more}: give effort_limits.{names[0]} in N m or N, or"
        " name the joints that are to be commanded in command_joints"
    )
