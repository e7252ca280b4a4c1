"""Variables of a MATLAB file, read in a process of their own.

Bytes that only look like such a file can end the interpreter that reads them; here it is one that
does nothing else.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import numpy as np

from robodyn_ros.errors import DescriptionError

_PATIENCE = 60.0
"""Seconds that reading may take."""


def read_mat(data: bytes) -> Mapping[str, Any]:
    """Return the variables in a .mat file's bytes: numbers, text, lists and dictionaries.

    Raises:
        DescriptionError: it cannot be read.
    """
    command = [sys.executable, "-m", __name__]
    try:
        done = subprocess.run(
            command, input=data, capture_output=True, check=False, timeout=_PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DescriptionError(f"cannot be read as a MATLAB file: {error}") from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        reason = lines[-1] if done.returncode == 1 and lines else "the file is damaged"
        raise DescriptionError(f"cannot be read as a MATLAB file: {reason}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def plain(value: Any) -> Any:
    """Return what scipy makes of a MATLAB value as JSON has it; structures are dictionaries."""
    if hasattr(value, "_fieldnames"):
        return {name: plain(getattr(value, name)) for name in value._fieldnames}
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return [plain(item) for item in value.reshape(-1)]
        return plain(value.tolist())
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    return value if isinstance(value, (bool, int, float, str)) else str(value)


def main() -> int:
    """Read standard input, and write its variables as JSON; an error's last line is the reason."""
    from scipy.io import loadmat

    data = sys.stdin.buffer.read()
    found = loadmat(BytesIO(data), squeeze_me=True, struct_as_record=False)
    sys.stdout.write(json.dumps({name: plain(value) for name, value in found.items()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
