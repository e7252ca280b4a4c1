"""What the numbers of a message mean for the joints, worked out once per shape of message."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.conditioner import Samples
from robodyn_ros.conditioning.joint_layout import JointSlots, Layout

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
_GIVEN = Samples._fields.index("position_given")
_DOUBLE = 8


@dataclass(frozen=True, slots=True)
class InputPlan:
    """Where the numbers of messages of one shape go.

    Attributes:
        layout: The names, resolved.
        has_position, has_velocity, has_effort: Whether there are as many as names.
        samples: (4, n) with the flags of what is given set; refilled for each message.
        complaints: What is wrong with every message of this shape.
        is_empty: Whether such a message says nothing of any joint.
        pick: Returns the samples among a message's numbers, in the order of their targets.
        pack: Puts them in their places in `samples`.
        pick_efforts: Returns the efforts of `layout.slots` among a message's numbers.
    """

    layout: Layout
    has_position: bool
    has_velocity: bool
    has_effort: bool
    samples: Floats
    complaints: tuple[Complaint, ...]
    is_empty: bool
    pick: Callable[[Sequence[float]], tuple[float, ...]]
    pack: Callable[..., None]
    pick_efforts: Callable[[Sequence[float]], tuple[float, ...]]

    def fill(self, numbers: Sequence[float]) -> Floats:
        """Return the samples (4, n) of a message; the array is used again for the next."""
        self.pack(*self.pick(numbers))
        return self.samples

    def only(self, samples: Floats, slots: Indices) -> Floats:
        """Return a copy of the samples in which nothing but these slots is given."""
        kept = np.zeros(samples.shape[1])
        kept[slots] = 1.0
        result = samples.copy()
        result[_GIVEN:] *= kept
        return result


def input_plan(
    slots: JointSlots, names: Sequence[str], positions: int, velocities: int, efforts: int
) -> InputPlan:
    """Return the plan for messages with these names and lengths of arrays.

    An array of another length than the names is not used; one complaint gives both lengths.
    """
    layout = slots.layout(names)
    lengths = {"position": positions, "velocity": velocities, "effort": efforts}
    complaints = (*layout.complaints, *_length_complaints(lengths, layout.count))
    has_position = positions == layout.count and layout.count > 0
    has_velocity = velocities == layout.count and layout.count > 0
    has_effort = efforts == layout.count and len(layout.slots) > 0
    count, known = len(slots), layout.slots
    samples = np.zeros((len(Samples._fields), count))
    samples[_GIVEN, known] = float(has_position)
    samples[_GIVEN + 1, known] = float(has_velocity)
    nothing = known[:0]
    position_rows = layout.rows if has_position else nothing
    velocity_rows = layout.rows + positions if has_velocity else nothing
    effort_rows = layout.rows + positions + velocities if has_effort else nothing
    sources = np.concatenate([position_rows, velocity_rows])
    targets = np.concatenate(
        [known if has_position else nothing, known + count if has_velocity else nothing]
    )
    return InputPlan(
        layout=layout,
        has_position=has_position,
        has_velocity=has_velocity,
        has_effort=has_effort,
        samples=samples,
        complaints=complaints,
        is_empty=len(sources) == 0,
        pick=_picker(sources.tolist()),
        pack=_packer(targets.tolist(), samples),
        pick_efforts=_picker(effort_rows.tolist()),
    )


def _picker(sources: list[int]) -> Callable[[Sequence[float]], tuple[float, ...]]:
    """Return what takes these of a message's numbers: a call or two of C, unlike NumPy's way."""
    if not sources:
        return lambda numbers: ()
    first, count = sources[0], len(sources)
    if sources == list(range(first, first + count)):
        return itemgetter(slice(first, first + count))
    return itemgetter(*sources)


def _packer(targets: list[int], samples: Floats) -> Callable[..., None]:
    """Return what stores numbers at rising places of the flattened array, and zeros between."""
    if not samples.size:  # of a robot without joints
        return lambda *numbers: None
    form, end = "=", 0
    for target in targets:
        form += f"{(target - end) * _DOUBLE}xd"
        end = target + 1
    return partial(Struct(form).pack_into, samples.data.cast("B"), 0)


def _length_complaints(lengths: Mapping[str, int], names: int) -> Iterator[Complaint]:
    for kind, count in lengths.items():
        if count not in (0, names):
            text = f"joint state rejected in part: {kind} has {count} entries for {names} names"
            yield Complaint(Severity.WARN, "wrong lengths", text, about=kind, once=False)
