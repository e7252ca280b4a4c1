"""Mutated mechanism files: a model or one DescriptionError, without a sound."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from robodyn_ros.constraints import loading
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.description.load import load_description
from robodyn_ros.description.source import Document
from robodyn_ros.errors import DescriptionError
from robodyn_ros.model import Model

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "examples").glob("*.yaml"))
SEED = Path(__file__).with_name("everything.yaml")
CLOSED = Path(__file__).with_name("closed.yaml")
MUTATIONS = 2000
BATCHES = 20
MUTATIONS_OF_CLOSED = 120
BATCHES_OF_CLOSED = 4
GAP = 1e-9
"""Largest residual, m or rad, of a mechanism that was closed."""

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
#: Keys of what closes a mechanism, and values that may be sensible there.
CLOSING = {
    r"length|offset|radius|distance|expression": [
        "u", "x", "motor", "pin", "tilt", "t", "'u / x'", "'sqrt(u - 0.1)'", "'log(x)'", "'1 / x'",
        "'pow(u, 0.5)'", "'asin(3 * u)'", "'if(u < 0.2, 1 / x, w)'", "'exp(1000 * motor)'", "0",
        "1e-200", "'1e30 * u'", "'-r'", "'g + w * u'", "'max(x, 0.1)'", "5", "'r * k'", "0.3",
    ],
    r"drive": ["t", "'sqrt(t)'", "'1 / t'", "u", "r", "'exp(k * t)'", "'abs(t)'", "-3", "'t^k'"],
    r"parent|child|body_1|body_2|root": [
        "base", "crank", "coupler", "rocker", "cam", "block", "tappet", "world", "motor",
    ],
    r"initial_position|initial_velocity|x|w|closing|armature": [
        "-1", "0.5", "1e-300", "1e30", "100", "'pi'", "0",
    ],
    r"actuated|independent": ["[]", "[u]", "[motor, w]", "[pin, pivot]", "[lift]", "[block_free]"],
    r"type": ["revolute", "spherical", "fixed", "cylindrical", "rod", "planar", "universal"],
    r"axis|normal|axis_1|axis_2|point_2|position": ["[0, 1, 0]", "[0, 0, -1]", "[1, 0, 0]"],
    r"expressions|variables": ["[u, w]", "[w, x]", "[u, 1]", "['1 / u', w]", "[v, w]"],
}  # fmt: skip


@pytest.fixture(autouse=True)
def one_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    """Close mechanisms from where they begin, or not at all: other guesses take long."""
    monkeypatch.setattr(loading, "OTHER_GUESSES", 0)


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


def other_formula(text: str, rng: random.Random) -> str:
    """Put another formula, number or name in the place of that of a key."""
    keys = rng.choice(list(CLOSING))
    value = r'(?P<value>"[^"]*"|\[[^]]*\]|[^][,{}\n]+)'
    at = rng.choice(list(re.finditer(rf"\b({keys}): *{value}", text)) or [None])
    if at is None:
        return text
    return f"{text[: at.start('value')]}{rng.choice(CLOSING[keys])}{text[at.end('value') :]}"


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


@pytest.mark.parametrize("batch", range(BATCHES_OF_CLOSED))
def test_a_mutated_closed_mechanism_is_a_closed_one_or_one_error(
    batch: int, capfd: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(batch)
    text = CLOSED.read_text(encoding="utf-8")
    changes = [other_formula, other_formula, other_formula, *CHANGES]
    closed = 0
    for _ in range(MUTATIONS_OF_CLOSED // BATCHES_OF_CLOSED):
        changed = text
        for _ in range(rng.choice([1, 1, 2])):
            changed = rng.choice(changes)(changed, rng) or " "
        model = model_or_none(changed, CLOSED.parent, capfd)
        if model is not None:
            require_good(model)
            closed += model.is_closed
            gaps = all_equations(model, model.defaults.q, None).residual
            assert np.max(np.abs(gaps), initial=0.0) < GAP
    assert closed > 0


@pytest.mark.parametrize("seed", range(50))
def test_any_bytes_are_an_error(seed: int, capfd: pytest.CaptureFixture[str]) -> None:
    data = random.Random(seed).randbytes(200)
    for noise in (data, b"mechanism: 1\n" + data, b"mechanism: 1\nbodies:\n  a: " + data):
        document = Document(noise, "x.yaml", is_mechanism=True)
        with pytest.raises(DescriptionError):
            load_description(document)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("file", [*FILES, SEED, CLOSED], ids=lambda file: file.stem)
def test_a_file_that_ends_early_is_a_model_or_one_error(
    file: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = file.read_text(encoding="utf-8")
    for end in range(1, len(text), 41):
        model_or_none(text[:end], file.parent, capfd)
