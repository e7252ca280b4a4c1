"""Groups of like instructions, which a single call computes side by side in one register.

Entries that are neighbours in an output's row mostly come about in the same way: columns of a
matrix product, say. Four (or two) values of one operation, whose operands are again such groups,
numbers that they share, or cheap to gather, become one vector instruction. Each lane rounds as the
lone instruction would, so that nothing changes but speed and the size of the code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from robodyn_ros.kernels.lanes import GROUP_SIZES
from robodyn_ros.kernels.program import LEAVES, Instruction, Program

Group = tuple[int, ...]
"""Values of one operation, lane by lane."""

_GROUPED = frozenset({"add", "sub", "mul", "div", "neg", "sqrt", "fabs", "fma", "fms", "fnma"})
_EXCHANGEABLE = frozenset({"add", "mul", "fma", "fms", "fnma"})
"""Operations whose first two operands may be exchanged without another rounding."""
_LIKENESS = 2
"""How deep two values' formulas are compared before they are tried in one group."""
_SHARED = 0.25
"""What a number that all lanes share costs, in instructions: it is fetched once for many."""
_SWEEPS = 12


@dataclass
class Grouping:
    """Which values of a program are computed side by side, and in which order all are.

    Attributes:
        groups: The group of each value that is in one.
        operands: Of each group, its operands lane by lane.
        order: Every computed value once, operands first, the members of a group together.
    """

    groups: dict[int, Group] = field(default_factory=dict)
    operands: dict[Group, tuple[Group, ...]] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)

    def drop(self, group: Group) -> None:
        """Compute the members of `group` one by one."""
        del self.operands[group]
        for value in group:
            del self.groups[value]


def grouped(program: Program) -> Grouping:
    """Return the groups of `program` that pay."""
    grouping = Grouping()
    likeness = _likeness(program)
    for seed in _seeds(program, likeness):
        _grow(program, grouping, likeness, seed)
    _keep_what_pays(program, grouping)
    while circles := _circles(program, grouping):
        for group in circles:
            grouping.drop(group)
    grouping.order = [v for unit in _sorted_units(program, grouping) for v in unit]
    return grouping


def _likeness(program: Program) -> list[int]:
    """Return a number for each value that is equal where the last steps to it are alike."""
    names: dict[str, int] = {}
    for instruction in program.instructions:
        names.setdefault(instruction.operation, len(names))
    steps = [names[i.operation] for i in program.instructions]
    found = steps
    for _ in range(_LIKENESS):
        found = [
            step
            if instruction.operation in LEAVES
            else hash((step, *sorted(found[o] for o in instruction.operands)))
            for step, instruction in zip(steps, program.instructions, strict=True)
        ]
    return found


def _seeds(program: Program, likeness: list[int]) -> Iterator[Group]:
    """Yield neighbours in the rows of outputs that look alike."""
    start = 0
    ports = zip(program.signature.outputs, program.signature.output_sizes, strict=True)
    for (_, shape), size in ports:
        entries = program.outputs[start : start + size]
        start += size
        if not size or not shape:
            continue
        length = shape[-1]
        rows = [entries[k : k + length] for k in range(0, size, length)]
        spans = _spans(program, rows, likeness)
        yield from (row[begin:end] for row in rows for begin, end in spans)


def _spans(program: Program, rows: list[Group], likeness: list[int]) -> list[tuple[int, int]]:
    """Cut columns into spans of a group's size, the same in all rows, where most are alike."""
    length = len(rows[0])
    best: list[tuple[int, list[tuple[int, int]]]] = [(0, [])]
    for end in range(1, length + 1):
        choices = [best[end - 1]]
        for size in GROUP_SIZES:
            begin = end - size
            if begin >= 0:
                alike = sum(_alike(program, row[begin:end], likeness) for row in rows)
                saved, spans = best[begin]
                choices.append((saved + alike * (size - 1), [*spans, (begin, end)]))
        best.append(max(choices, key=lambda choice: choice[0]))
    return best[length][1]


def _alike(program: Program, values: Group, likeness: list[int]) -> bool:
    first = likeness[values[0]]
    return (
        program.instructions[values[0]].operation in _GROUPED
        and all(likeness[v] == first for v in values)
        and len(set(values)) == len(values)
    )


def _grow(program: Program, grouping: Grouping, likeness: list[int], seed: Group) -> None:
    """Make a group of `seed` and of its operands, as deep as they are alike."""
    waiting = [seed]
    while waiting:
        group = waiting.pop()
        operations = {program.instructions[v].operation for v in group}
        if (
            len(operations) != 1
            or not operations <= _GROUPED
            or len(set(group)) != len(group)
            or any(v in grouping.groups or v == program.guard for v in group)
        ):
            continue
        operands = _aligned(program, group, likeness)
        grouping.operands[group] = operands
        grouping.groups.update(dict.fromkeys(group, group))
        waiting += operands


