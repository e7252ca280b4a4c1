"""A chain of thousands of links loads, is walked and is stored without recursion."""

from __future__ import annotations

import pickle
import time

import numpy as np
import pytest

from robodyn_ros.algorithms import body_motion, jacobian
from robodyn_ros.model import Model
from trees import serial_chain

LENGTH = 5000

#: Seconds; it takes about one on a busy machine, and minutes where something is quadratic.
DEADLINE = 20.0


@pytest.fixture(scope="module")
def chain() -> Model:
    return serial_chain(LENGTH).build()


def test_it_builds_from_either_end_and_rooted_at_either_end() -> None:
    begin = time.monotonic()
    model = serial_chain(LENGTH, backwards=True).build(root=str(LENGTH))
    assert time.monotonic() - begin < DEADLINE
    assert model.parent == (-1, *range(LENGTH))
    assert model.body_names == tuple(str(i) for i in range(LENGTH, -1, -1))


def test_its_sets_are_found(chain: Model) -> None:
    assert chain.parent == (-1, *range(LENGTH))
    assert chain.support(LENGTH) == tuple(range(1, LENGTH + 1))
    assert chain.subtree(1) == tuple(range(1, LENGTH + 1))


def test_it_is_walked(chain: Model) -> None:
    q = np.full(LENGTH, 1e-3)
    motion = body_motion(chain, q, q)
    tip = np.concatenate([motion.angular_velocity[-1], motion.linear_velocity[-1]])
    assert np.isfinite(motion.linear_acceleration).all()
    J = jacobian(chain, q, str(LENGTH))
    assert np.max(np.abs(J @ q - tip)) < 1e-9 * np.max(np.abs(tip))


def test_it_is_named_stored_and_reported(chain: Model) -> None:
    again = pickle.loads(pickle.dumps(chain))
    assert again.fingerprint == chain.fingerprint
    assert chain.report().to_dict()["nv"] == LENGTH
