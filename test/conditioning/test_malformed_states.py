"""100,000 malformed joint states: no exception, nothing that is not finite, memory flat."""

from __future__ import annotations

import math
import resource
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from robodyn_ros import load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_layout import MAX_LAYOUTS
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.state_path import MAX_PLANS, StatePath, Step

pytestmark = pytest.mark.usefixtures("compiling_here")

COUNT = 100_000
DEMO_ARM = Path(__file__).parents[2] / "urdf/demo_arm.urdf"
FAR = 2**31 * 1_000_000_000
"""Beyond what the seconds of a stamp can hold, in ns; nanoseconds may add 4.3 s to that."""
VALUES = (0.0, -0.0, 0.3, -3.14, 1e-320, 1e9, -1.1e9, 1e160, 1e308, math.inf, -math.inf, math.nan)
Message = tuple[list[str], list[float], list[float], int, int]


@pytest.fixture(scope="module")
def path() -> StatePath:
    robot = load(DEMO_ARM, compile="wait")
    return StatePath(robot, FramePlan(robot.model), Settings())


def messages(joints: tuple[str, ...], count: int, seed: int) -> Iterator[Message]:
    """Yield messages of about one thousand shapes, most of them wrong in some way."""
    rng = np.random.default_rng(seed)
    odd = [
        "",
        "x",
        "é",
        "\ud800",
        "säule\n",
        f"{joints[0]}/position",
        joints[0].upper(),
        "n" * 3000,
    ]
    pool = [*joints, *odd]
    shapes = []
    for _ in range(1000):
        names = [pool[k] for k in rng.integers(0, len(pool), rng.integers(0, 9))]
        if rng.random() < 0.5:
            names = [str(name) for name in rng.permutation(joints)]
        n = len(names)
        lengths = [int(rng.choice([n, n, n, 0, 1, n + 1, 40])) for _ in range(3)]
        shapes.append((names, *lengths))
    # Numbers are cut out of three long rows: sane, with a few wild ones, with half of them wild.
    rows = []
    for share in (0.0, 0.02, 0.5):
        numbers = 0.2 * rng.normal(size=20_000)
        wild = rng.random(20_000) < share
        numbers[wild] = rng.choice(VALUES, wild.sum())
        rows.append(numbers.tolist())
    chosen = np.where(rng.random(count) < 0.1, rng.integers(0, 1000, count), np.arange(count) % 7)
    steps = rng.choice([10**6, 10**7, 0, 1, -1, -4 * 10**8, 7 * 10**8], count).tolist()
    places, row = rng.integers(0, 19_800, count).tolist(), rng.integers(0, 3, count).tolist()
    now = 0
    for k, shape in enumerate(chosen.tolist()):
        names, positions, velocities, efforts = shapes[shape]
        values = rows[row[k]][places[k] : places[k] + positions + velocities]
        now = stamp = min(max(now + steps[k], -FAR), FAR)
        if k % 200 == 0:
            stamp = int(rng.choice([0, FAR + 4_294_967_295, -FAR, FAR, 5]))
            now = stamp if k % 400 == 0 else now
        sent = rows[row[k]][places[k] : places[k] + efforts]
        yield names, values[:positions], values[positions:], sent, stamp


def resident() -> int:
    """Return the memory in bytes that this process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def assert_sound(path: StatePath, step: Step) -> None:
    assert np.isfinite(path.bodies()).all()
    assert np.isfinite(path.relative()).all()
    valid, age = path.validity(step.stamp)
    assert valid.dtype == bool
    assert np.isfinite(age).all()
    assert ((age >= 0.0) | (age == -1.0)).all()
    assert not valid[age < 0.0].any()


def test_a_hundred_thousand_malformed_states_harm_nothing(path: StatePath) -> None:
    sent = messages(path.plan.slots.names, COUNT, seed=1)
    published = 0
    for _ in range(3000):
        path.take(*next(sent))
    for k, message in enumerate(sent):
        step = path.take(*message)
        published += step.bodies
        if step.bodies:
            result = path.result
            assert math.isfinite(result.bodies.sum())
            assert math.isfinite(result.relative.sum())
        if k % 50 == 0:
            assert_sound(path, step)
            assert all(reason.isprintable() for _, _, reason in path.troubles(step.stamp))
        if k == COUNT // 5:
            before = resident()
    assert resident() - before < 8e6
    assert published > COUNT / 10
    assert len(path._plans) <= MAX_PLANS
    assert len(path.plan.slots._layouts) <= MAX_LAYOUTS
    assert len(path.plan._children) <= 256


NAMES = st.lists(st.one_of(st.sampled_from(["joint1", "joint2", "x"]), st.text()), max_size=6)
NUMBERS = st.lists(st.one_of(st.floats(), st.sampled_from(VALUES)), max_size=6)
STAMPS = st.one_of(
    st.integers(-FAR, FAR + 4_294_967_295), st.integers(0, 3).map(lambda k: k * 10**7)
)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(NAMES, NUMBERS, NUMBERS, st.integers(0, 7), STAMPS), max_size=10))
def test_whatever_comes_nothing_that_is_not_finite_goes_out(
    path: StatePath, sequence: list[Message]
) -> None:
    known = dict(zip(["joint1", "joint2"], path.plan.slots.names, strict=False))
    for names, position, velocity, efforts, stamp in sequence:
        renamed = [known.get(name, name) for name in names]
        assert_sound(path, path.take(renamed, position, velocity, [0.0] * efforts, stamp))


@pytest.mark.parametrize("ignore_timestamp", [True, False])
def test_after_any_nonsense_clean_states_are_valid_within_a_second(ignore_timestamp: bool) -> None:
    robot = load(DEMO_ARM, compile="wait")
    path = StatePath(robot, FramePlan(robot.model), Settings(ignore_timestamp=ignore_timestamp))
    names = path.plan.slots.names
    for trial in range(20):
        for message in messages(names, 300, seed=trial):
            path.take(*message)
        start = 1_700_000_000_000_000_000 + trial * 10**12
        for k in range(100):
            stamp = start + k * 10_000_000
            position = [0.01 * k + 0.1 * j for j in range(len(names))]
            path.take(names, position, [1.0] * len(names), (), stamp)
        valid, age = path.validity(stamp)
        assert valid.all()
        assert not age.any()
