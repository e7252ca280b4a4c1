"""What a stored kernel depends on, as one name."""

from __future__ import annotations

import hashlib
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

    llvm_version = ".".join(str(part) for part in llvm.llvm_version_info)
    return _version("casadi"), _version("llvmlite"), llvm_version


def _version(package: str) -> str:
    """Return what tells one installed version from another, without importing it.

    importlib.metadata would do, but reads the names of all that is installed: a good part of a
    warm start.
    """
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None:
        return "absent"
    origin = Path(spec.origin)
    facts = origin.stat()
    records = sorted(path.name for path in origin.parents[1].glob(f"{package}-*.*-info"))
    return " ".join([*records, f"{facts.st_size} {facts.st_mtime_ns}"])
