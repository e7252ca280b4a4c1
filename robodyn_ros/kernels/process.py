"""One compiling process, from outside."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path
from typing import BinaryIO

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.compiled import CompiledKernel
from robodyn_ros.kernels.job import Job

_PASSED = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
_TAIL = 2000


class WorkerProcess:
    """A running worker; it is killed when this object goes, and when this process ends.

    Request and answer are files without a name, not pipes: neither side ever waits for the other.
    """

    def __init__(self, job: Job) -> None:
        """Start a worker on `job`.

        Raises:
            CompilationError: The job cannot be pickled, or no process can be started.
        """
        try:
            request = pickle.dumps(job)
        except Exception as error:
            raise CompilationError(f"a kernel's recipe cannot be pickled: {error}") from error
        self._name = job.recipe.signature.name
        if not sys.executable:
            raise CompilationError("an embedded interpreter cannot start a compiling process")
        try:
            self._start(request)
        except OSError as error:
            raise CompilationError(f"no compiling process can be started: {error}") from error

    def _start(self, request: bytes) -> None:
        # Closed with the worker, by _end.
        self._answer = tempfile.TemporaryFile()  # noqa: SIM115
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115
        with tempfile.TemporaryFile() as given:
            given.write(request)
            given.seek(0)
            self._process = subprocess.Popen(
                [sys.executable, "-S", "-m", "robodyn_ros.kernels.worker"],
                stdin=given,
                stdout=self._answer,
                stderr=self._complaints,
                cwd="/",
                env=_environment(),
                start_new_session=True,
            )
        self.kill = weakref.finalize(
            self, _end, os.getpid(), self._process, self._answer, self._complaints
        )

    def poll(self) -> CompiledKernel | None:
        """Return the kernel, or None while the worker is at it.

        Raises:
            CompilationError: The worker failed; with what it said, or what it died of.
        """
        return None if self._process.poll() is None else self._result()

    def _result(self) -> CompiledKernel:
        code, answer, complaints = (
            self._process.returncode,
            *map(_content, (self._answer, self._complaints)),
        )
        self.kill()
        if code == 0:
            return CompiledKernel.from_bytes(answer)
        if code == 1 and answer:
            raise CompilationError(answer.decode(errors="replace"))
        cause = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        tail = complaints[-_TAIL:].decode(errors="replace")
        text = f"{self._name}: the compiling process ended by {cause}\n{tail}"
        raise CompilationError(text.strip())


def _environment() -> dict[str, str]:
    """Return what a worker needs: little, and the same modules as here.

    Its interpreter runs without `site`, whose hooks may start it all over again, so it is told
    where modules are.
    """
    root = str(Path(__file__).resolve().parents[2])
    paths = dict.fromkeys(str(Path(path).absolute()) for path in [*sys.path, root])
    passed = {name: os.environ[name] for name in _PASSED if name in os.environ}
    return {**passed, "PYTHONPATH": os.pathsep.join(paths)}


def _content(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read()


def _end(owner: int, process: subprocess.Popen[bytes], *files: BinaryIO) -> None:
    if owner != os.getpid():
        return  # a fork of the owner, which has no say
    process.kill()
    process.wait()
    for file in files:
        file.close()
