"""Figures of a benchmark, printed, and written between two marks of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path


def tell(lines: Iterable[str], page: Path, mark: str, *, write: bool) -> None:
    """Print lines as they come; then, if wanted, put them between the two marks of a page."""
    told = []
    for line in lines:
        print(line, flush=True)
        told.append(line)
    if write:
        new = mark + "\n".join(told) + "\n" + mark
        text = re.sub(
            f"{re.escape(mark)}.*?{re.escape(mark)}", lambda _: new, page.read_text(), flags=re.S
        )
        page.write_text(text)
