"""The whole LLVM module of a kernel: single call and batch."""

from __future__ import annotations

from collections.abc import Callable

from robodyn_ros.kernels.arctangent import atan2_function
from robodyn_ros.kernels.batch import Workspace, batch_functions
from robodyn_ros.kernels.check import with_input_check
from robodyn_ros.kernels.chunk import ChunkPlan, emit_chunks
from robodyn_ros.kernels.exponential import exp_function, log_function, pow_function
from robodyn_ros.kernels.fma import contract
from robodyn_ros.kernels.lanes import Lanes
from robodyn_ros.kernels.program import Program
from robodyn_ros.kernels.row_call import row_call_functions
from robodyn_ros.kernels.sharing import sharing_functions
from robodyn_ros.kernels.sincos import sincos_function
from robodyn_ros.kernels.target import Target
from robodyn_ros.kernels.trampoline import call_function

ENTRIES = ("call", "rows", "serve", "worker")
"""Functions that are called from outside: see :mod:`trampoline`, :mod:`row_call`,
:mod:`sharing`."""

_FUNCTIONS: tuple[tuple[tuple[str, ...], Callable[[Lanes], str]], ...] = (
    (("sin", "cos"), sincos_function),
    (("atan2",), atan2_function),
    (("exp",), exp_function),
    (("log",), log_function),
    (("pow",), pow_function),
)
"""Operations and the text of the function that computes them."""


def emit(program: Program, target: Target) -> str:
    """Return LLVM IR with the functions that `ENTRIES` names: single calls and batches.

    Samples one by one and target.width side by side are rounded alike: no fast-math flags, fused
    products chosen beforehand, sines, exponentials and the like of one make.
    """
    ready = lowered(program, target)
    parts = [f'target triple = "{target.triple}"']
    plans = {}
    for width in sorted({1, target.width}):
        lanes = Lanes(width)
        plans[width] = ChunkPlan(ready, width)
        parts += [lanes.declarations, *_functions(ready, lanes)]
        parts.append(emit_chunks(ready, plans[width], lanes))
    parts.append(call_function(ready, plans[1], target.layout))
    fence = pause = ""
    if target.is_x86:
        parts.append("declare void @llvm.x86.sse.sfence()\ndeclare void @llvm.x86.sse2.pause()")
        fence, pause = "call void @llvm.x86.sse.sfence()", "call void @llvm.x86.sse2.pause()"
    lanes, plan = Lanes(target.width), plans[target.width]
    parts.append(batch_functions(ready, plan, lanes, fence))
    parts.append(sharing_functions(program, Workspace(ready, plan, lanes), pause))
    parts.append(row_call_functions(program, target.layout))
    return "\n".join(parts)


def lowered(program: Program, target: Target) -> Program:
    """Return `program` as it is emitted: with the check of its inputs, products fused."""
    checked = with_input_check(program)
    return contract(checked) if target.fuses else checked


def _functions(program: Program, lanes: Lanes) -> list[str]:
    """Return the texts of the elementary functions that `program` calls."""
    used = {instruction.operation for instruction in program.instructions}
    return [text(lanes) for operations, text in _FUNCTIONS if not used.isdisjoint(operations)]
