"""Parameter tables: kinds, bounds, choices, texts."""

from __future__ import annotations

import math

import pytest

from robodyn_ros.ros.parameter_specs import Spec
from robodyn_ros.ros.parameter_tables import PARAMETERS, STATE_PARAMETERS

ALL = list({spec.name: spec for table in PARAMETERS.values() for spec in table}.values())
BY_NAME = {spec.name: spec for spec in STATE_PARAMETERS}


@pytest.mark.parametrize("spec", ALL, ids=lambda spec: spec.name)
def test_every_parameter_is_described_bounded_and_has_a_good_default(spec: Spec) -> None:
    assert len(spec.text) > 20
    assert spec.text.endswith(".")
    if spec.default is not None:
        assert spec.problem(spec.default) == ""
        assert type(spec.default) is spec.kind
    if spec.kind in (int, float):
        assert spec.lower is not None
        assert spec.upper is not None
        for outside in (spec.lower - 1, spec.upper * 2 + 1):
            assert spec.name in spec.problem(outside)


@pytest.mark.parametrize("spec", ALL, ids=lambda spec: spec.name)
@pytest.mark.parametrize("value", [None, [1.0], object()])
def test_other_kinds_are_refused_by_name(spec: Spec, value: object) -> None:
    assert spec.problem(value).startswith(f"{spec.name} must be")


@pytest.mark.parametrize("value", [-1, -1.0, 1e9, math.nan, math.inf, "20", True, 1000.5])
def test_absurd_frequencies_are_refused_in_one_line(value: object) -> None:
    text = BY_NAME["publish_frequency"].problem(value)
    assert text.startswith("publish_frequency must be")
    assert "\n" not in text


@pytest.mark.parametrize("value", [0, 0.0, 50, 50.0, 1000])
def test_sensible_frequencies_are_taken_integers_too(value: float) -> None:
    spec = BY_NAME["publish_frequency"]
    assert spec.problem(value) == ""
    assert isinstance(spec.convert(value), float)


def test_a_value_that_is_not_available_says_why() -> None:
    spec = Spec("law", str, "A law.", default="a", choices=("a",), refused=(("b", "it is gone"),))
    assert spec.problem("b") == "law 'b' is not available: it is gone"


def test_an_unknown_choice_lists_the_known_ones() -> None:
    text = BY_NAME["joint_states_reliability"].problem("sometimes")
    assert "best_effort, reliable" in text


def test_parameters_shared_with_robot_state_publisher_keep_their_names() -> None:
    shared = {"robot_description", "frame_prefix", "publish_frequency", "ignore_timestamp"}
    assert shared <= BY_NAME.keys()
    assert BY_NAME["publish_frequency"].default == 0.0
