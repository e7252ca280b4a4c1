"""The compiling process: ``python -m robodyn_ros.kernels.worker``.

Reads a pickled :class:`Job` from standard input, writes the compiled kernel to standard output and
exits with 0; or writes what went wrong and exits with 1. It ends when the process that started it
does.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
import traceback
from typing import BinaryIO

from robodyn_ros.errors import RobodynError
from robodyn_ros.kernels.job import Job

NICENESS = 10
"""Compiling waits behind whatever else the machine does."""

_WATCH = 0.5


def main() -> int:
    """Serve one job; return the exit code."""
    answer = _own_output()
    try:
        job: Job = pickle.load(sys.stdin.buffer)  # noqa: S301  from our own parent
        threading.Thread(target=_end_with, args=(job.parent,), daemon=True).start()
        if hasattr(os, "nice"):
            os.nice(NICENESS)
        kernel = job.recipe.compile(job.target)
        if job.cache is not None:
            job.cache.put(job.key, kernel)
        answer.write(kernel.to_bytes())
        return 0
    except RobodynError as error:
        answer.write(str(error).encode())
    except Exception as error:  # noqa: BLE001  whatever a traced function raises is an answer
        traceback.print_exc()
        answer.write(f"a kernel cannot be made: {type(error).__name__}: {error}".encode())
    finally:
        answer.close()
    return 1


def _own_output() -> BinaryIO:
    """Return standard output for the answer; what anything else prints goes to standard error."""
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answer


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
