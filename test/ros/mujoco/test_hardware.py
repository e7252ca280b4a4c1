"""From parameters to the hardware: settings, deliberate errors by name, sensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import rclpy
from rclpy.context import Context
from rclpy.node import Node
from rclpy.parameter import Parameter

from robodyn_ros.cosimulation.model_errors import ModelErrors
from robodyn_ros.cosimulation.sensors import Sensors
from robodyn_ros.cosimulation.settings import Settings
from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.mujoco.hardware import names_listed, sensors_of, settings_of
from robodyn_ros.ros.parameter_tables import MUJOCO_PARAMETERS
from robodyn_ros.ros.parameters import Parameters
from ros_graph import DOMAIN_LOCK


@pytest.fixture
def context() -> Iterator[Context]:
    assert DOMAIN_LOCK
    made = Context()
    rclpy.init(context=made)
    yield made
    rclpy.shutdown(context=made)


def config(context: Context, **given: Any) -> Parameters:
    overrides = [Parameter(name.replace("__", "."), value=value) for name, value in given.items()]
    node = Node("hardware", context=context, parameter_overrides=overrides)
    return Parameters(node, MUJOCO_PARAMETERS)


def test_by_default_nothing_is_wrong_with_it(context: Context) -> None:
    parameters = config(context)
    assert settings_of(parameters) == Settings()
    assert sensors_of(parameters) == Sensors()
    assert sensors_of(parameters).are_ideal


def test_errors_go_by_the_names_of_links_and_joints(context: Context) -> None:
    parameters = config(
        context,
        step=0.002,
        mass_factor=1.1,
        mass_factors__link_3=0.9,
        extra_damping=0.5,
        extra_dampings__joint__x=2,
        extra_frictions__joint2=1.5,
        command_delay=0.01,
        state_delay=0.02,
        seed=7,
        position_noise=0.01,
        dropped_states=0.1,
    )
    settings = settings_of(parameters)
    assert settings.step == 0.002
    assert settings.errors == ModelErrors(
        mass_factor=1.1,
        mass_factors={"link_3": 0.9},
        damping=0.5,
        dampings={"joint.x": 2.0},
        frictions={"joint2": 1.5},
        command_delay=0.01,
        state_delay=0.02,
    )
    assert sensors_of(parameters) == Sensors(position_noise=0.01, dropped_share=0.1, seed=7)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("mass_factors__arm", -1.0, "mass_factors.arm must be a number from 0.01 to 1e+06, got -1"),
        ("mass_factors__arm", float("nan"), "got nan"),
        (
            "extra_frictions__elbow",
            "much",
            "extra_frictions.elbow must be a number from 0 .*'much'",
        ),
        ("extra_dampings__elbow", True, "got True"),
    ],
)
def test_errors_that_are_none_are_refused(
    context: Context, name: str, value: Any, said: str
) -> None:
    parameters = config(context, **{name: value})
    with pytest.raises(ArgumentError, match=said.replace("+", r"\+")):
        settings_of(parameters)


def test_names_are_separated_by_commas() -> None:
    assert names_listed(" a, b/x ,,c") == ("a", "b/x", "c")
    assert names_listed("") == ()
