"""Running other programs: quiet while they succeed, with the end of their log when they fail."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from host import BootstrapError

_TAIL_LINES = 40


def say(text: str) -> None:
    """Print one line of progress, in one piece."""
    print(f"[bootstrap] {text}\n", end="", flush=True)


def run(
    title: str, command: Sequence[str | Path], log: Path, environ: Mapping[str, str] | None = None
) -> None:
    """Run a command, appending its output to `log`.

    Raises:
        BootstrapError: when it fails, with the last lines of its output.
    """
    say(f"{title} ...")
    start = time.monotonic()
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as output:
        output.write(" ".join(map(str, command)) + "\n")
        output.flush()
        done = subprocess.run(
            list(map(str, command)),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=None if environ is None else dict(environ),
            check=False,
        )
    if done.returncode != 0:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        shown = "\n".join(lines[-_TAIL_LINES:])
        raise BootstrapError(f"{title}: failed; the end of {log}:\n{shown}")
    say(f"{title}: {time.monotonic() - start:.1f} s")
