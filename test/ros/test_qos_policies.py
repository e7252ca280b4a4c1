"""Which policy it is that keeps two ends apart, against the middleware's own judgement."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rclpy.duration import Duration, Infinite
from rclpy.qos import (
    DurabilityPolicy,
    LivelinessPolicy,
    QoSCompatibility,
    QoSProfile,
    ReliabilityPolicy,
    qos_check_compatible,
)

from robodyn_ros.ros import qos
from robodyn_ros.ros.qos_policies import Shortfall, shortfalls

DURATIONS = st.sampled_from(
    [Duration(), Infinite, Duration(nanoseconds=1), Duration(seconds=1), Duration(seconds=90)]
)
PROFILES = st.builds(
    QoSProfile,
    depth=st.just(1),
    reliability=st.sampled_from([ReliabilityPolicy.RELIABLE, ReliabilityPolicy.BEST_EFFORT]),
    durability=st.sampled_from([DurabilityPolicy.VOLATILE, DurabilityPolicy.TRANSIENT_LOCAL]),
    deadline=DURATIONS,
    liveliness=st.sampled_from([LivelinessPolicy.AUTOMATIC, LivelinessPolicy.MANUAL_BY_TOPIC]),
    liveliness_lease_duration=DURATIONS,
)


def profile(**policies: object) -> QoSProfile:
    return QoSProfile(depth=1, **policies)


def judged(offered: QoSProfile, requested: QoSProfile) -> QoSCompatibility:
    """Return the middleware's judgement, which does not know `Infinite` for the default."""
    for each in offered, requested:
        if each.deadline == Infinite:
            each.deadline = Duration()
        if each.liveliness_lease_duration == Infinite:
            each.liveliness_lease_duration = Duration()
    return qos_check_compatible(offered, requested)[0]


@given(PROFILES, PROFILES)
def test_policies_are_named_when_and_only_when_the_ends_do_not_fit(
    offered: QoSProfile, requested: QoSProfile
) -> None:
    found = shortfalls(offered, requested)
    assert bool(found) == (judged(offered, requested) == QoSCompatibility.ERROR)
    assert "quality of service" not in [each.policy for each in found]


@pytest.mark.parametrize(
    ("offered", "requested", "expected"),
    [
        (
            profile(reliability=ReliabilityPolicy.BEST_EFFORT),
            profile(reliability=ReliabilityPolicy.RELIABLE),
            Shortfall("reliability", "best_effort", "reliable"),
        ),
        (
            profile(durability=DurabilityPolicy.VOLATILE),
            profile(durability=DurabilityPolicy.TRANSIENT_LOCAL),
            Shortfall("durability", "volatile", "transient_local"),
        ),
        (
            profile(),
            profile(deadline=Duration(seconds=0.5)),
            Shortfall("deadline", "no deadline", "a deadline of 0.5 s"),
        ),
        (
            profile(liveliness=LivelinessPolicy.AUTOMATIC),
            profile(liveliness=LivelinessPolicy.MANUAL_BY_TOPIC),
            Shortfall("liveliness", "liveliness automatic", "liveliness manual_by_topic"),
        ),
        (
            profile(liveliness_lease_duration=Duration(seconds=2)),
            profile(liveliness_lease_duration=Duration(seconds=1)),
            Shortfall("liveliness lease", "a liveliness lease of 2 s", "a liveliness lease of 1 s"),
        ),
    ],
)
def test_a_policy_is_put_in_words(
    offered: QoSProfile, requested: QoSProfile, expected: Shortfall
) -> None:
    assert shortfalls(offered, requested) == (expected,)
    assert shortfalls(requested, requested) == ()


def test_no_limit_and_the_default_are_the_same() -> None:
    unlimited = profile(deadline=Infinite, liveliness_lease_duration=Infinite)
    assert shortfalls(profile(), unlimited) == ()
    assert shortfalls(unlimited, profile()) == ()


def test_best_effort_takes_both_kinds_of_publisher() -> None:
    for reliability in ReliabilityPolicy.RELIABLE, ReliabilityPolicy.BEST_EFFORT:
        offered = profile(reliability=reliability)
        assert shortfalls(offered, qos.joint_states("best_effort")) == ()
