"""What a request's state is made of, and why it is refused; the same for every service."""

from __future__ import annotations

import re

import numpy as np
import pytest

from dynamics_rig import KINDS, Host, ask
from robodyn_ros.errors import ArgumentError, DescriptionError, RobodynError
from robodyn_ros.model import Model
from robots import OWN_ROBOTS, loaded, random_state

NAN, INF = float("nan"), float("inf")
OF_EFFORTS = ("inverse_dynamics", "forward_dynamics")
STATES = (*OF_EFFORTS, "mass_matrix", "jacobian")
WITHOUT_LOCKING = ("inverse_dynamics", "mass_matrix", "jacobian")


@pytest.fixture(scope="module")
def model() -> Model:
    """An arm with followers."""
    return loaded(OWN_ROBOTS / "mimic_chain.urdf")


@pytest.fixture
def host(model: Model) -> Host:
    """Such a robot, nothing measured."""
    return Host(model)


def fields(host: Host, service: str, **changed: object) -> dict[str, object]:
    """Return the fields of a good request, with some changed."""
    nv = host.model.nv
    good: dict[str, object] = {"names": [*host.model.coordinate_names], "position": [0.1] * nv}
    if service == "jacobian":
        good["frame"] = host.model.body_names[-1]
    return {**good, **changed}


def refusal(host: Host, service: str, **changed: object) -> str:
    """Return why a request is refused."""
    with pytest.raises(RobodynError) as error:
        ask(host, service, **fields(host, service, **changed))
    return str(error.value)


@pytest.mark.parametrize("service", STATES)
def test_the_reply_repeats_the_names_in_the_order_asked(host: Host, service: str) -> None:
    names = [*reversed(host.model.coordinate_names)]
    assert ask(host, service, **fields(host, service, names=names)).names == names
    every = ask(host, service, **fields(host, service, names=[]))
    assert every.names == [*host.model.coordinate_names]


@pytest.mark.parametrize("service", STATES)
def test_wrong_lengths_are_refused_with_counts(host: Host, service: str) -> None:
    nv = host.model.nv
    for count in (0, nv - 1, nv + 1):
        text = refusal(host, service, position=[0.0] * count)
        assert f"position has length {count}, but there are {nv} coordinates" in text


@pytest.mark.parametrize(
    ("service", "field"),
    [
        ("inverse_dynamics", "velocity"),
        ("inverse_dynamics", "acceleration"),
        ("forward_dynamics", "velocity"),
        ("forward_dynamics", "effort"),
    ],
)
def test_other_arrays_are_empty_for_zeros_or_whole(host: Host, service: str, field: str) -> None:
    nv = host.model.nv
    text = refusal(host, service, **{field: [0.0] * (nv + 2)})
    assert f"{field} has length {nv + 2}, but there are {nv}" in text
    left = ask(host, service, **fields(host, service))
    given = ask(host, service, **fields(host, service, **{field: [0.0] * nv}))
    assert left == given


@pytest.mark.parametrize("service", STATES)
@pytest.mark.parametrize("value", [NAN, INF, -INF])
def test_what_is_not_finite_is_refused_with_its_coordinate(
    host: Host, service: str, value: float
) -> None:
    position = [0.0] * host.model.nv
    position[1] = value
    name = host.model.coordinate_names[1]
    text = refusal(host, service, position=position)
    assert f"position of {name!r} is {value}" in text
    assert "finite" in text


@pytest.mark.parametrize("service", STATES)
def test_an_unknown_rest_is_refused(host: Host, service: str) -> None:
    assert "rest is 3; use REST_ERROR (0)" in refusal(host, service, rest=3)


@pytest.mark.parametrize("service", STATES)
def test_missing_names_are_an_error_by_default(host: Host, service: str) -> None:
    first, *others = host.model.coordinate_names
    text = refusal(host, service, names=[first], position=[0.0])
    assert f"names lacks {others[0]!r}" in text
    assert "REST_LIVE (1)" in text


@pytest.mark.parametrize("service", STATES)
def test_before_a_model_the_topic_is_named(host: Host, service: str) -> None:
    request = KINDS[service].Request()
    with pytest.raises(DescriptionError, match=r"no model yet: .*/somewhere/robot_description"):
        ask(Host(None), service, request)


@pytest.mark.parametrize("service", WITHOUT_LOCKING)
def test_the_others_take_the_measured_state(host: Host, service: str) -> None:
    model = host.model
    q, v, _ = random_state(model, 5)
    host.measure(q, v)
    name = model.coordinate_names[1]
    moving = service in OF_EFFORTS
    extra: dict[str, object] = {"velocity": [0.7]} if moving else {}
    live = ask(
        host, service, **fields(host, service, names=[name], position=[0.3], rest=1, **extra)
    )
    q, v = q.copy(), v.copy()
    q[1], v[1] = 0.3, 0.7
    whole: dict[str, object] = {"velocity": v.tolist()} if moving else {}
    expected = ask(host, service, **fields(host, service, position=q.tolist(), **whole))
    assert live.names == [name]
    if service == "inverse_dynamics":
        np.testing.assert_allclose(live.effort, [expected.effort[1]], atol=1e-14)
    else:
        rows = 6 if service == "jacobian" else model.nv
        matrix = np.array(expected.matrix).reshape(rows, model.nv)
        part = matrix[:, 1] if service == "jacobian" else matrix[1, 1:2]
        np.testing.assert_array_equal(live.matrix, part)


