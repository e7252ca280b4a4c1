"""The parameters of the markers: one for each setting, with its default."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields

import pytest

from robodyn_ros.ros.markers.settings import (
    ACTING,
    CLOSED,
    DESCRIBED,
    NAMESPACES,
    VisualizationSettings,
)
from robodyn_ros.ros.parameter_specs import Value
from robodyn_ros.ros.parameter_tables import STATE_PARAMETERS
from robodyn_ros.ros.visualization_parameters import (
    PREFIX,
    VISUALIZATION_PARAMETERS,
    visualization_settings,
)

DEFAULTS: dict[str, Value | None] = {spec.name: spec.default for spec in VISUALIZATION_PARAMETERS}


def settings(**changed: Value) -> VisualizationSettings:
    values = {**DEFAULTS, **{PREFIX + name: value for name, value in changed.items()}}
    return visualization_settings(values.__getitem__)


def test_there_is_a_parameter_for_each_setting():
    names = [spec.name for spec in VISUALIZATION_PARAMETERS]
    assert sorted(names) == sorted(PREFIX + field.name for field in fields(VisualizationSettings))
    assert len(set(names)) == len(names)


def test_names_are_not_taken_by_others():
    others = {spec.name for spec in STATE_PARAMETERS if spec not in VISUALIZATION_PARAMETERS}
    assert others.isdisjoint(DEFAULTS)


def test_defaults_are_those_of_the_settings_and_acceptable():
    assert settings() == VisualizationSettings()
    assert [spec.problem(spec.default) for spec in VISUALIZATION_PARAMETERS] == [""] * len(DEFAULTS)


@pytest.mark.parametrize("kind", [*NAMESPACES, *DESCRIBED, *CLOSED, *ACTING])
def test_each_kind_has_a_switch(kind: str):
    assert getattr(settings(**{kind: False}), kind) is False
    assert getattr(settings(), kind) is True


def test_every_value_arrives():
    changed = {"rate": 10.0, "density": 500.0, "trail_length": 7, "inertia": False}
    result = settings(**changed)
    assert {name: getattr(result, name) for name in changed} == changed


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ()),
        (" , ,", ()),
        ("tool", ("tool",)),
        ("left finger, right finger ,", ("left finger", "right finger")),
    ],
)
def test_bodies_with_a_trail_are_a_list(text: str, names: tuple[str, ...]):
    assert settings(trail_bodies=text).trail_bodies == names


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("rate", (-1.0, 201.0, float("nan"), "fast", True)),
        ("arrow_min_length", (0.0, -1.0, 1.0)),
        ("arrow_width", (0.0, 2.0)),
        ("density", (0.0, float("inf"))),
        ("trail_length", (1, 0, 10**6, 5.0)),
        ("frames", (1, "yes")),
        ("trail_bodies", (3, False)),
    ],
)
def test_values_that_cannot_be_shown_are_refused(name: str, values: tuple[object, ...]):
    spec = next(spec for spec in VISUALIZATION_PARAMETERS if spec.name == PREFIX + name)
    for value in values:
        assert spec.problem(value).startswith(spec.name)


def test_an_arrow_may_always_be_shown():
    spec = {spec.name: spec for spec in VISUALIZATION_PARAMETERS}
    shortest, longest = spec[f"{PREFIX}arrow_min_length"], spec[f"{PREFIX}arrow_max_length"]
    assert shortest.upper <= longest.lower


def test_parameters_and_numbers_need_no_ros():
    modules = "visualization_parameters", "markers.geometry", "markers.trail_memory"
    imports = ", ".join(f"robodyn_ros.ros.{name}" for name in modules)
    program = f"import sys, {imports}; print([m for m in sys.modules if m.endswith('_msgs')])"
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.stdout, result.stderr) == ("[]\n", "")
