"""YAML 1.2 within limits: what is read, what is refused, in bounded time and memory."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.description.mechanism.nodes import List, Map, Scalar
from robodyn_ros.description.mechanism.yaml_text import (
    MAX_ALIASES,
    MAX_BYTES,
    MAX_NODES,
    read_yaml,
)
from robodyn_ros.errors import DescriptionError

# Bounds that only a runaway can break.
PATIENCE_S = 60.0
MEMORY_BYTES = 200 * 2**20


def value(text: str) -> Scalar:
    """Return the scalar that stands at `a:`."""
    node = read_yaml(f"a: {text}".encode())
    assert isinstance(node, Map)
    scalar = node.entries["a"][1]
    assert isinstance(scalar, Scalar)
    return scalar


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1.0),
        ("-0.5", -0.5),
        ("+2", 2.0),
        ("1e-3", 1e-3),
        ("1E3", 1e3),
        (".5", 0.5),
        ("5.", 5.0),
        ("010", 10.0),
        ("0o17", 15.0),
        ("0x1F", 31.0),
        (".inf", float("inf")),
        ("-.Inf", float("-inf")),
        ("1e999", float("inf")),
    ],
)
def test_numbers_are_those_of_the_core_schema(text: str, number: float) -> None:
    assert value(text).kind == "number"
    assert value(text).number == number


@pytest.mark.parametrize("text", [".nan", ".NaN"])
def test_nan_is_a_number_that_is_none(text: str) -> None:
    assert value(text).kind == "number"
    assert value(text).number != value(text).number


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("true", "bool"),
        ("False", "bool"),
        ("on", "text"),
        ("yes", "text"),
        ("n", "text"),
        ("1_000", "text"),
        ("1:30", "text"),
        ("'1'", "text"),
        ('"true"', "text"),
        ("", "null"),
        ("~", "null"),
        ("null", "null"),
        ("''", "text"),
        ("1e", "text"),
        ("--1", "text"),
        ("\N{ARABIC-INDIC DIGIT ONE}", "text"),
    ],
)
def test_what_is_no_number_is_what_the_core_schema_says(text: str, kind: str) -> None:
    assert value(text).kind == kind


def test_lines_are_those_of_the_file() -> None:
    node = read_yaml(b"# one\na:\n  - 1\n  - {b: 2,\n     c: 3}\n")
    assert isinstance(node, Map)
    key, items = node.entries["a"]
    assert key.line == 2
    assert isinstance(items, List)
    assert [item.line for item in items.items] == [3, 4]
    inner = items.items[1]
    assert isinstance(inner, Map)
    assert [key.line for key, _ in inner.entries.values()] == [4, 5]


def test_an_alias_is_what_it_stands_for() -> None:
    joints = "joints: {j: {type: fixed, parent: a, child: b}}"
    model = load_model(f"mechanism: 1\nbodies: {{a: &m {{mass: 2}}, b: *m}}\n{joints}")
    assert [body.mass for body in model.bodies] == [2.0, 2.0]


def test_a_byte_order_mark_and_a_document_start_are_harmless() -> None:
    text = "\ufeff# arm\n%YAML 1.2\n---\nmechanism: 1\nbodies: {a: }\n...\n"
    for source in (text, text.encode()):
        assert load_model(source).body_names == ("a",)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (b"a: 1\nb: \xe9", ["line 2", "not UTF-8"]),
        (b"\xff\xfea\x00", ["line 1", "not UTF-8"]),
        (b"a: 1\nb: \x00", ["line 2", "'\\x00'", "remove"]),
        (b"a: 1\nb: \x07", ["line 2", "'\\x07'"]),
        (b"a:\n\tb: 1", ["line 2", "blanks, not tabs"]),
        (b"a: b: c", ["line 1", "indented", "quoted"]),
        (b"a: [1, 2", ["line 1", "expected ',' or ']'"]),
        (b"a: 1\nb: 1\na: 2", ["line 3", "'a' is given twice", "line 1"]),
        (b"<<: {a: 1}", ["line 1", "merge keys"]),
        (b"[a]: 1", ["line 1", "a key must be a name"]),
        (b"? {a: 1}\n: 2", ["line 1", "a key must be a name"]),
        (b"a: 1\n---\nb: 2", ["line 2", "another document"]),
        (b"a: !!python/object/apply:os.system [ls]", ["line 1", "tag", "not allowed"]),
        (b"a: !!float 1", ["line 1", "tag"]),
        (b"a: !mine 1", ["line 1", "'!mine'"]),
        (b"a: ! 1", ["line 1", "tag"]),
        (b"%YAML 1.1\n---\na: on", ["line 2", "YAML 1.2"]),
        (b"%YAML 2.0\n---\na: on", ["line 1", "version"]),
        (b"a: *b", ["line 1", "*b", "no anchor"]),
        (b"a: &a [*a]", ["line 1", "inside of what it stands for"]),
        (b'a: "\\U00110000"', ["line 1"]),
        (b"!%99 a", ["line 1"]),
        (b"# nothing", ["line 1", "empty"]),
    ],
)
def test_what_is_refused_is_told_with_its_line(text: bytes, parts: list[str]) -> None:
    with pytest.raises(DescriptionError) as raised:
        read_yaml(text)
    for part in parts:
        assert part in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_long_chain_loads_in_bounded_time() -> None:
    count = 1000
    bodies = "".join(f"  b{i}:\n" for i in range(count))
    joints = "".join(
        f"  j{i}: {{type: revolute, parent: b{i - 1}, child: b{i}}}\n" for i in range(1, count)
    )
    start = time.monotonic()
    model = load_model(f"mechanism: 1\nbodies:\n{bodies}joints:\n{joints}")
    assert model.nv == count - 1
    assert time.monotonic() - start < PATIENCE_S


LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i + 1}: &a{i + 1} [{', '.join([f'*a{i}'] * 10)}]\n" for i in range(12)
)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (LAUGHS, f"more than {MAX_NODES} values"),
        ("a: &a 1\nb: [" + "*a, " * (MAX_ALIASES + 1) + "]", "aliases"),
        ("[" * 100_000, "levels deep"),
        ("{a: " * 10_000, "levels deep"),
        ("- " * 100_000, "levels deep"),
        ("? " * 100_000, "levels deep"),
        ("[" + "1," * 40_000, f"more than {MAX_NODES} values"),
        ("x" * (MAX_BYTES + 1), "KiB"),
        ("a" * 200_000 + ": 1", "line 1"),
        ("&a " * 50_000, "line 1"),
        ("'" + "x\n" * 50_000, "line 50001"),
        ("a: [" + "\n" * 200_000, "line"),
    ],
    ids=[
        *("laughs", "aliases", "lists", "mappings", "dashes", "keys", "wide", "large"),
        *("long key", "anchors", "open quote", "blank lines"),
    ],
)
def test_a_bomb_does_not_go_off(text: str, part: str) -> None:
    tracemalloc.start()
    start = time.monotonic()
    try:
        with pytest.raises(DescriptionError, match=part):
            read_yaml(text.encode())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert time.monotonic() - start < PATIENCE_S
    assert peak < MEMORY_BYTES
