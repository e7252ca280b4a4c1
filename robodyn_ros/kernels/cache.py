"""Compiled kernels kept between runs, in a directory that nobody else can write to.

What is loaded from here is executed. So the directory must belong to this user and must not be
writable by others; it is never a shared temporary one, and without a home there is none.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.compiled import CompiledKernel
from robodyn_ros.kernels.notice import warn_once

KEPT = 256
"""So many kernels are kept; the longest unused go first."""

_SUFFIX = ".kernel"


class Cache:
    """A directory of kernels by key.

    Nothing here raises: what cannot be read or written counts as absent, with one warning where
    the operator should know.
    """

    def __init__(self, directory: Path) -> None:
        """Use `directory`; it is made, with mode 0700, when the first kernel is stored."""
        self.directory = directory

    @classmethod
    def default(cls) -> Cache | None:
        """Return the user's ``$XDG_CACHE_HOME/robodyn_ros``.

        None for a user without home, and where files have no owner and mode to check.
        """
        base, home = (Path(os.environ.get(name, "")) for name in ("XDG_CACHE_HOME", "HOME"))
        if os.name != "posix":
            return None
        if base.is_absolute():
            return cls(base / "robodyn_ros")
        return cls(home / ".cache" / "robodyn_ros") if home.is_absolute() else None

    def get(self, key: str) -> CompiledKernel | None:
        """Return the kernel stored under `key`; None if there is none or it is damaged."""
        try:
            with self._opened() as directory:
                file = os.open(_name(key), os.O_RDONLY | os.O_NOFOLLOW, dir_fd=directory)
                with os.fdopen(file, "rb") as stream:
                    content = stream.read()
                    os.utime(stream.fileno())
        except OSError:
            return None
        try:
            return CompiledKernel.from_bytes(content)
        except CompilationError:
            return None

    def put(self, key: str, kernel: CompiledKernel) -> None:
        """Store `kernel` under `key`, whole or not at all."""
        temporary = f".{secrets.token_hex(8)}.tmp"
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._opened() as directory:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
                try:
                    file = os.open(temporary, flags, 0o600, dir_fd=directory)
                    with os.fdopen(file, "wb") as stream:
                        stream.write(kernel.to_bytes())
                    os.rename(temporary, _name(key), src_dir_fd=directory, dst_dir_fd=directory)
                except OSError:
                    with contextlib.suppress(OSError):
                        os.unlink(temporary, dir_fd=directory)
                    raise
                _prune(directory)
        except OSError as error:
            warn_once(f"kernels cannot be kept in {self.directory}: {error}")

    @contextlib.contextmanager
    def _opened(self) -> Iterator[int]:
        """Open the directory if it is trustworthy; all access goes through what was checked."""
        directory = os.open(self.directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            status = os.fstat(directory)
            shared = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
            if status.st_uid != os.geteuid() or shared:
                warn_once(
                    f"{self.directory} is not used: it must belong to this user and not be "
                    "writable by others (chmod 700)"
                )
                raise PermissionError(f"{self.directory} is not private")
            yield directory
        finally:
            os.close(directory)


def _name(key: str) -> str:
    return key + _SUFFIX


def _prune(directory: int) -> None:
    """Remove the kernels that were not used for longest."""
    names = [name for name in os.listdir(directory) if name.endswith(_SUFFIX)]
    if len(names) <= KEPT:
        return
    ages = sorted((os.stat(name, dir_fd=directory).st_mtime, name) for name in names)
    for _, name in ages[: len(names) - KEPT]:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=directory)
