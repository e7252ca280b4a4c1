"""JSON on standard output."""

from __future__ import annotations

import json
import sys
from typing import Any


def json_text(data: Any) -> str:
    """Return data as JSON that standard output can take, with escapes where it must."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(data, indent=2)
    return text