def _aligned(program: Program, group: Group, likeness: list[int]) -> tuple[Group, ...]:
    """Return the operands of a group lane by lane, exchanged where that makes them more alike."""
    instructions = program.instructions
    first = instructions[group[0]].operands
    lanes = [first]
    for value in group[1:]:
        operation, operands = instructions[value].operation, instructions[value].operands
        if operation in _EXCHANGEABLE:
            turned = (operands[1], operands[0], *operands[2:])
            if _match(first, turned, likeness) > _match(first, operands, likeness):
                operands = turned
        lanes.append(operands)
    return tuple(zip(*lanes, strict=True))


def _match(these: Group, those: Group, likeness: list[int]) -> int:
    return sum(
        3 * (a == b) + (likeness[a] == likeness[b]) for a, b in zip(these, those, strict=True)
    )


def _keep_what_pays(program: Program, grouping: Grouping) -> None:
    """Drop groups that cost more than they save: to gather operands, and to take lanes out."""
    lone_uses = Counter(program.results)
    for value, instruction in enumerate(program.instructions):
        if value not in grouping.groups and instruction.operation not in LEAVES:
            lone_uses.update(instruction.operands)
    for _ in range(_SWEEPS):
        uses = Counter(o for operands in grouping.operands.values() for o in operands)
        losing = [
            group
            for group, operands in grouping.operands.items()
            if sum(_cost(program, grouping, o) / uses[o] for o in operands)
            + any(lone_uses[v] for v in group)
            > len(group) - 1 + (len(group) if uses[group] else 0)
        ]
        if not losing:
            return
        for group in losing:
            grouping.drop(group)
            for value in group:
                lone_uses.update(program.instructions[value].operands)


def _cost(program: Program, grouping: Grouping, operand: Group) -> float:
    """Return what it costs, in instructions, to have an operand's lanes in one register."""
    if operand in grouping.operands:
        return 0.0
    instructions = [program.instructions[v] for v in operand]
    if all(i.operation == "const" for i in instructions):
        return 0.0
    is_one = len(set(operand)) == 1 or _neighbours(instructions)
    return _SHARED if is_one else float(len(operand))


def _neighbours(instructions: list[Instruction]) -> bool:
    """Return whether these are inputs that lie one after the other."""
    if any(i.operation != "input" for i in instructions):
        return False
    port, begin = instructions[0].operands
    return all(i.operands == (port, begin + lane) for lane, i in enumerate(instructions))


def _units(program: Program, grouping: Grouping) -> list[Group]:
    """Return groups and lone values, each at its last member's place."""
    units = []
    for value, instruction in enumerate(program.instructions):
        if instruction.operation not in LEAVES:
            group = grouping.groups.get(value, (value,))
            if value == max(group):
                units.append(group)
    return units


def _needs(program: Program, grouping: Grouping, unit: Group) -> set[Group]:
    """Return the units that `unit` waits for."""
    return {
        grouping.groups.get(o, (o,))
        for v in unit
        for o in program.instructions[v].operands
        if program.instructions[o].operation not in LEAVES
    }


def _sorted_units(program: Program, grouping: Grouping) -> list[Group]:
    """Return all units after those that they need, else in the program's order."""
    units = _units(program, grouping)
    place = {unit: k for k, unit in enumerate(units)}
    users: list[list[int]] = [[] for _ in units]
    missing = []
    for k, unit in enumerate(units):
        needs = _needs(program, grouping, unit)
        missing.append(len(needs))
        for other in needs:
            users[place[other]].append(k)
    ready = [k for k, count in enumerate(missing) if count == 0]
    heapify(ready)
    found = []
    while ready:
        k = heappop(ready)
        found.append(units[k])
        for user in users[k]:
            missing[user] -= 1
            if missing[user] == 0:
                heappush(ready, user)
    return found


def _circles(program: Program, grouping: Grouping) -> list[Group]:
    """Return the groups that wait for each other, and those between two such circles."""
    left = set(_units(program, grouping)) - set(_sorted_units(program, grouping))
    needs = {unit: _needs(program, grouping, unit) & left for unit in left}
    waiting_for = Counter(other for others in needs.values() for other in others)
    last = [unit for unit in left if not waiting_for[unit]]
    while last:
        unit = last.pop()
        left.discard(unit)
        for other in needs[unit]:
            waiting_for[other] -= 1
            if not waiting_for[other]:
                last.append(other)
    return [unit for unit in left if len(unit) > 1]
