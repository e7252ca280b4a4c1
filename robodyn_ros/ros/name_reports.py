"""The state publisher's report on names in joint states that the robot does not have."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from robodyn_ros.conditioning.complaints import Complaint, Severity, counted
from robodyn_ros.conditioning.joint_states import NEVER_RECEIVED
from robodyn_ros.errors import nearest, quoted
from robodyn_ros.ros.rates import Mention
from robodyn_ros.ros.reports import Level, Report, listed

Joints = Mapping[str, tuple[float, str]]

MAX_NAMES = 32
"""Unknown names that are listed and for which a joint is looked for."""
MAX_CANDIDATES = 256
"""Joints among which it is looked for."""
LIKENESS = 0.8
"""Share of characters that two names have in common (as `difflib` counts) and that is no accident:
one wrong letter of three is below, one of five above."""
SHORTEST_PART = 3
"""Characters of a name that may stand for a longer one."""


class NameReporter:
    """Finds misspelt joints.

    Many drivers send joints that the robot does not have, which is no trouble. But where a name
    resembles a joint of which nothing ever came, and does so in one report after the other, it is
    most likely that joint.

    Attributes:
        complaints: What is to be logged after a report.
    """

    def __init__(self) -> None:
        self.complaints: tuple[Complaint, ...] = ()
        self._meant: dict[str, str] = {}

    def report(self, unknown: Mapping[str, Mention], joints: Joints) -> Report:
        """Report on the names that came, once a period.

        Args:
            unknown: Names in messages that the robot lacks; for each, perhaps, the joint that is
                written in it.
            joints: Of the robot: age of the last sample, s, and why it is not valid.
        """
        names = sorted(unknown, key=lambda name: unknown[name].recent == 0)
        silent = tuple(name for name, (_, why) in joints.items() if why == NEVER_RECEIVED)
        known = tuple(joints)[:MAX_CANDIDATES]
        values = {"unknown names": str(len(names))}
        meant = {}
        for name in names[:MAX_NAMES]:
            mention = unknown[name]
            missed = nearest_joint(name, silent[:MAX_CANDIDATES])
            if missed and mention.recent:
                meant[name] = missed
            if missed:
                hint = f"did you mean {quoted(missed)}?"
            else:
                near = mention.what or nearest_joint(name, known)
                hint = f"the nearest joint is {quoted(near)}" if near else "resembles no joint"
            count = counted(mention.total, "message")
            values[f"unknown name {quoted(name)}"] = f"{hint} ({count}, {mention.recent} lately)"
        if len(names) > MAX_NAMES:
            values["unknown names not listed"] = str(len(names) - MAX_NAMES)
        lasting = {name: joint for name, joint in meant.items() if self._meant.get(name) == joint}
        self._meant = meant
        return self._about(lasting, len(names), values)

    def explained(self, joints: Joints) -> dict[str, tuple[float, str]]:
        """Return joints with the unknown name that may be meant for each, where there is one."""
        told = {joint: name for name, joint in reversed(self._meant.items())}
        return {
            joint: (age, f"{why}, but {quoted(told[joint])} is" if joint in told else why)
            for joint, (age, why) in joints.items()
        }

    def _about(self, lasting: Mapping[str, str], count: int, values: dict[str, str]) -> Report:
        self.complaints = ()
        if not lasting:
            text = f"{counted(count, 'unknown name')}, ignored" if count else "all names are known"
            return Report("joint names", Level.OK, text, values=values)
        pairs = [
            f"{quoted(name)}: did you mean {quoted(joint)}?" for name, joint in lasting.items()
        ]
        text = (
            "joint states have names that the robot lacks, and not those of joints that they"
            f" resemble: {listed(pairs, len(pairs))}"
        )
        about = " ".join(sorted(lasting))[:1000]
        self.complaints = (Complaint(Severity.WARN, "misspelt names", text, about=about),)
        return Report("joint names", Level.WARN, text, values=values)


@lru_cache(maxsize=256)
def nearest_joint(name: str, among: tuple[str, ...]) -> str:
    """Return the name that one resembles most, "" where it resembles none.

    Letters' case does not count, and one name may be a part of the other.
    """
    near = nearest(name, among, most=1, likeness=LIKENESS)
    if not near or (len(name) < SHORTEST_PART and name.casefold() != near[0].casefold()):
        return ""
    return near[0]
