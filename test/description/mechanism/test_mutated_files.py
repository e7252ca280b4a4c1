"""Mutated mechanism files: a model or one DescriptionError, without a sound."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from robodyn_ros.description.load import load_description
from robodyn_ros.description.source import Document
from robodyn_ros.errors import DescriptionError
from robodyn_ros.model import Model

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "examples").glob("*.yaml"))
SEED = Path(__file__).with_name("everything.yaml")
MUTATIONS = 2000
BATCHES = 20

FRAGMENTS = [
    "", " ", "\n", "\n  ", ":", ": ", "- ", "[", "]", "{", "}", ",", "'", '"', "#", "&a ", "*a",
    "!!x ", "|", ">", "%", "\t", "\x00", "\ufffd", "1", "-1", "0", "1e400", ".nan", ".inf", "true",
    "null", "[0, 0, 1]", "[1, 2, 3, 4]", "{a: 1}", "'r/0'", "2^2^2^2", "((((", "base", "type: ",
    "mass", "fixed", "spherical", "gimbal", "x" * 300, "?", "<<: ", "---\n", "...", "@", "`",
]  # fmt: skip
VALUES = [
    "0", "-1", "1e30", "1e-300", "1e31", ".inf", ".nan", "true", "", "a", "'1/0'", "[]", "{}",
    "[0, 0, 0]", "[0, 0, 1]", "[1, 0, 0, 0]", "[[1, 0], [0, 1]]", "[null, null]", "fixed", "base",
    "spherical", "planar", "helical", "six_dof", "floating", "classic", "123", "121", "&a 1", "*a",
]  # fmt: skip


def cut_and_paste(text: str, rng: random.Random) -> str:
    """Put a fragment in the place of a few characters."""
    start = rng.randrange(len(text))
    end = min(len(text), start + rng.choice([0, 0, 1, 3, 20, 100]))
    return text[:start] + rng.choice(FRAGMENTS) + text[end:]


def other_value(text: str, rng: random.Random) -> str:
    """Put another value behind a colon or comma, or between blanks."""
    marks = [i for i, mark in enumerate(text) if mark in ":,["]
    start = rng.choice(marks) + 1
    end = start
    while end < len(text) and text[end] not in ",]}\n#":
        end += 1
    return f"{text[:start]} {rng.choice(VALUES)}{text[end:]}"


def moved_lines(text: str, rng: random.Random) -> str:
    """Drop, double, move or indent lines."""
    lines = text.split("\n")
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    change = rng.choice(["drop", "double", "move", "indent", "outdent"])
    if change == "drop":
        del lines[at : at + rng.choice([1, 1, 3])]
    elif change == "double":
        lines.insert(to, lines[at])
    elif change == "move":
        lines.insert(to, lines.pop(at))
    elif change == "indent":
        lines[at] = "  " + lines[at]
    else:
        lines[at] = lines[at][2:]
    return "\n".join(lines)


CHANGES: list[Callable[[str, random.Random], str]] = [cut_and_paste, other_value, moved_lines]


def model_or_none(text: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> Model | None:
    """Return the model, or None for one good error."""
    document = Document(text.encode(), "x.yaml", is_mechanism=True, folder=folder)
    message, model = "", None
    try:
        described = load_description(document)
        model = described.model
        assert all(np.isfinite(shape.position).all() for shape in described.drawing)
    except DescriptionError as error:
        message = str(error)
    assert capfd.readouterr() == ("", "")
    assert (model is None) == bool(message)
    assert "\n" not in message
    assert len(message) < 2000
    return model


def require_good(model: Model) -> None:
    """Assert what algorithms rely on."""
    for body in model.bodies:
        assert np.isfinite(body.mass)
        assert np.isfinite(body.inertia).all()
        assert np.isfinite(body.com).all()
    for _, joint in model.moving:
        assert np.isfinite(joint.position).all()
        np.testing.assert_allclose(joint.rotation @ joint.rotation.T, np.eye(3), atol=1e-9)
        q = joint.joint.neutral()
        R, p = joint.joint.pose(q)
        assert np.isfinite(R).all()
        assert np.isfinite(p).all()
    assert model.defaults.q.shape == (model.nq,)
    assert model.defaults.v.shape == (model.nv,)
    assert model.report().text()


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_mutated_file_is_a_model_or_one_error(
    batch: int, capfd: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(batch)
    loaded = 0
    for _ in range(MUTATIONS // BATCHES):
        file = rng.choice([*FILES, SEED, SEED])
        text = file.read_text(encoding="utf-8")
        for _ in range(rng.choice([1, 1, 2, 4])):
            text = rng.choice(CHANGES)(text, rng) or " "
        model = model_or_none(text, file.parent, capfd)
        if model is not None:
            require_good(model)
            loaded += 1
    assert loaded > 0


@pytest.mark.parametrize("seed", range(50))
def test_any_bytes_are_an_error(seed: int, capfd: pytest.CaptureFixture[str]) -> None:
    data = random.Random(seed).randbytes(200)
    for noise in (data, b"mechanism: 1\n" + data, b"mechanism: 1\nbodies:\n  a: " + data):
        document = Document(noise, "x.yaml", is_mechanism=True)
        with pytest.raises(DescriptionError):
            load_description(document)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("file", [*FILES, SEED], ids=lambda file: file.stem)
def test_a_file_that_ends_early_is_a_model_or_one_error(
    file: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = file.read_text(encoding="utf-8")
    for end in range(1, len(text), 41):
        model_or_none(text[:end], file.parent, capfd)
