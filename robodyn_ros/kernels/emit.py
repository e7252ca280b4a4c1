"""The whole LLVM module of a kernel: single call and batch."""

from __future__ import annotations

from robodyn_ros.kernels.batch import Workspace, batch_functions
from robodyn_ros.kernels.check import with_input_check
from robodyn_ros.kernels.chunk import LIBRARY, ChunkPlan, emit_chunks
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


def emit(program: Program, target: Target) -> str:
    """Return LLVM IR with the functions that `ENTRIES` names: single calls and batches.

    Samples one by one and target.width side by side are rounded alike: no fast-math flags, fused
    products chosen beforehand, sine and cosine of one make.
    """
    ready = lowered(program, target)
    parts = [f'target triple = "{target.triple}"', *_library()]
    plans = {}
    for width in sorted({1, target.width}):
        lanes = Lanes(width)
        plans[width] = ChunkPlan(ready, width)
        parts += [lanes.declarations, sincos_function(lanes)]
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


def _library() -> list[str]:
    return [
        f"declare double @{name}({', '.join(['double'] * count)})"
        for name, count in LIBRARY.items()
    ]
