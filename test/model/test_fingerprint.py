"""The digest that names a model in the cache of kernels: equal for equal models, and only then."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robodyn_ros.joints import Continuous, JointLimits, Prismatic, Revolute
from robodyn_ros.model import Model, ModelBuilder
from robots import random_tree

LINKS: dict[str, dict[str, Any]] = {
    "base": {"mass": 1.0},
    "arm": {"mass": 2.0, "com": (0.1, 0.2, 0.3), "inertia": np.diag([1.0, 2.0, 2.5])},
    "hand": {"mass": 0.5},
}
JOINTS: dict[str, dict[str, Any]] = {
    "shoulder": {"joint": Revolute((0, 0, 1)), "parent": "base", "child": "arm"},
    "wrist": {"joint": Revolute((0, 1, 0)), "parent": "arm", "child": "hand"},
}
QUARTER = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def model(
    *,
    links: dict[str, dict[str, Any]] | None = None,
    joints: dict[str, dict[str, Any]] | None = None,
    frame: dict[str, Any] | None = None,
    mimic: tuple[float, float] | None = None,
    base: str = "fixed",
    root: str | None = None,
    prepare: Callable[[ModelBuilder], None] = lambda _: None,
) -> Model:
    """Return the arm with some of its data replaced."""
    builder = ModelBuilder("arm")
    for name, values in LINKS.items():
        builder.add_body(name, **{**values, **(links or {}).get(name, {})})
    for name, values in JOINTS.items():
        builder.add_joint(name, **{**values, **(joints or {}).get(name, {})})
    builder.add_frame(**{"name": "tool", "body": "hand", **(frame or {})})
    if mimic is not None:
        builder.add_mimic("wrist", "shoulder", *mimic)
    prepare(builder)
    return builder.build(base, root)  # type: ignore[arg-type]


CHANGES: dict[str, dict[str, Any]] = {
    "nothing": {},
    "mass": {"links": {"arm": {"mass": 2.0 + 4e-16}}},
    "com": {"links": {"arm": {"com": (0.1, 0.2, 0.4)}}},
    "inertia": {"links": {"arm": {"inertia": np.diag([1.0, 2.0, 2.6])}}},
    "axis": {"joints": {"wrist": {"joint": Revolute((0, 0, 1))}}},
    "type": {"joints": {"wrist": {"joint": Continuous((0, 1, 0))}}},
    "another type": {"joints": {"wrist": {"joint": Prismatic((0, 1, 0))}}},
    "parent": {"joints": {"wrist": {"parent": "base"}}},
    "position": {"joints": {"wrist": {"position": (0, 0, 1)}}},
    "rotation": {"joints": {"wrist": {"rotation": QUARTER}}},
    "damping": {"joints": {"wrist": {"damping": 0.1}}},
    "friction": {"joints": {"wrist": {"friction": 0.1}}},
    "floating": {"base": "floating"},
    "prescribed": {"base": "prescribed"},
    "root": {"root": "hand"},
    "mimic": {"mimic": (1.0, 0.0)},
    "multiplier": {"mimic": (2.0, 0.0)},
    "offset": {"mimic": (1.0, 0.5)},
    "frame's name": {"frame": {"name": "tip"}},
    "frame's link": {"frame": {"body": "arm"}},
    "frame's position": {"frame": {"position": (0, 0, 1)}},
    "frame's rotation": {"frame": {"rotation": QUARTER}},
    "another frame": {"prepare": lambda builder: builder.add_frame("grip", "hand")},
    "another link": {"prepare": lambda builder: _hang_on("finger", builder)},
}


def _hang_on(link: str, builder: ModelBuilder) -> None:
    builder.add_body(link)
    builder.add_joint(f"{link}_joint", Revolute((1, 0, 0)), "hand", link)


def test_every_change_gives_another() -> None:
    prints = {change: model(**options).fingerprint for change, options in CHANGES.items()}
    assert len(set(prints.values())) == len(CHANGES), prints


@pytest.mark.parametrize("change", CHANGES)
def test_equal_content_gives_the_same(change: str) -> None:
    assert model(**CHANGES[change]).fingerprint == model(**CHANGES[change]).fingerprint


def test_what_no_algorithm_reads_makes_no_difference() -> None:
    plain = model().fingerprint
    assert model(joints={"wrist": {"limits": JointLimits(-1.0, 1.0)}}).fingerprint == plain
    noted = model(prepare=lambda builder: builder.add_note("ignored", "x", "text"))
    assert noted.fingerprint == plain
    placed = model(joints={"wrist": {"where": "line 9"}})
    assert placed.fingerprint == plain


def test_numbers_of_another_kind_make_no_difference() -> None:
    same = model(
        links={"base": {"mass": np.float64(1.0)}, "arm": {"mass": 2, "com": [0.1, 0.2, 0.3]}},
        joints={"wrist": {"joint": Revolute(np.array([0, 3, 0])), "damping": np.float32(0.0)}},
    )
    assert same.fingerprint == model().fingerprint


def test_it_is_the_same_in_every_process() -> None:
    """Not so if it came from hash(), from sets or from addresses: the cache would never hit."""
    support = Path(__file__).parents[1] / "support"
    code = (
        f"import sys; sys.path.insert(0, {str(support)!r})\n"
        "from robots import random_tree\n"
        "print(random_tree(1, base='floating', root='b8').fingerprint)"
    )
    here = random_tree(1, base="floating", root="b8").fingerprint
    for seed in ("0", "1234"):
        result = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert result.stdout.strip() == here


def test_it_is_a_digest() -> None:
    print_ = model().fingerprint
    assert len(print_) == 64
    assert int(print_, 16) >= 0
