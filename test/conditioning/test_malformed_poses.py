"""Samples of whole poses with anything in them: no exception, and nothing that is not finite."""

from __future__ import annotations

import math

import numpy as np
import pytest

from base_rig import setup
from multi_dof_rig import Setup
from robodyn_ros.algorithms import body_motion
from robodyn_ros.conditioning.base_sources import ImuSample, OdometrySample
from robodyn_ros.conditioning.multi_dof_input import MultiDofSample
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.description import load_model
from robots import OWN_ROBOTS

COUNT = 1500
SPECIAL = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1e9, -1e9, 1e300, -1e308, 5e-324, math.pi)
NAMES = ("string", "right_shoulder", "hip", "right_wrist", "mount", "nobody", "", "a/string", "\n")
FRAMES = ("rover", "mast", "camera", "arm", "", "elsewhere", "world", "\x1b[2J")


class Source:
    """Numbers, names and stamps of every kind, from one seed."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._now = 10**12

    def numbers(self, count: int) -> np.ndarray:
        """Return numbers that are mostly of order 1, sometimes anything."""
        values = self._rng.normal(size=count)
        if self._rng.random() < 0.4:
            place = self._rng.integers(count)
            values[place] = SPECIAL[self._rng.integers(len(SPECIAL))]
        return values

    def quaternion(self) -> np.ndarray:
        """Return a quaternion that is mostly of norm 1."""
        values = self.numbers(4)
        with np.errstate(all="ignore"):
            return values / np.linalg.norm(values) if self._rng.random() < 0.8 else values

    def vector_or_nothing(self, count: int) -> np.ndarray | None:
        """Return numbers, or None."""
        return None if self._rng.random() < 0.2 else self.numbers(count)

    def text(self, texts: tuple[str, ...]) -> str:
        """Return one of some texts."""
        return texts[self._rng.integers(len(texts))]

    def few(self, most: int = 4) -> int:
        """Return a small number."""
        return int(self._rng.integers(most))

    def stamp(self) -> int:
        """Return a time (ns) that mostly goes on, and sometimes stays, jumps, or is absent."""
        kind = self._rng.random()
        if kind < 0.03:
            return 0
        jump = (10**7, 0, -(10**6), 10**12, -(10**11))[min(4, int(self._rng.exponential(0.5)))]
        self._now = max(1, self._now + jump)
        return self._now


@pytest.mark.parametrize("seed", range(2))
def test_no_multi_dof_joint_state_breaks_anything(seed: int) -> None:
    source = Source(seed)
    model = load_model(OWN_ROBOTS / "every_joint.urdf", base="floating")
    rig = Setup(model, settings=Settings())
    moved = 0
    for _ in range(COUNT):
        names = tuple(source.text((*NAMES, "floating_base")) for _ in range(source.few()))
        count = len(names) if source.few(10) else source.few()
        poses = tuple((*source.numbers(3), *source.quaternion()) for _ in range(count))
        twists = tuple(tuple(source.numbers(6)) for _ in range(count if source.few() else 0))
        stamp = source.stamp()
        sample = MultiDofSample(stamp, names, poses, twists, source.few() if count else 0)
        step = rig.input.take(sample, stamp or 77, rig.settings)
        moved += step.moved.size
        assert all(c.text.isprintable() and len(c.text) < 500 for c in step.complaints)
        assert all(np.isfinite(x).all() for x in rig.states.inputs)
        for usable, reason in zip(rig.states.usable(), rig.states.reasons, strict=True):
            assert usable == (reason == "")
    assert moved > COUNT // 20
    assert np.isfinite(body_motion(model, *rig.states.inputs[:3]).linear_acceleration).all()


@pytest.mark.parametrize("base_input", ["odometry", "imu", "odometry_and_imu"])
@pytest.mark.parametrize("base", ["floating", "prescribed"])
def test_no_odometry_or_imu_breaks_anything(base: str, base_input: str) -> None:
    source = Source(7)
    rig = setup(base_input, base, Settings())
    moved = 0
    for _ in range(COUNT):
        odometry = OdometrySample(
            source.stamp(),
            source.text(FRAMES),
            source.text(FRAMES),
            source.numbers(3),
            source.quaternion(),
            source.numbers(6),
        )
        imu = ImuSample(
            source.stamp(),
            source.text(FRAMES),
            source.quaternion() if source.few() else None,
            source.vector_or_nothing(3),
            source.vector_or_nothing(3),
        )
        for step in (rig.odometry(odometry), rig.imu(imu)):
            moved += step.moved.size
            assert all(c.text.isprintable() and len(c.text) < 500 for c in step.complaints)
            assert all(np.isfinite(x).all() for x in rig.states.inputs)
            assert rig.states.usable()[0] == (rig.states.reasons[0] == "")
    assert moved > COUNT // 20
    assert np.isfinite(rig.bodies().linear_acceleration).all()
