"""The machine that kernels are compiled for."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.layout import ObjectLayout


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
            CompilationError: llvmlite is missing, or the machine has no 64-bit addresses.
        """
        if struct.calcsize("P") != 8:
            raise CompilationError("kernels need a 64-bit interpreter")
        try:
            import llvmlite.binding as llvm
        except ImportError as error:
            raise CompilationError(f"kernels need llvmlite: {error}") from error
        target = cls(
            llvm.get_process_triple(),
            llvm.get_host_cpu_name(),
            llvm.get_host_cpu_features().flatten(),
            1,
            ObjectLayout(),
        )
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
