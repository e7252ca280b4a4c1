"""The parameters of a node that follows a robot's state, as what the state path takes."""

from __future__ import annotations

from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.model import Model
from robodyn_ros.ros.parameters import Parameters


def frame_plan(model: Model, config: Parameters) -> FramePlan:
    """Return the frames of a model, as the parameters name them.

    Raises:
        ArgumentError: `world_frame` is a frame of the description that moves in the world.
    """
    return FramePlan(
        model,
        prefix=config.text("frame_prefix"),
        world_frame=config.text("world_frame"),
        publish_base="publish_base" in config and bool(config["publish_base"]),
    )


def state_settings(config: Parameters) -> Settings:
    """Return what the operator chose."""
    source = config.text("acceleration_source")
    return Settings(
        publish_frequency=config.number("publish_frequency"),
        ignore_timestamp=bool(config["ignore_timestamp"]),
        stale_after=config.number("stale_after"),
        publish_outliers="publish_outliers" not in config or bool(config["publish_outliers"]),
        choices=Choices(
            message_velocity=config.text("velocity_source") == "message",
            # What forward dynamics does not give is filtered.
            filtered_acceleration=source != "none",
            forward_dynamics=source == "forward_dynamics",
            filter_time_constant=config.number("filter_time_constant"),
            outlier_rejection=bool(config["outlier_rejection"]),
        ),
    )
