"""The coupling mechanism: a joint's coordinates as functions of the model's, with derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, SECOND_TOLERANCE, derivatives, error
from robodyn_ros.model import AffineFollower, JointCoordinates, OwnCoordinates

COUPLINGS = {
    "own": OwnCoordinates(1, 1, 1, 1),
    "own of several": OwnCoordinates(2, 1, 3, 3),
    "follower": AffineFollower(3, 2, -1.5, 0.25),
}
every_coupling = pytest.mark.parametrize("name", COUPLINGS)


def state() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    return rng.normal(size=6), rng.normal(size=5), rng.normal(size=5)


def test_own_coordinates_are_a_slice() -> None:
    q, v, a = state()
    own = OwnCoordinates(2, 1, 4, 3)
    assert np.array_equal(own.position(q), q[2:6])
    assert np.array_equal(own.velocity(q, v), v[1:4])
    assert np.array_equal(own.acceleration(q, v, a), a[1:4])
    assert own.columns() == (1, 2, 3)
    assert np.array_equal(own.velocity_map(q), np.eye(3))


def test_a_follower_is_affine_in_its_driver() -> None:
    q, v, a = state()
    follower = AffineFollower(3, 2, -1.5, 0.25)
    assert follower.position(q).tolist() == [-1.5 * q[3] + 0.25]
    assert follower.velocity(q, v).tolist() == [-1.5 * v[2]]
    assert follower.acceleration(q, v, a).tolist() == [-1.5 * a[2]]
    assert follower.columns() == (2,)
    assert follower.velocity_map(q).tolist() == [[-1.5]]


@every_coupling
def test_rates_are_the_map_times_the_models_rates(name: str) -> None:
    coupling = COUPLINGS[name]
    q, v, _ = state()
    mapped = coupling.velocity_map(q) @ v[list(coupling.columns())]
    assert error(coupling.velocity(q, v), mapped) < 1e-15


@pytest.mark.parametrize("name", ["own", "follower"])
def test_velocity_and_acceleration_are_derivatives(name: str) -> None:
    """Here dq/dt = v holds where the model's q and v have the same entries but one behind."""
    coupling = COUPLINGS[name]
    q, v, a = state()
    shift = coupling.q_index - coupling.v_index

    def along(t: np.ndarray) -> np.ndarray:
        t = t[:, None]
        moved = np.repeat(q[None], t.size, axis=0)
        moved[:, shift : shift + 5] += v * t + 0.5 * a * t * t
        return coupling.position(moved)

    first, second = derivatives(along)
    assert error(coupling.velocity(q, v), first) < FIRST_TOLERANCE
    assert error(coupling.acceleration(q, v, a), second) < SECOND_TOLERANCE


@every_coupling
def test_batches_equal_singles(name: str) -> None:
    coupling: JointCoordinates = COUPLINGS[name]
    states = [np.stack([x, 2.0 * x, -x]) for x in state()]
    for row in range(3):
        q, v, a = (x[row] for x in states)
        assert np.array_equal(coupling.position(states[0])[row], coupling.position(q))
        assert np.array_equal(coupling.velocity(*states[:2])[row], coupling.velocity(q, v))
        whole = coupling.acceleration(*states)
        assert np.array_equal(whole[row], coupling.acceleration(q, v, a))
