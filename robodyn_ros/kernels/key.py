"""What a stored kernel depends on, as one name."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from robodyn_ros.kernels.target import Target

_OWN = "robodyn_ros.kernels"


def kernel_key(content: str, rooms: Iterable[str], target: Target) -> str:
    """Return the key of a kernel: another key wherever another object code could come out.

    Args:
        content: Whatever tells one traced program from another: kernel name, model digest.
        rooms: Packages whose sources the trace runs through, as dotted names; kernels' own is
            always counted.
        target: The machine, with the width of a batch.
    """
    parts = [
        content,
        *(source_digest(room) for room in sorted({*rooms, _OWN})),
        *_versions(),
        repr(target),
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def source_digest(package: str) -> str:
    """Return a digest of a package's Python sources, names and contents."""
    spec = importlib.util.find_spec(package)
    digest = hashlib.sha256()
    for location in (spec.submodule_search_locations or ()) if spec else ():
        for path in sorted(Path(location).rglob("*.py")):
            digest.update(f"{path.relative_to(location)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@cache
def _versions() -> tuple[str, ...]:
    import llvmlite.binding as llvm

    return (
        _version("casadi"),
        _version("llvmlite"),
        ".".join(str(part) for part in llvm.llvm_version_info),
    )


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "absent"
