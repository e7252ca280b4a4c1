"""What the numbers of a message mean for the joints, worked out once per shape of message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.conditioner import Samples
from robodyn_ros.conditioning.joint_layout import JointSlots, Layout

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
_GIVEN = Samples._fields.index("position_given")


@dataclass(frozen=True, slots=True)
class InputPlan:
    """Where the numbers of messages of one shape go.

    Attributes:
        layout: The names, resolved.
        has_position, has_velocity: Whether there are as many as names.
        position_rows, velocity_rows: Place in the message's numbers for each slot of the layout.
        sources: Place in the message's numbers of every sample taken.
        targets: Its place in the flattened samples (4, n).
        samples: (4, n) with the flags of what is given set; refilled for each message.
        complaints: What is wrong with every message of this shape.
    """

    layout: Layout
    has_position: bool
    has_velocity: bool
    position_rows: Indices
    velocity_rows: Indices
    sources: Indices
    targets: Indices
    samples: Floats
    flat: Floats
    complaints: tuple[Complaint, ...]

    @property
    def is_empty(self) -> bool:
        """Whether such a message says nothing of any joint."""
        return len(self.sources) == 0

    def fill(self, numbers: Sequence[float]) -> Floats:
        """Return the samples (4, n) of a message; the array is used again for the next."""
        self.flat[self.targets] = np.array(numbers)[self.sources]
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
    count, known = len(slots), layout.slots
    samples = np.zeros((len(Samples._fields), count))
    samples[_GIVEN, known] = float(has_position)
    samples[_GIVEN + 1, known] = float(has_velocity)
    nothing = known[:0]
    position_rows = layout.rows if has_position else nothing
    velocity_rows = layout.rows + positions if has_velocity else nothing
    return InputPlan(
        layout=layout,
        has_position=has_position,
        has_velocity=has_velocity,
        position_rows=position_rows,
        velocity_rows=velocity_rows,
        sources=np.concatenate([position_rows, velocity_rows]),
        targets=np.concatenate(
            [known if has_position else nothing, known + count if has_velocity else nothing]
        ),
        samples=samples,
        flat=samples.reshape(-1),
        complaints=complaints,
    )


def _length_complaints(lengths: Mapping[str, int], names: int) -> Iterator[Complaint]:
    for kind, count in lengths.items():
        if count not in (0, names):
            text = f"joint state rejected in part: {kind} has {count} entries for {names} names"
            yield Complaint(Severity.WARN, "wrong lengths", text, about=kind, once=False)
