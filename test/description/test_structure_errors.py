"""Links and joints that form no tree, and mimics that lead nowhere."""

from __future__ import annotations

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.errors import DescriptionError


def robot(*lines: str) -> str:
    """Return a URDF with one element a line; the first is on line 2."""
    return "\n".join(['<robot name="r">', *lines, "</robot>"])


def link(name: str) -> str:
    """Return an empty link."""
    return f'<link name="{name}"/>'


def joint(name: str, parent: str, child: str, kind: str = "fixed", more: str = "") -> str:
    """Return a joint."""
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f"{more}</joint>"
    )


def mimic(driver: str) -> str:
    """Return a mimic tag."""
    return f'<mimic joint="{driver}"/>'


AB = (link("a"), link("b"))
FAULTS = {
    "duplicate link": (robot(*AB, link("a"), joint("j", "a", "b")), ["'a'", "line 4"]),
    "duplicate joint": (
        robot(*AB, link("c"), joint("j", "a", "b"), joint("j", "b", "c")),
        ["'j'", "line 6"],
    ),
    "two parents": (
        robot(*AB, link("c"), joint("j", "a", "c"), joint("k", "b", "c")),
        ["link 'c'", "'j' (line 5)", "'k' (line 6)"],
    ),
    "the same joint twice under two names": (
        robot(*AB, joint("j", "a", "b"), joint("k", "a", "b")),
        ["link 'b'", "'j' (line 4)", "'k' (line 5)"],
    ),
    "closed loop off the root": (
        robot(
            link("root"),
            *AB,
            link("c"),
            joint("i", "root", "a"),
            joint("j", "a", "b"),
            joint("k", "b", "c"),
            joint("l", "c", "a"),
        ),
        ["link 'a'", "'i' (line 6)", "'l' (line 9)"],
    ),
    "loop without a root": (
        robot(*AB, joint("j", "a", "b"), joint("k", "b", "a")),
        ["loop", "'a'", "'b'", "'j'", "'k'"],
    ),
    "loop beside a tree": (
        robot(*AB, link("c"), link("d"), joint("i", "a", "b"), joint("j", "c", "d"))[:-9]
        + joint("k", "d", "c")
        + "</robot>",
        ["loop", "'c'", "'d'", "'j'", "'k'"],
    ),
    "two roots": (robot(*AB), ["2 root links", "'a'", "'b'"]),
    "many roots": (robot(*[link(f"l{i}") for i in range(50)]), ["50 root links", "'l0'"]),
    "unknown parent": (robot(*AB, joint("j", "x", "b")), ["'j' (line 4)", "'x'"]),
    "unknown child": (robot(*AB, joint("j", "a", "y")), ["'j' (line 4)", "'y'"]),
    "joint without links": (robot(link("a"), joint("j", "x", "y")), ["'j' (line 3)", "'x'"]),
    "mimic of an absent joint": (
        robot(*AB, joint("j", "a", "b", "revolute", mimic("nobody"))),
        ["'j' (line 4)", "'nobody'"],
    ),
    "mimic of a link": (
        robot(*AB, joint("j", "a", "b", "revolute", mimic("a"))),
        ["'j' (line 4)", "'a'"],
    ),
    "mimic of itself": (robot(*AB, joint("j", "a", "b", "revolute", mimic("j"))), ["cycle", "j"]),
    "mimic cycle of three": (
        robot(
            *AB,
            link("c"),
            link("d"),
            joint("z", "a", "b", "revolute", mimic("y")),
            joint("y", "b", "c", "revolute", mimic("x")),
            joint("x", "c", "d", "revolute", mimic("z")),
        ),
        ["cycle", "z", "y", "x"],
    ),
    "mimic of a fixed joint": (
        robot(*AB, link("c"), joint("j", "a", "b"), joint("k", "b", "c", "revolute", mimic("j"))),
        ["'k' (line 6)", "'j'", "fixed"],
    ),
    "mimic of a planar joint": (
        robot(
            *AB,
            link("c"),
            joint("j", "a", "b", "planar"),
            joint("k", "b", "c", "prismatic", mimic("j")),
        ),
        ["'k' (line 6)", "'j'", "planar"],
    ),
    "a floating joint that mimics": (
        robot(
            *AB,
            link("c"),
            joint("j", "a", "b", "revolute"),
            joint("k", "b", "c", "floating", mimic("j")),
        ),
        ["'k' (line 6)", "floating"],
    ),
}


@pytest.mark.parametrize(("text", "parts"), FAULTS.values(), ids=FAULTS.keys())
@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_what_is_no_tree_names_its_elements(
    text: str, parts: list[str], base: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DescriptionError) as caught:
        load_model(text, base=base)  # type: ignore[arg-type]
    message = str(caught.value)
    assert all(part in message for part in parts), message
    assert "\n" not in message
    assert len(message) < 400
    assert capfd.readouterr() == ("", "")


def test_links_and_joints_may_share_names() -> None:
    model = load_model(
        robot(*AB, joint("a", "a", "b", "revolute"), link("c"), joint("b", "b", "c"))
    )
    assert model.body_names == ("a", "b", "c")
    assert model.joint_names == ("a",)


def test_order_in_the_file_is_free() -> None:
    lines = [link("a"), link("b"), link("c"), joint("j", "a", "b"), joint("k", "b", "c")]
    for order in (lines, lines[::-1], lines[3:] + lines[:3], lines[1::2] + lines[::2]):
        model = load_model(robot(*order))
        assert model.body_names == ("a", "b", "c")


def test_an_unknown_root_is_named() -> None:
    with pytest.raises(DescriptionError, match="'x'"):
        load_model(robot(*AB, joint("j", "a", "b")), root="x")


@pytest.mark.parametrize("count", [3_000])
def test_a_long_chain_loads(count: int) -> None:
    links = [link(f"l{i}") for i in range(count)]
    joints = [joint(f"j{i}", f"l{i}", f"l{i + 1}", "revolute") for i in range(count - 1)]
    model = load_model(robot(*reversed(joints), *links))
    assert model.nb == count
    assert model.parent[-1] == count - 2
