"""The passive joints of a closed mechanism: completed at the rate of the measured ones.

Which coordinates the others follow from is chosen by what joint states name: the motors where these
are measured. What is measured beyond that is compared, not used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.closed_step import MARGIN, is_closed_by
from robodyn_ros.conditioning.closing import Closer, singular_coordinate
from robodyn_ros.conditioning.complaints import Complaint, Severity, listed
from robodyn_ros.conditioning.dependence import Cluster, clusters_of, partition_by_measured
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.constraints.elimination import partition_of
from robodyn_ros.errors import RobodynError, quoted
from robodyn_ros.model import Model, Partition

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]

NEAR_SINGULAR = 10.0
"""Quotient of the smallest pivot and its limit below which a singular position is near."""


class PassiveJoints:
    """What is known of one closed mechanism beyond its measured joints.

    Attributes:
        model: The model with the partition in use.
        clusters: What follows from what.
        q: (nq,) the last closed configuration.
        is_good: Whether the last message closed.
        reason: Why not.
        closure: (4,) of the last message, see `closed_step.CLOSURE`.
    """

    def __init__(self, model: Model, plan: FramePlan) -> None:
        """Begin closed, as the model does, with nothing measured."""
        self._plan = plan
        self._told = told_coordinates(model)
        self.q: Floats = np.array(model.defaults.q, dtype=np.float64)
        self.is_good, self.reason = True, ""
        self.closure: Floats = np.array([0.0, 0.0, MARGIN, 0.0])
        self._closer = Closer()
        self._controls = {one.v for one in self._told if one.joint.joint.type_name == "control"}
        self._measured: set[int] = set()
        self._zero: Floats = np.zeros(model.nv)
        self._use(model)

    def _use(self, model: Model) -> None:
        """Take a model with another partition."""
        self.model = model
        self.clusters: tuple[Cluster, ...] = clusters_of(model, self._plan, self.q)
        follows: dict[int, list[int]] = {}
        for cluster in self.clusters:
            for body in cluster.bodies:
                follows.setdefault(body, []).extend(cluster.sources.tolist())
        slot_of = {one.v: slot for slot, one in enumerate(self._told)}
        independent = partition_of(model).independent
        for body, joint in model.moving:
            if body in follows:
                own = set(joint.coordinates.columns()).intersection(independent)
                follows[body] += [slot_of[k] for k in own if k in slot_of]
        self._plan.bind(model, follows)
        unsourced = {k for cluster in self.clusters for k in cluster.unsourced}
        self.unsourced = tuple(model.coordinate_names[k] for k in sorted(unsourced))
        self._from_poses: dict[bytes, tuple[Indices, Indices]] = {}

    def inputs(self, rest: tuple[Floats, ...], received: Flags) -> tuple[Floats, ...]:
        """Return q, v, a (and base motion) as inputs of `state_step`.

        Args:
            rest: What poses and controls give, as `MultiDofStates.inputs`.
            received: (m,) which poses were received.
        """
        key = received.tobytes()
        found = self._from_poses.get(key)
        if found is None:
            found = self._from_poses[key] = self._entries_of_poses(received)
        of_q, of_v = found
        state = []
        for last, given, entries in zip(
            (self.q, self._zero, self._zero), rest[:3], (of_q, of_v, of_v), strict=True
        ):
            values = last.copy()
            values[entries] = given[entries]
            state.append(values)
        return (*state, *rest[3:])

    def _entries_of_poses(self, received: Flags) -> tuple[Indices, Indices]:
        """Return the entries of q and of v that poses and controls give."""
        independent = set(partition_of(self.model).independent)
        held = [one for one in self._told if one.v in self._controls & independent]
        of_q, of_v = [one.q for one in held], [one.v for one in held]
        for entry, given in zip(self._plan.multi, received, strict=True):
            columns = range(entry.v.start, entry.v.stop)
            if given and independent.intersection(columns):
                of_q += range(entry.q.start, entry.q.stop)
                of_v += columns
        return np.array(of_q, dtype=np.intp), np.array(of_v, dtype=np.intp)

    def measure(self, slots: Indices) -> Iterator[Complaint]:
        """Note what an input gives, by slot; choose what the others follow from, if need be."""
        columns: set[int] = set()
        for slot in slots.tolist():
            if slot < len(self._told):
                columns.add(self._told[slot].v)
            else:
                entry = self._plan.multi[slot - len(self._told)]
                columns.update(range(entry.v.start, entry.v.stop))
        if columns <= self._measured:
            return
        self._measured |= columns
        before = partition_of(self.model)
        open_ones = set(before.independent) - self._measured
        unused = self._measured.intersection(before.dependent)
        if not open_ones or (open_ones <= self._controls and not unused):
            return
        partition = self._chosen()
        if partition is None or self._worth(partition) <= self._worth(before):
            return
        self._use(self._with(partition))
        yield self._about_choice()

    def _worth(self, partition: Partition) -> tuple[int, int]:
        """Return how many independent coordinates are measured, and how many are given at all."""
        independent = set(partition.independent)
        given = self._measured | self._controls
        return len(independent & self._measured), len(independent & given)

    def _chosen(self) -> Partition | None:
        closure = self.model.closure
        order = (
            [k for k in closure.actuated if k in self._measured],
            sorted(self._measured),
            sorted(self._controls),
            partition_of(self.model).independent,
            (*closure.preferred, *closure.actuated),
        )
        try:
            return partition_by_measured(self.model, self.q, order)
        except RobodynError:
            return None

    def _with(self, partition: Partition) -> Model:
        return replace(self.model, closure=replace(self.model.closure, partition=partition))

    def _about_choice(self) -> Complaint:
        names = self.model.coordinate_names
        independent = [quoted(names[k]) for k in partition_of(self.model).independent]
        text = (
            f"passive joints of robot {quoted(self.model.name)} follow from {listed(independent)},"
            " by what joint states give"
        )
        return Complaint(Severity.INFO, "passive joints", text, about=text)

    def accept(self, closure: Floats, q: Floats) -> bool:
        """Take what a message came to; False where it did not close.

        Args:
            closure: (4,) as in `closed_step.CLOSURE`.
            q: (nq,) coordinates.
        """
        self.closure = closure
        if not is_closed_by(closure):
            return False
        self.q, self.is_good, self.reason = q, True, ""
        return True

    def recover(self, q: Floats) -> bool:
        """Try to close otherwise where a message did not; True where it is to be taken again.

        Args:
            q: (nq,) coordinates, of which the independent ones are measured.
        """
        self.is_good = False
        if not self._closer.is_ready():
            self.reason = self.reason or "the measured values are far from the last state"
            return False
        found = self._closer.attempt(self.model, self.q, q)
        if found.q is None:
            self.reason = found.reason
            return False
        self.q = found.q
        return True

    def rechoose(self) -> bool:
        """Choose anew what is eliminated how, at the last closed configuration; True if it is new.

        The order of elimination that was best elsewhere may fail where the mechanism is regular.
        """
        before = partition_of(self.model)
        partition = self._chosen()
        if partition is None or set(partition.independent) != set(before.independent):
            return False
        if (partition.rows, partition.dependent) == (before.rows, before.dependent):
            return False
        self._use(self._with(partition))
        return True

    def refuse(self, q: Floats) -> None:
        """Note that a message did not close although the mechanism can: it is singular there."""
        self.is_good = False
        self._closer.rest()
        independent = [
            quoted(self.model.coordinate_names[k]) for k in partition_of(self.model).independent
        ]
        self.reason = (
            f"it is in a singular position: {quoted(singular_coordinate(self.model, q))} does not"
            f" follow from {listed(independent)} there"
        )

    def complaints(self) -> Iterator[Complaint]:
        """Yield what there is to say of the last message."""
        if not self.is_good:
            text = (
                f"robot {quoted(self.model.name)} keeps the last state of its passive joints,"
                f" invalid: {self.reason}"
            )
            yield Complaint(Severity.WARN, "not closed", text, once=False)

    def completed(self, moved: Indices, fresh: Flags) -> Iterator[int]:
        """Yield the bodies of passive joints that are where the joints of a message take them.

        Args:
            moved: Slots that the message moves.
            fresh: (n + m,) slots whose values are good and not too old.
        """
        if not self.is_good:
            return
        given = set(moved.tolist())
        for cluster in self.clusters:
            sources = set(cluster.sources.tolist())
            if cluster.unsourced or not sources & given:
                continue
            if sources <= given or fresh[cluster.sources].all():
                yield from cluster.bodies

    def derived(self, usable: Flags, age: Floats) -> tuple[Flags, Floats]:
        """Return validity and age (n + m,) of all, of the passive ones those of their sources."""
        usable, age = usable.copy(), age.copy()
        for cluster in self.clusters:
            good = self.is_good and not cluster.unsourced and usable[cluster.sources].all()
            ages = age[cluster.sources]
            usable[cluster.passive] = good
            age[cluster.passive] = -1.0 if (ages < 0.0).any() else ages.max(initial=0.0)
        return usable, age

    def accelerated(self, known: Flags) -> Flags:
        """Return (n,) whose acceleration is known; passive ones follow from their sources."""
        known = known.copy()
        count = len(known)
        for cluster in self.clusters:
            sources = cluster.sources[cluster.sources < count]
            known[cluster.passive[cluster.passive < count]] = known[sources].all()
        return known

    def explain(self, known: Sequence[tuple[str, float, str]]) -> list[tuple[str, float, str]]:
        """Return name, age and what is wrong of every slot, of passive ones by their sources."""
        told = list(known)
        for cluster in self.clusters:
            sources = [known[slot] for slot in cluster.sources]
            ages = [age for _, age, _ in sources]
            oldest = -1.0 if any(age < 0.0 for age in ages) else max(ages, default=0.0)
            wrong = next((f"follows from {quoted(n)}: {why}" for n, _, why in sources if why), "")
            if cluster.unsourced:
                name = self.model.coordinate_names[cluster.unsourced[0]]
                wrong = f"follows from {quoted(name)}, which nothing gives"
            if not wrong and not self.is_good:
                wrong = self.reason
            for slot in cluster.passive:
                told[slot] = (told[slot][0], oldest, wrong)
        return told

    def missing(self, received: Flags) -> tuple[str, ...]:
        """Return the coordinates that passive joints need and nothing gave so far.

        Args:
            received: (n + m,) slots that something gave.
        """
        names = [
            self._slot_name(slot)
            for cluster in self.clusters
            for slot in cluster.sources.tolist()
            if not received[slot]
        ]
        return tuple(dict.fromkeys([*names, *self.unsourced]))

    def _slot_name(self, slot: int) -> str:
        count = len(self._told)
        return self._told[slot].name if slot < count else self._plan.multi[slot - count].name
