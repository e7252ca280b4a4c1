"""What a single call computes side by side: which values, in which order, and to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.kernels import chunk
from robodyn_ros.kernels import scalar as sc
from robodyn_ros.kernels.chunk import ChunkPlan
from robodyn_ros.kernels.groups import Grouping, grouped
from robodyn_ros.kernels.program import LEAVES, Program
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.trace import trace

#: On vectors: each operation that groups have, with operands of every kind.
OPERATIONS = {
    "sums": lambda x, y: x + y - x[0],
    "products": lambda x, y: x * y + (x * y) * y[0] - y * x[1],
    "differences of products": lambda x, y: x[2] * y - y[1] * x,
    "quotients": lambda x, y: x / (2.0 + y * y),
    "roots": lambda x, y: sc.sqrt(x * x + y * y) - abs(x),
    "negatives": lambda x, y: -(x * y[0]) / (y + 4.0),
    "numbers": lambda x, y: x * np.arange(1.0, 1.0 + len(x)) + 3.0 * y,
    "choices between": lambda x, y: sc.where(sc.less(x, y), x * y, x - y) * y,
    "one after the other": lambda x, y: np.cumsum(x * y) * y,
    "sines": lambda x, y: sc.sin(x) * y + sc.cos(y) * x,
    "turned round": lambda x, y: (x * y) + (y[::-1] * x[::-1]),
}


@pytest.fixture(params=[2_000, 2])
def cut(request, monkeypatch):
    """Whole and in small pieces."""
    monkeypatch.setattr(chunk, "WHOLE", request.param if request.param > 2 else 0)
    monkeypatch.setattr(chunk, "CHUNK", request.param)


def product(sizes: tuple[int, int, int]) -> Program:
    """Return the program of a matrix product."""
    n, k, m = sizes
    inputs = (("A", (n, k)), ("B", (k, m)))
    return trace(lambda A, B: (A @ B,), Signature("product", inputs, (("C", (n, m)),)))


def assert_order(program: Program, grouping: Grouping) -> None:
    """Every value once, after what it needs, and groups in one piece, one after all it needs."""
    computed = [v for v, i in enumerate(program.instructions) if i.operation not in LEAVES]
    assert sorted(grouping.order) == computed
    place = {v: k for k, v in enumerate(grouping.order)}
    for value in computed:
        group = grouping.groups.get(value, (value,))
        begin = place[group[0]]
        assert [place[v] for v in group] == list(range(begin, begin + len(group)))
        for operand in program.instructions[value].operands:
            assert program.instructions[operand].operation in LEAVES or place[operand] < begin
    for group, operands in grouping.operands.items():
        for lane, value in enumerate(group):
            given = sorted(operand[lane] for operand in operands)
            assert given == sorted(program.instructions[value].operands)


@pytest.mark.usefixtures("cut")
@pytest.mark.parametrize("name", OPERATIONS)
def test_single_calls_equal_batches_to_the_last_bit(kernel_of, name):
    formula, length = OPERATIONS[name], 7
    ports = (("x", (length,)), ("y", (length,)))
    kernel = kernel_of(lambda x, y: (formula(x, y),), ports, (("z", (length,)),), width=4)
    x, y = np.random.default_rng(1).normal(size=(2, 5, length))
    z = np.empty((5, length))
    assert kernel.batch([x, y], [z]) == 0
    expected = [formula(a, b) for a, b in zip(x, y, strict=True)]
    np.testing.assert_allclose(z, expected, rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal([kernel.single(a, b) for a, b in zip(x, y, strict=True)], z)


@pytest.mark.usefixtures("cut")
def test_a_matrix_product(kernel_of):
    kernel = kernel_of(
        lambda A, B: (A @ B, B.T @ B),
        (("A", (5, 6)), ("B", (6, 7))),
        (("C", (5, 7)), ("D", (7, 7))),
        width=4,
    )
    rng = np.random.default_rng(2)
    A, B = rng.normal(size=(3, 5, 6)), rng.normal(size=(3, 6, 7))
    C, D = np.empty((3, 5, 7)), np.empty((3, 7, 7))
    assert kernel.batch([A, B], [C, D]) == 0
    np.testing.assert_allclose(C, A @ B, rtol=1e-13, atol=1e-13)
    for k in range(3):
        flat = kernel.single(A[k], B[k])
        np.testing.assert_array_equal(flat, np.concatenate([C[k].ravel(), D[k].ravel()]))


def test_columns_of_a_product_are_side_by_side() -> None:
    program = product((8, 8, 8))
    grouping = grouped(program)
    assert_order(program, grouping)
    assert {len(group) for group in grouping.operands} == {4}
    assert len(grouping.groups) == program.instruction_count


def test_columns_that_come_about_alike_share_their_spans() -> None:
    """Two columns of sums, four of products: the cut is between them, not after four."""

    def function(x, y):  # type: ignore[no-untyped-def]
        return (np.concatenate([x[:, :2] + y[:, :2], x[:, 2:] * y[:, 2:] * y[0, 0]], axis=1),)

    ports = (("x", (3, 6)), ("y", (3, 6)))
    program = trace(function, Signature("mixed", ports, (("z", (3, 6)),)))
    grouping = grouped(program)
    assert_order(program, grouping)
    fours = {group for group in grouping.operands if len(group) == 4}
    assert {program.outputs[2:6], program.outputs[8:12], program.outputs[14:18]} <= fours


def test_what_waits_for_each_other_is_not_side_by_side() -> None:
    """Each entry takes the one before it: no two can be computed at once."""
    ports = (("x", (8,)), ("y", (8,)))

    def function(x, y):  # type: ignore[no-untyped-def]
        entries = [x[0] * y[0]]
        for k in range(1, 8):
            entries.append(entries[-1] * x[k] + y[k])
        return (np.array(entries, dtype=object),)

    program = trace(function, Signature("chain", ports, (("z", (8,)),)))
    grouping = grouped(program)
    assert_order(program, grouping)
    for group in grouping.operands:
        assert all(program.instructions[v].operation == "mul" for v in group)


@pytest.mark.parametrize("seed", range(8))
def test_order_of_random_programs(seed: int) -> None:
    """Sums and products of whatever came before, in rows."""
    rng = np.random.default_rng(seed)

    def function(x):  # type: ignore[no-untyped-def]
        rows = [x]
        for _ in range(12):
            a, b, c = (rows[k] for k in rng.integers(len(rows), size=3))
            turned = np.roll(a * b, int(rng.integers(3))) - c
            rows.append(np.where(rng.random(6) < 0.8, turned, np.cumsum(turned)))
        return (np.stack(rows[1:]),)

    program = trace(function, Signature("random", (("x", (6,)),), (("z", (12, 6)),)))
    assert_order(program, grouped(program))


def test_slots_of_a_group_are_neighbours_and_aligned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk, "WHOLE", 0)
    monkeypatch.setattr(chunk, "CHUNK", 3)
    plan = ChunkPlan(product((4, 6, 6)), 1)
    crossing = [group for group in plan.grouping.operands if group[0] in plan.slots]
    assert crossing
    for group in crossing:
        slots = [plan.slots[value] for value in group]
        assert slots == list(range(slots[0], slots[0] + len(group)))
        assert slots[0] % len(group) == 0
    assert sorted(plan.slots.values()) == list(range(len(plan.slots)))


def test_lanes_of_several_samples_have_no_groups() -> None:
    assert not ChunkPlan(product((4, 4, 4)), 4).grouping.groups
    assert not ChunkPlan(product((4, 4, 4)), 1, side_by_side=False).grouping.groups


@pytest.mark.parametrize("width", [1, 4])
def test_known_outputs_fill_no_chunk(width: int) -> None:
    """The zeros of a sparse matrix are shared among the chunks, and each is stored once."""

    def mostly_zero(x: np.ndarray) -> tuple[np.ndarray, ...]:
        result = np.zeros((100, 100), dtype=object)
        result[0, 0] = x[0] * x[1]
        return (result,)

    signature = Signature("sparse", (("x", (2,)),), (("z", (100, 100)),))
    plan = ChunkPlan(trace(mostly_zero, signature), width)
    shares = [plan.leaf_tiles(number) for number in range(len(plan.chunks))]
    assert max(map(len, shares)) <= chunk.CHUNK
    assert [tile for share in shares for tile in share] == plan.tiles[-1]
