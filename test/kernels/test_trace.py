"""A trace keeps exactly the arithmetic that is needed, once."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.fma import contract
from robodyn_ros.kernels.program import LEAVES, Instruction
from robodyn_ros.kernels.scalar import Scalar, arctan2, cos, less, sin, where
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.trace import trace


def traced(function, inputs=("x",), outputs=((),), guard=None):
    signature = Signature(
        "test",
        tuple((name, (3,)) for name in inputs),
        tuple((f"y{k}", shape) for k, shape in enumerate(outputs)),
    )
    return trace(function, signature, guard)


def test_equal_expressions_are_computed_once():
    program = traced(
        lambda x: (np.stack([x[0] * x[1] + sin(x[2]), x[1] * x[0] - sin(x[2])]),), outputs=((2,),)
    )
    counts = program.operation_counts
    assert counts["mul"] == 1
    assert counts["sin"] == 1
    assert counts["cos"] == 0
    assert program.instruction_count == 4


def test_instruction_count_of_a_known_function():
    def rotate_twice(x):
        c, s = cos(x[0]), sin(x[0])
        once = np.stack([c * x[1] - s * x[2], s * x[1] + c * x[2]])
        return (np.stack([c * once[0] - s * once[1], s * once[0] + c * once[1]]),)

    program = traced(rotate_twice, outputs=((2,),))
    assert program.instruction_count == 2 + 2 * 6
    fused = contract(program)
    assert fused.instruction_count == 2 + 2 * 4
    assert fused.operation_counts["mul"] == 4


def test_known_zeros_and_ones_cost_nothing():
    def embedded(x):
        rotation = np.array([[1.0, 0.0, 0.0], [0.0, cos(x[0]), -sin(x[0])], [0.0, sin(x[0]), 0.0]])
        return (rotation @ np.array([1.0, 0.0, 0.0]), rotation @ x)

    program = traced(lambda x: embedded(x.astype(object)), outputs=((3,), (3,)))
    assert program.operation_counts["mul"] == 3
    assert [program.instructions[v].operation for v in program.outputs[:3]] == ["const"] * 3
    assert program.instructions[program.outputs[3]] == Instruction("input", (0, 0))


def test_choice_is_one_instruction():
    program = traced(lambda x: (where(x[0] < x[1], x[2], x[0]),))
    assert program.operation_counts["select"] == 1
    assert program.instruction_count == 2


def test_operands_come_before_their_use(chain_program):
    for value, instruction in enumerate(chain_program.instructions):
        if instruction.operation not in LEAVES:
            assert all(operand < value for operand in instruction.operands)


def test_wrong_results_are_refused_by_name():
    with pytest.raises(CompilationError, match=r"y0 has shape \(2,\), declared \(\)"):
        traced(lambda x: (x[:2],))
    with pytest.raises(CompilationError, match="1 outputs declared, 3 returned"):
        traced(lambda x: (x[0], x[1], x[2]))
    with pytest.raises(CompilationError, match="2 outputs declared, 1 returned"):
        traced(lambda x: (x[0],), outputs=((), ()))
    with pytest.raises(CompilationError, match=r"a verdict must have shape \(\), got \(3,\)"):
        traced(lambda x: (x[0], x))


def test_verdicts_of_function_and_guard_are_added():
    def function(x):
        return x[0], where(less(x[1], 0.0), 1.0, 0.0)

    def guard(x):
        return where(less(x[2], 0.0), 1.0, 0.0)

    assert traced(lambda x: (x[0],)).guard is None
    own = traced(function)
    assert own.instructions[own.guard].operation in ("select", "if_else_zero", "lt")
    both = traced(function, guard=guard)
    assert both.instructions[both.guard].operation == "add"
    assert len(both.outputs) == 1


@pytest.mark.parametrize("batch", [False, True])
def test_a_verdict_refuses_its_sample_alone(kernel_of, batch):
    kernel = kernel_of(
        lambda x: (x / x[..., :1], where(less(abs(x[..., 0]), 1e-9), 1.0, 0.0)),
        (("x", (2,)),),
        (("y", (2,)),),
        guard=lambda x: where(less(x[..., 1], 0.0), 1.0, 0.0),
    )
    rows = np.array([[2.0, 4.0], [0.0, 4.0], [2.0, -4.0], [1.0, 3.0]])
    expected = np.array([[1.0, 2.0], [np.nan] * 2, [np.nan] * 2, [1.0, 3.0]])
    if batch:
        results = np.empty((4, 2))
        assert kernel.batch([rows], [results]) == 2
        np.testing.assert_array_equal(results, expected)
        return
    for row, result in zip(rows, expected, strict=True):
        answer = kernel.single(row)
        if np.isnan(result).any():
            assert answer[0] == "fallback"
        else:
            np.testing.assert_array_equal(answer, result)


def test_foreign_symbols_are_refused():
    stranger = Scalar.symbol("stranger")
    with pytest.raises(CompilationError, match="stranger"):
        traced(lambda x: (x[0] + stranger,))


def test_unknown_operations_are_refused():
    with pytest.raises(CompilationError, match="OP_ERF"):
        traced(lambda x: (Scalar(x[0].expression.erf()),))


def test_branch_is_refused():
    with pytest.raises(CompilationError, match="truth value"):
        traced(lambda x: (x[0] if x[0] > 0 else x[1],))


@pytest.mark.parametrize("guard", [lambda x: x[0] - x[0], lambda x: 0.0, lambda x: arctan2(*x[:2])])
def test_guard_is_a_result(guard):
    program = traced(lambda x: (x[1],), guard=guard)
    assert program.results == (*program.outputs, program.guard)


def test_fusing_leaves_products_that_are_used_twice():
    program = contract(traced(lambda x: (x[0] * x[1] + x[2], x[0] * x[1] - x[2]), outputs=((), ())))
    assert program.operation_counts == {"input": 3, "mul": 1, "add": 1, "sub": 1}


@pytest.mark.parametrize(
    ("function", "operation"),
    [
        (lambda x: x[0] * x[1] + x[2], "fma"),
        (lambda x: x[2] + x[0] * x[1], "fma"),
        (lambda x: x[0] * x[1] - x[2], "fms"),
        (lambda x: x[2] - x[0] * x[1], "fnma"),
        (lambda x: x[0] * x[0] + x[2], "fma"),
    ],
)
def test_fused_forms(function, operation):
    program = contract(traced(lambda x: (function(x),)))
    assert program.operation_counts[operation] == 1
    assert program.instruction_count == 1
