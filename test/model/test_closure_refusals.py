"""What a builder refuses of loops, constraint elements, controls and followers, in which words."""

from __future__ import annotations

import numpy as np
import pytest

from closing_steps import ZERO, Step, Z, built, control, follower, loop, rod
from robodyn_ros.errors import ArgumentError, DescriptionError
from robodyn_ros.expressions import parse
from robodyn_ros.joints import Fixed, Global, Spherical

#: What is refused: steps, and words that the error must have.
REFUSED: dict[str, tuple[tuple[Step, ...], tuple[str, ...]]] = {
    "loop and joint": ((loop("ja"),), ("'ja'", "name of a joint already", "rename")),
    "joint and loop": (
        (loop("x"), lambda b: b.add_joint("x", Z, "c", "d")),
        ("'x'", "name of a loop already"),
    ),
    "joint and control": (
        (control("x"), lambda b: b.add_joint("x", Z, "c", "d")),
        ("'x'", "name of a control already"),
    ),
    "joint and element": (
        (rod("x"), lambda b: b.add_joint("x", Z, "c", "d")),
        ("'x'", "name of a constraint already"),
    ),
    "two elements": ((rod(), rod()), ("'rod'", "name of a constraint already")),
    "two controls": ((control(), control(where="line 9")), ("'u' (line 9)", "control already")),
    "loop on nothing": ((loop(child="bb"),), ("loop joint 'closing'", "'bb'", "not exist")),
    "element on nothing": ((rod(second="d"),), ("constraint 'rod'", "'d'", "does not exist")),
    "loop on one link": ((loop(parent="c"),), ("loop joint 'closing'", "'c' to itself")),
    "element on one link": ((rod(first="c"),), ("constraint 'rod'", "'c' to itself")),
    "root and world": ((rod(first="world", second="base"),), ("'rod'", "to itself")),
    "length zero": ((rod(length=0.0),), ("length of rod 'rod' is 0", "loop joints")),
    "length negative": ((rod(length=parse("1 - 3")),), ("length of rod 'rod' is -2", "above 0")),
    "length endless": ((rod(length=np.inf),), ("length of rod 'rod'", "finite")),
    "formula of nothing": (
        (rod(length=parse("1 + ub")),),
        ("constraint 'rod'", "'ub'", "no control"),
    ),
    "formula of a ball": (
        (loop(joint=Spherical()), rod(length=parse("closing"))),
        ("constraint 'rod'", "'closing'", "has 3 coordinates"),
    ),
    "formula of a follower": (
        (control(), follower("ja", "u"), rod(length=parse("ja"))),
        ("constraint 'rod'", "'ja'", "follows others"),
    ),
    "point": (
        (lambda b: b.add_rod("r", "b", (1.0, 0.0), "c", ZERO, 1.0),),
        ("point_1 of rod 'r'", "(3,)"),
    ),
    "normal": (
        (lambda b: b.add_point_on_plane("p", "b", ZERO, 1.0, "c", ZERO),),
        ("normal of plane 'p' is zero", "unit vector"),
    ),
    "axis": (
        (lambda b: b.add_skew_axes("s", "b", ZERO, (1, 0, 0), "c", ZERO, ZERO, 1.0, where="l. 3"),),
        ("axis 2 of skew axes 's' (l. 3) is zero",),
    ),
    "radius": (
        (lambda b: b.add_point_on_cylinder("p", "b", ZERO, (1, 0, 0), "c", ZERO, -1.0),),
        ("radius of cylinder 'p' is -1",),
    ),
    "motor of nothing": (
        (lambda b: b.set_actuated(["jaa"], where="line 3"),),
        ("actuated (line 3)", "'jaa'"),
    ),
    "motor of a follower": (
        (control(), follower("ja", "u"), lambda b: b.set_actuated(["ja"])),
        ("actuated", "of its own", "'ja'"),
    ),
    "independent nothing": ((lambda b: b.set_independent(["x"]),), ("independent", "'x'")),
    "follower of itself": ((follower("ja", "ja"),), ("'ja'", "follows others")),
    "follower nowhere": ((follower("jd", "ja"),), ("'jd'", "does not exist")),
    "follower of numbers": ((follower("ja", "2"),), ("'ja'", "without coordinates", "fixed")),
    "follower twice": (
        (follower("ja", "jb"), follower("ja", "jc", where="line 4")),
        ("'ja' (line 4)", "follows formulas already"),
    ),
    "follower and mimic": (
        (follower("ja", "jb"), lambda b: b.add_mimic("ja", "jb")),
        ("'ja'", "mimics another", "follows a formula too"),
    ),
    "mimic of a follower": (
        (follower("ja", "jb"), lambda b: b.add_mimic("jc", "ja")),
        ("'jc'", "'ja'", "follows a formula"),
    ),
    "follower with too many": (
        (follower("ja", "jb", "jc"),),
        ("'ja'", "1 coordinates", "2 formulas"),
    ),
    "fixed follower": (
        (loop("l", Fixed()), follower("l", "ja")),
        ("'l'", "is fixed and cannot follow"),
    ),
    "ball follower": (
        (loop("l", Spherical()), follower("l", "ja", "ja", "ja")),
        ("'l'", "is spherical and cannot follow formulas", "gimbal"),
    ),
    "rotation vector follower": (
        (loop("l", Global()), follower("l", "ja", "ja", "ja")),
        ("'l'", "is global and cannot follow formulas"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    steps, words = REFUSED[name]
    with pytest.raises(DescriptionError) as caught:
        built(*steps)
    text = str(caught.value)
    assert "\n" not in text
    for word in words:
        assert word in text


@pytest.mark.parametrize("step", [rod(first="world"), loop(parent="world"), loop(child="world")])
def test_nothing_is_held_to_a_world_in_which_the_base_moves_as_told(step: Step) -> None:
    with pytest.raises(DescriptionError, match="is on the world, in which the prescribed base"):
        built(step, base="prescribed")
    assert built(rod(first="base"), base="prescribed").is_closed


def test_a_loops_joint_must_be_one() -> None:
    with pytest.raises(ArgumentError, match=r"joint 'closing' must be a joint such as Fixed\(\)"):
        built(loop(joint="revolute"))  # type: ignore[arg-type]