@pytest.mark.parametrize("service", WITHOUT_LOCKING)
def test_the_others_take_the_neutral_position(host: Host, service: str) -> None:
    model = host.model
    name = model.coordinate_names[0]
    found = ask(host, service, **fields(host, service, names=[name], position=[0.3], rest=2))
    q = host.robot.neutral()  # type: ignore[union-attr]
    q[0] = 0.3
    expected = ask(host, service, **fields(host, service, position=q.tolist()))
    if service == "inverse_dynamics":
        assert found.effort[0] == pytest.approx(expected.effort[0], abs=1e-14)
    else:
        assert found.matrix[0] == expected.matrix[0]


def test_stale_or_missing_joints_are_refused_with_name_and_reason(host: Host) -> None:
    model = host.model
    first, second = model.joint_names[:2]
    host.measure(host.robot.neutral(), np.zeros(model.nv), **{second: "stale: 3.2 s"})  # type: ignore[union-attr]
    text = refusal(host, "mass_matrix", names=[first], position=[0.0], rest=1)
    assert re.search(rf"REST_LIVE .*'{second}': stale: 3.2 s; publish it on joint_states", text)
    # A joint that is named needs no measurement, and in the other way of rest none does.
    rest = [n for n in model.coordinate_names if n != first]
    ask(host, "mass_matrix", names=rest, position=[0.0] * len(rest), rest=1)
    ask(host, "mass_matrix", names=[first], position=[0.0], rest=2)


def test_never_received_is_refused_too(host: Host) -> None:
    first, second = host.model.joint_names[:2]
    text = refusal(host, "inverse_dynamics", names=[first], position=[0.0], rest=1)
    assert f"{second!r}: never received" in text


def test_a_floating_base_takes_the_measured_base() -> None:
    model = loaded(OWN_ROBOTS / "mimic_chain.urdf", "floating")
    host = Host(model)
    q, v, _ = random_state(model, 8)
    host.measure(q, v)
    joints = [n for n in model.coordinate_names if not n.startswith("floating_base")]
    first = len(model.coordinate_names) - len(joints)
    reply = ask(
        host,
        "inverse_dynamics",
        names=joints,
        position=q[first + 1 :].tolist(),
        velocity=v[first:].tolist(),
        rest=1,
    )
    expected = host.robot.inverse_dynamics(q, v)[first:]  # type: ignore[union-attr]
    np.testing.assert_allclose(reply.effort, expected, atol=1e-12)
    host.measure(q, v, floating_base="never received")
    with pytest.raises(ArgumentError, match=r"'floating_base': never received"):
        ask(host, "inverse_dynamics", names=joints, position=[0.0] * len(joints), rest=1)


@pytest.mark.parametrize("service", OF_EFFORTS)
def test_efforts_need_a_gravity_that_is_known(host: Host, service: str) -> None:
    host.surroundings_trouble = "gravity comes from the IMU, which is silent"
    assert "IMU, which is silent" in refusal(host, service)
    ask(host, "mass_matrix", **fields(host, "mass_matrix"))


@pytest.mark.parametrize("service", STATES)
def test_absurd_positions_are_refused(host: Host, service: str) -> None:
    text = refusal(host, service, position=[0.0] * (host.model.nv - 1) + [-2e9])
    name = host.model.coordinate_names[-1]
    assert f"position of {name!r} is -2e+09; give one of at most 1e+09 in size" in text


@pytest.mark.parametrize("service", OF_EFFORTS)
def test_absurd_velocities_are_refused(host: Host, service: str) -> None:
    text = refusal(host, service, velocity=[1e200] * host.model.nv)
    assert "is 1e+200; give one of at most 1e+09" in text


@pytest.mark.parametrize(
    ("service", "field"), [("inverse_dynamics", "acceleration"), ("forward_dynamics", "effort")]
)
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_overflow_is_refused_not_answered(host: Host, service: str, field: str) -> None:
    text = refusal(host, service, **{field: [1.7e308] * host.model.nv})
    assert "not a finite number" in text


@pytest.mark.parametrize("service", STATES)
def test_a_robot_without_coordinates_has_none_to_be_given(service: str) -> None:
    host = Host(loaded(OWN_ROBOTS / "no_coordinates.urdf"))
    options = {"frame": host.model.body_names[-1]} if service == "jacobian" else {}
    assert ask(host, service, **options).names == []
    with pytest.raises(ArgumentError, match="has length 1, but this robot has no coordinate; lea"):
        ask(host, service, position=[0.0], **options)
