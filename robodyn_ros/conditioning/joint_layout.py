"""Joint names of a model as slots, and what one list of names in a message means for them.

A slot is a coordinate that joint states can give: mostly a joint with exactly one, see
`told_coordinates`; slots are numbered in model order. Names of mimic followers, fixed joints and
joints with several coordinates are known but carry no input here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import (
    MAX_SUBJECTS,
    SHOWN,
    Complaint,
    Severity,
    Subject,
    counted,
    listed,
)
from robodyn_ros.errors import quoted

MAX_LAYOUTS = 64
LONGEST_NAME = 1000
"""Characters beyond which no joint is looked for in a name: that takes the square of its length."""
_SEPARATORS = re.compile(r"[/._:-]")


@dataclass(frozen=True, slots=True)
class Layout:
    """One list of names, resolved.

    Attributes:
        count: Number of names.
        rows: Index into the message's arrays, one for every slot named.
        slots: The slots named, each once, in ascending order.
        unknown: Names that the model does not have.
        complaints: What is wrong with the names, for the operator.
    """

    count: int
    rows: NDArray[np.intp]
    slots: NDArray[np.intp]
    unknown: tuple[str, ...]
    complaints: tuple[Complaint, ...]


class JointSlots:
    """The coordinates of one model that a JointState can give."""

    def __init__(
        self,
        names: Sequence[str],
        silent: Sequence[str] = (),
        robot: str = "robot",
        elsewhere: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Number the joints.

        Args:
            names: Of the coordinates, in model order.
            silent: Other joint names of the model; known, but without input.
            robot: The robot's name, for complaints.
            elsewhere: Joints with several coordinates, with how to give those.
        """
        self._elsewhere = dict(elsewhere)
        self.robot = quoted(robot)
        self.names = tuple(names)
        self.silent = frozenset(silent)
        self._slot_of = {name: slot for slot, name in enumerate(self.names)}
        self._layouts: dict[tuple[str, ...], Layout] = {}

    def __len__(self) -> int:
        return len(self.names)

    def layout(self, names: Sequence[str]) -> Layout:
        """Resolve a message's names; the answer for the same names is kept."""
        key = tuple(names)
        found = self._layouts.get(key)
        if found is None:
            if len(self._layouts) >= MAX_LAYOUTS:
                self._layouts.clear()
            found = self._layouts[key] = self._resolve(key)
        return found

    def _resolve(self, names: tuple[str, ...]) -> Layout:
        row_of: dict[int, int] = {}
        unknown: list[str] = []
        repeated: dict[str, None] = {}
        for row, name in enumerate(names):
            slot = self._slot_of.get(name)
            if slot is None:
                if name not in self.silent:
                    unknown.append(name)
                continue
            if slot in row_of:
                repeated[name] = None
            row_of[slot] = row
        unknown = list(dict.fromkeys(unknown))
        slots = np.array(sorted(row_of), dtype=np.intp)
        return Layout(
            count=len(names),
            rows=np.array([row_of[slot] for slot in slots.tolist()], dtype=np.intp),
            slots=slots,
            unknown=tuple(unknown),
            complaints=(
                *self._about_repeated(list(repeated)),
                *self._about_elsewhere(names),
                *self._about_unknown(unknown, len(names)),
            ),
        )

    def _about_repeated(self, names: list[str]) -> Iterator[Complaint]:
        if len(names) > SHOWN:
            more = len(names) - SHOWN
            verb = "is" if more == 1 else "are"
            text = f"{counted(more, 'more joint')} {verb} given more than once in one joint state"
            yield Complaint(Severity.WARN, "repeated names", text)
        for name in names[:SHOWN]:
            yield Complaint(
                Severity.WARN,
                "repeated names",
                f"joint {quoted(name)} is given more than once in one joint state;"
                " the last value counts",
                about=quoted(name),
                subjects=(Subject(name),),
            )

    def _about_elsewhere(self, names: Sequence[str]) -> Iterator[Complaint]:
        for name in dict.fromkeys(names):
            if name in self._elsewhere:
                yield Complaint(
                    Severity.WARN,
                    "several coordinates",
                    f"joint {quoted(name)} has several coordinates: a joint state cannot move it"
                    f" by that name, {self._elsewhere[name]}",
                    about=quoted(name),
                    subjects=(Subject(name),),
                )

    def _about_unknown(self, names: list[str], count: int) -> Iterator[Complaint]:
        if not names:
            return
        meant = {name: self._lookalike(name) for name in names[:MAX_LAYOUTS]}
        for name, known in meant.items():
            if known:
                yield Complaint(
                    Severity.WARN,
                    "names with a prefix or suffix",
                    f"a joint state names {quoted(name)}, which is unknown and ignored; "
                    f"robot {self.robot} has a joint {quoted(known)}",
                    about=quoted(name),
                    subjects=(Subject(name, known),),
                )
        told = listed([quoted(name) for name in names])
        yield Complaint(
            Severity.DEBUG,
            "unknown names",
            f"names in a joint state that robot {self.robot} lacks are ignored: {told}",
            about=told,
            subjects=tuple(Subject(name, meant.get(name, "")) for name in names[:MAX_SUBJECTS]),
        )
        if len(names) == count:
            yield Complaint(
                Severity.WARN,
                "without a known name",
                f"no name in a joint state is a joint of robot {self.robot}: {told}",
                once=False,
            )

    def _lookalike(self, name: str) -> str:
        """Return the joint whose name is in `joint_1/position`, `left_joint_1` and the like."""
        if len(name) > LONGEST_NAME:
            return ""
        for match in _SEPARATORS.finditer(name):
            for part in (name[: match.start()], name[match.end() :]):
                if part in self._slot_of:
                    return part
        return ""
