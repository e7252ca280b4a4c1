"""Requests from Python values: names, choices, and values that make no request."""

from __future__ import annotations

import numpy as np
import pytest
from robodyn_interfaces.srv import ForwardDynamics, InverseDynamics

from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.ros.client_requests import (
    payload_message,
    state_fields,
    unnamed_field,
    wrench_messages,
)
from robodyn_ros.ros.client_results import Efforts


def test_a_mapping_says_names_and_order() -> None:
    fields = state_fields({"b": 2.0, "a": 1}, None, "live", velocity={"a": 3.0})
    request = InverseDynamics.Request(**fields)
    assert request.names == ["b", "a"]
    assert [*request.position] == [2.0, 1.0]
    assert [*request.velocity] == [0.0, 3.0]
    assert [*request.acceleration] == []
    assert request.rest == InverseDynamics.Request.REST_LIVE


def test_sequences_are_in_the_order_of_the_names() -> None:
    fields = state_fields(np.array([1.0, 2.0]), ["a", "b"], "error", velocity=(3, 4))
    request = InverseDynamics.Request(**fields)
    assert request.names == ["a", "b"]
    assert [*request.velocity] == [3.0, 4.0]
    assert state_fields([1.0], None, "error")["names"] == []


def test_choices_are_those_of_the_interfaces() -> None:
    kind = InverseDynamics.Request
    numbers = [state_fields([], None, rest)["rest"] for rest in ("error", "live", "neutral")]
    assert numbers == [kind.REST_ERROR, kind.REST_LIVE, kind.REST_NEUTRAL]
    forward = ForwardDynamics.Request
    assert unnamed_field("locked") == forward.LOCKED
    assert unnamed_field("zero_effort") == forward.ZERO_EFFORT
    with pytest.raises(ArgumentError, match=r"rest must be one of 'error'.*got 'lvie'"):
        state_fields([], None, "lvie")
    with pytest.raises(ArgumentError, match=r"unnamed must be one of 'locked'"):
        unnamed_field("free")


def test_what_makes_no_request_is_refused() -> None:
    with pytest.raises(ArgumentError, match="leave out names"):
        state_fields({"a": 1.0}, ["a"], "error")
    with pytest.raises(ArgumentError, match="velocity is by name, so position must be too"):
        state_fields([1.0], None, "error", velocity={"a": 1.0})
    with pytest.raises(UnknownNameError, match=r"\(velocity\) is called 'c'; available: a, b"):
        state_fields({"a": 1.0, "b": 2.0}, None, "error", velocity={"c": 1.0})
    with pytest.raises(ArgumentError, match="position must have one axis"):
        state_fields([[1.0]], None, "error")
    with pytest.raises(ArgumentError, match="position must be real numbers"):
        state_fields(["x"], None, "error")


def test_wrenches_have_the_moment_first() -> None:
    (message,) = wrench_messages({"tool0": [1, 2, 3, 4, 5, 6]})
    assert message.header.frame_id == "tool0"
    torque, force = message.wrench.torque, message.wrench.force
    assert (torque.x, torque.y, torque.z) == (1.0, 2.0, 3.0)
    assert (force.x, force.y, force.z) == (4.0, 5.0, 6.0)
    assert wrench_messages(None) == []
    with pytest.raises(ArgumentError, match=r"external_wrenches\['tool0'\] must have shape \(6,\)"):
        wrench_messages({"tool0": [1, 2, 3]})


def test_payloads_are_taken_as_the_library_takes_them() -> None:
    inertia = [[1, 2, 3], [2, 4, 5], [3, 5, 6]]
    load = payload_message("hand", np.float64(2), (1, 2, 3), inertia, None)
    assert (load.name, load.frame_id, load.mass) == ("", "hand", 2.0)
    moments = load.inertia
    assert [moments.ixx, moments.ixy, moments.ixz] == [1.0, 2.0, 3.0]
    assert [moments.iyy, moments.iyz, moments.izz] == [4.0, 5.0, 6.0]
    assert payload_message("hand", 1, (0, 0, 0), None, "x").inertia.izz == 0.0
    with pytest.raises(ArgumentError, match="inertia must be symmetric"):
        payload_message("hand", 1, (0, 0, 0), [[1, 2, 3], [0, 4, 5], [3, 5, 6]], None)
    with pytest.raises(ArgumentError, match=r"com must have shape \(3,\)"):
        payload_message("hand", 1, (0, 0), None, None)


def test_results_by_name() -> None:
    reply = InverseDynamics.Response(names=["b", "a"], effort=[1.0, 2.0], gravity=[3.0, 4.0])
    efforts = Efforts.of(reply)._replace(coriolis=np.zeros(2))
    assert efforts.by_name() == {"b": 1.0, "a": 2.0}
    assert efforts.by_name("gravity") == {"b": 3.0, "a": 4.0}
    with pytest.raises(UnknownNameError, match="no term is called 'gravitas'; available: gravity"):
        efforts.by_name("gravitas")
