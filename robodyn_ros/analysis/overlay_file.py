"""An overlay as a mechanism file: laid over a URDF, or put into the mechanism file there is.

What is written is read again, and has to give the robot that was identified.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from robodyn_ros.analysis.overlay import LinkChange, Overlay, payload_placement
from robodyn_ros.description import load_model
from robodyn_ros.description.published import description_text
from robodyn_ros.description.source import Document
from robodyn_ros.errors import DescriptionError, quoted
from robodyn_ros.model import Model

_DIGITS = 12
_NOTHING = 1e-12
_AGREES = 1e-6
_REPLACED = ("point_masses", "inertia_rotation")


@dataclass(frozen=True)
class Origin:
    """What an overlay is for.

    Attributes:
        document: The description that was read.
        urdf: How the overlay is to name the URDF; "" where the description is a mechanism file.
        base, root: As the description was read, None for its own.
        parameters: Values in place of a mechanism file's, by name.
    """

    document: Document
    urdf: str = ""
    base: str | None = None
    root: str | None = None
    parameters: dict[str, float] | None = None


def overlay_text(overlay: Overlay, origin: Origin, said: Sequence[str] = ()) -> str:
    """Return the text of a mechanism file.

    Args:
        overlay: What was identified.
        origin: What it is laid over.
        said: Lines to stand at the top as comments.

    Raises:
        DescriptionError: the description has no place for what was identified.
    """
    comments = "".join(f"# {' '.join(line.split())}\n" for line in (*said, *overlay.notes))
    if origin.document.is_mechanism:
        return comments + _changed(overlay, origin)
    if origin.document.is_spatial_v2:
        raise DescriptionError(
            f"{origin.document.name}: a spatial_v2 model cannot be overlaid; make it a URDF first,"
            " robodyn convert"
        )
    head: dict[str, Any] = {"mechanism": 1, "urdf": origin.urdf}
    head |= {k: x for k, x in (("base", origin.base), ("root", origin.root)) if x is not None}
    sections = _sections(overlay)
    lines = [f"{key}: {json.dumps(value)}" for key, value in head.items()]
    for name, entries in sections.items():
        lines += [f"{name}:", *(f"  {json.dumps(k)}: {_flow(x)}" for k, x in entries.items())]
    return comments + "\n".join(lines) + "\n"


def require_same(path: Path, overlay: Overlay, model: Model) -> None:
    """Read a written overlay, and raise where it does not give what was identified.

    Raises:
        DescriptionError: it is not what was identified.
    """
    written = load_model(path)
    expected = overlay.inertias
    found = written.lumped.inertias
    scale = max(float(np.max(np.abs(expected), initial=0.0)), 1e-9)
    same = written.joint_names == model.joint_names and found.shape == expected.shape
    if not (same and np.all(np.abs(found[1:] - expected[1:]) <= _AGREES * scale)):
        raise DescriptionError(
            f"{quoted(str(path), 200)} does not give the robot that was identified: what it is laid"
            " over says the same in a way that cannot be replaced; make it a URDF first, robodyn"
            " convert"
        )


def _sections(overlay: Overlay) -> dict[str, dict[str, Any]]:
    """Return the sections of bodies and joints as plain data."""
    bodies = {name: _mass(link) for name, link in overlay.links.items()}
    joints: dict[str, Any] = {
        name: {key: _rates(values) for key, values in own.items()}
        for name, own in overlay.joints.items()
    }
    payload = overlay.payload
    if payload is not None:
        bodies[payload.name] = _mass(payload.mass)
        mount: dict[str, Any] = {"type": "fixed", "parent": payload.link, "child": payload.name}
        placed = payload_placement(payload)
        if placed is not None:
            mount["on_parent"] = {"position": _numbers(placed[0]), "matrix": placed[1]}
        joints[f"{payload.name}_mount"] = mount
    named = (("bodies", bodies), ("joints", joints))
    return {name: entries for name, entries in named if entries}


def _mass(link: LinkChange) -> dict[str, Any]:
    I = link.inertia  # noqa: E741 - its name everywhere
    six = [I[0, 0], I[0, 1], I[0, 2], I[1, 1], I[1, 2], I[2, 2]]
    return {"mass": _number(link.mass), "com": _numbers(link.com), "inertia": _numbers(six)}


def _rates(values: Sequence[float]) -> Any:
    return _number(values[0]) if len(values) == 1 else _numbers(values)


def _number(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}") if abs(value) > _NOTHING else 0.0


def _numbers(values: Any) -> list[float]:
    return [_number(float(x)) for x in values]


def _flow(entry: dict[str, Any]) -> str:
    """Return an entry on one line; JSON is YAML."""
    return "{" + ", ".join(f"{key}: {json.dumps(value)}" for key, value in entry.items()) + "}"


def _changed(overlay: Overlay, origin: Origin) -> str:
    """Return the text of a mechanism file with what was identified in its place."""
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.width = 1_000_000
    data = yaml.load(description_text(origin.document, origin.parameters))
    for key, value in (("base", origin.base), ("root", origin.root)):
        if value is not None:
            data[key] = value
    for section, entries in _sections(overlay).items():
        for name, entry in entries.items():
            place = _place(data, section, name)
            place.update(entry)
            for key in _REPLACED:
                place.pop(key, None)
    text = io.StringIO()
    yaml.dump(data, text)
    return text.getvalue()


def _place(data: Any, section: str, name: str) -> Any:
    """Return the mapping of a body or joint, in a DH table or under its own name; made new."""
    row = _row(data, section, name)
    if row is not None:
        return row
    if data.get(section) is None:
        data[section] = {}
    if data[section].get(name) is None:
        data[section][name] = {}
    return data[section][name]


def _row(data: Any, section: str, name: str) -> Any:
    """Return the row of a DH table that a body or joint is of, None where there is none."""
    key = {"bodies": "body", "joints": "joint"}[section]
    default = {"bodies": "link", "joints": "joint"}[section]
    for table, entry in (data.get("dh") or {}).items():
        for number, row in enumerate(entry["rows"], start=1):
            if (row.get(key) or f"{table}_{default}{number}") == name:
                return row
    return None
