"""The machine's compilers, one of which is a requirement of this repository."""

from __future__ import annotations

import shutil

import pytest


def compiler(*names: str) -> str:
    """Return the first compiler of these names that is installed; a loud skip without any."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.skip(f"NO COMPILER: install one of {', '.join(names)} to test exported C")
    return found


def c_compiler() -> str:
    """Return the C compiler."""
    return compiler("cc", "gcc", "clang")
