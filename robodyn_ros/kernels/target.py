"""The machine that kernels are compiled for."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from functools import cache

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.layout import ObjectLayout

OLDEST_LLVM = 20
"""That of llvmlite 0.45, the first whose text has pointers without types."""


@dataclass(frozen=True)
class Target:
    """Everything about machine and interpreter that object code depends on.

    Attributes:
        triple: LLVM's name of architecture and system.
        cpu: LLVM's name of the processor.
        features: LLVM's full list of what it has and has not.
        width: Samples a turn in a batch, a power of two.
        layout: The fields that a single call reads.
    """

    triple: str
    cpu: str
    features: str
    width: int
    layout: ObjectLayout

    @classmethod
    def host(cls, width: int | None = None) -> Target:
        """Return this machine, with `width` or the best width for it.

        Raises:
            CompilationError: llvmlite is missing or too old, or addresses have not 64 bits.
        """
        target = _host()
        return replace(target, width=width or target.native_width)

    def has(self, feature: str) -> bool:
        """Return whether the processor has LLVM's `feature`."""
        return f"+{feature}" in self.features.split(",")

    @property
    def native_width(self) -> int:
        """How many doubles a register holds.

        Twice as many would hide more latency, but spill more: measured on AVX2, slower.
        """
        return 8 if self.has("avx512f") else 4 if self.has("avx") else 2

    @property
    def is_x86(self) -> bool:
        """Whether it is an x86-64 processor."""
        return self.triple.startswith(("x86_64", "amd64"))

    @property
    def fuses(self) -> bool:
        """Whether a fused multiply-add is one instruction (else it is a slow library call)."""
        return not self.is_x86 or self.has("fma")


@cache
def _host() -> Target:
    """Return this machine, for one sample a turn."""
    if struct.calcsize("P") != 8:
        raise CompilationError("kernels need a 64-bit interpreter")
    try:
        import llvmlite.binding as llvm
    except ImportError as error:
        raise CompilationError(f"kernels need llvmlite: {error}") from error
    if llvm.llvm_version_info[0] < OLDEST_LLVM:
        raise CompilationError(
            f"kernels need llvmlite 0.45 or newer, this one has LLVM {llvm.llvm_version_info[0]}"
        )
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return Target(llvm.get_process_triple(), cpu, features, 1, ObjectLayout())
