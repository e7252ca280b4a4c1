"""In which policies of its quality of service a publisher falls short of a subscription."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rclpy.duration import Duration
from rclpy.qos import (
    DurabilityPolicy,
    LivelinessPolicy,
    QoSCompatibility,
    QoSProfile,
    ReliabilityPolicy,
    qos_check_compatible,
)

from robodyn_ros.conditioning.complaints import one_line

_FOREVER = 2**63 - 1


class Shortfall(NamedTuple):
    """A policy of which more is asked for than is offered, so that nothing is received.

    Attributes:
        policy: Name of the policy.
        offered: What the publisher offers, in words.
        requested: What the subscription asks for, in words.
    """

    policy: str
    offered: str
    requested: str


def shortfalls(offered: QoSProfile, requested: QoSProfile) -> tuple[Shortfall, ...]:
    """Return where a publisher's profile falls short of a subscription's; () where it serves.

    The middleware in use judges whether it serves; it names the policies in prose of its own only,
    so they are found here.
    """
    offered, requested = _unlimited_as_default(offered), _unlimited_as_default(requested)
    verdict, reason = qos_check_compatible(offered, requested)
    if verdict != QoSCompatibility.ERROR:
        return ()
    found = (*_levels(offered, requested), *_times(offered, requested))
    return found or (Shortfall("quality of service", one_line(reason), "another one"),)


def _unlimited_as_default(profile: QoSProfile) -> QoSProfile:
    """Return a profile with its unlimited times as 0, the default, which says the same.

    The judgement above takes them for something else, and discovery turns one into the other.
    """
    return QoSProfile(
        depth=1,
        reliability=profile.reliability,
        durability=profile.durability,
        deadline=_default_if_unlimited(profile.deadline),
        liveliness=profile.liveliness,
        liveliness_lease_duration=_default_if_unlimited(profile.liveliness_lease_duration),
    )


def _default_if_unlimited(duration: Duration) -> Duration:
    return duration if _nanoseconds(duration) < _FOREVER else Duration()


def _levels(offered: QoSProfile, requested: QoSProfile) -> Iterator[Shortfall]:
    if (offered.reliability, requested.reliability) == (
        ReliabilityPolicy.BEST_EFFORT,
        ReliabilityPolicy.RELIABLE,
    ):
        yield Shortfall("reliability", "best_effort", "reliable")
    if (offered.durability, requested.durability) == (
        DurabilityPolicy.VOLATILE,
        DurabilityPolicy.TRANSIENT_LOCAL,
    ):
        yield Shortfall("durability", "volatile", "transient_local")
    if (offered.liveliness, requested.liveliness) == (
        LivelinessPolicy.AUTOMATIC,
        LivelinessPolicy.MANUAL_BY_TOPIC,
    ):
        yield Shortfall("liveliness", "liveliness automatic", "liveliness manual_by_topic")


def _times(offered: QoSProfile, requested: QoSProfile) -> Iterator[Shortfall]:
    pairs = {
        "deadline": (offered.deadline, requested.deadline),
        "liveliness lease": (
            offered.liveliness_lease_duration,
            requested.liveliness_lease_duration,
        ),
    }
    for policy, (given, asked) in pairs.items():
        if _nanoseconds(given) > _nanoseconds(asked):
            yield Shortfall(policy, _in_words(policy, given), _in_words(policy, asked))


def _nanoseconds(duration: Duration) -> int:
    """Return a duration in ns; 0 stands for the default, which is forever."""
    return duration.nanoseconds or _FOREVER


def _in_words(policy: str, duration: Duration) -> str:
    time = _nanoseconds(duration)
    return f"no {policy}" if time >= _FOREVER else f"a {policy} of {time * 1e-9:g} s"
