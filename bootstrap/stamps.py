"""Stamps: what has been done, from which inputs, so that it is done again only when they change."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def digest(parts: Iterable[str | Path]) -> str:
    """Return the hash of texts and of files or whole directories (names and contents)."""
    total = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            total.update(b"text\0" + part.encode() + b"\0")
            continue
        for file in _files(part):
            total.update(b"file\0" + str(file.relative_to(part.parent)).encode() + b"\0")
            total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(p for p in path.rglob("*") if p.is_file() and "__pycache__" not in p.parts)


class Stamps:
    """The stamps of one virtual environment, one small file for each step."""

    def __init__(self, directory: Path) -> None:
        """Keep the stamps in `directory`, which need not exist yet."""
        self.directory = directory

    def is_current(self, step: str, inputs: str) -> bool:
        """Tell whether `step` was finished with these inputs (a digest)."""
        file = self.directory / f"{step}.stamp"
        return file.is_file() and file.read_text(encoding="ascii") == inputs

    def forget(self, step: str) -> None:
        """Mark `step` as not done; call this before its work begins."""
        (self.directory / f"{step}.stamp").unlink(missing_ok=True)

    def record(self, step: str, inputs: str) -> None:
        """Mark `step` as done with these inputs (a digest)."""
        self.directory.mkdir(parents=True, exist_ok=True)
        (self.directory / f"{step}.stamp").write_text(inputs, encoding="ascii")
