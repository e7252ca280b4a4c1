"""Kernels compiled in the process that asks for them.

A kernel of a small robot takes half a second to make, and the interpreter that is started for it,
with all that it imports, half a second more. Tests of what kernels compute do without that one;
those of the process that makes them, test/kernels/test_service.py and others, do not.
"""

from __future__ import annotations

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.service import CompileService


class CompilingHere(CompileService):
    """Makes the same kernels in the same way, at once and in this process."""

    def advance(self) -> None:
        """Make all kernels that are waited for."""
        with self._lock:
            while self._waiting:
                handle, job = self._waiting.popleft()
                try:
                    kernel = job.recipe.compile(job.target)
                except CompilationError as error:
                    handle.finish(error)
                    continue
                if job.cache is not None:
                    job.cache.put(job.key, kernel)
                handle.finish(kernel)
