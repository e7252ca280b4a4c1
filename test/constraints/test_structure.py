"""Structure of mechanisms: loops, clusters, mobility by count and rank, what is redundant."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

import mechanisms
import platforms
from robodyn_ros.constraints.assembly import assemble
from robodyn_ros.constraints.structure import Structure, structure
from robodyn_ros.errors import ClosureError
from robodyn_ros.expressions import parse
from robodyn_ros.joints import Continuous, Revolute
from robodyn_ros.model import Model, ModelBuilder

PLANAR = "as its joints' axes lie, whatever its lengths are (a planar or spherical loop)"
SPECIAL = "only for lengths and angles like these (as in Bennett's and Bricard's mechanisms)"


def four_bar() -> Model:
    model = mechanisms.four_bar()
    return mechanisms.closed(model, mechanisms.four_bar_state(model, 0.7, 1))


def slider_crank() -> Model:
    return mechanisms.closed(mechanisms.slider_crank())


def bennett() -> Model:
    return mechanisms.closed(mechanisms.bennett())


def bricard() -> Model:
    return mechanisms.closed(mechanisms.bricard())


def rssr() -> Model:
    return mechanisms.closed(mechanisms.rssr())


def stewart() -> Model:
    model = platforms.stewart()
    return mechanisms.closed(model, platforms.stewart_guess(model))


def truss() -> Model:
    model = platforms.stewart(controls=False)
    return mechanisms.closed(model, platforms.stewart_guess(model))


def mixed() -> Model:
    model = platforms.mixed_platform()
    return mechanisms.closed(model, platforms.mixed_guess(model))


def nine_revolutes() -> Model:
    """Document D's loop with three joints driven by functions of one control element."""
    rng = np.random.default_rng(7)
    builder = ModelBuilder("nine_revolutes")
    builder.add_control("drive", initial=0.1)
    names = [f"link_{k}" for k in range(9)]
    for name in names:
        mechanisms.add_link(builder, name, 0.3)
    for k in range(9):
        add = builder.add_loop if k == 8 else builder.add_joint
        axis = rng.normal(size=3)
        arm = rng.uniform(0.2, 0.4, 3) * np.where(rng.uniform(size=3) < 0.5, -1.0, 1.0)
        unit = tuple(axis / np.linalg.norm(axis))
        add(f"joint_{k}", Revolute(unit), names[k], names[(k + 1) % 9], position=arm)
    for k, text in ((0, "sin(drive)"), (3, "0.5 * drive"), (6, "drive + 0.2")):
        builder.add_follower(f"joint_{k}", [parse(text)])
    model = builder.build()
    return mechanisms.closed(model, assemble(model, model.defaults.q, other_guesses=40).q)


def shaky() -> Model:
    """Three links in one line between pivots as far apart as they reach."""
    lengths = (0.2, 0.2, 0.2, 0.6)
    model = mechanisms.four_bar(lengths)
    return mechanisms.closed(model, np.array([0.0, 0.0, np.pi, -np.pi]))


#: kind, topology, linkage, variables, equations, by count, by rank.
EXPECTED = {
    four_bar: ("mechanism", "closed chain", True, 4, 6, -2, 1),
    slider_crank: ("mechanism", "closed chain", True, 4, 6, -2, 1),
    bennett: ("mechanism", "closed chain", True, 4, 6, -2, 1),
    bricard: ("mechanism", "closed chain", True, 6, 6, 0, 1),
    rssr: ("mechanism", "closed chain", True, 2, 1, 1, 1),
    stewart: ("mechanism", "closed chain", True, 12, 6, 6, 6),
    truss: ("structure", "closed chain", True, 6, 6, 0, 0),
    mixed: ("mechanism", "closed chain", True, 7, 6, 1, 1),
    nine_revolutes: ("mechanism", "closed chain", False, 7, 6, 1, 1),
    shaky: ("structure", "closed chain", True, 4, 6, -2, 0),
}


def facts(found: Structure) -> tuple[str, str, bool, int, int, int, int]:
    return (
        found.kind,
        found.topology,
        found.is_linkage,
        found.variables,
        found.equations,
        found.mobility_by_count,
        found.mobility,
    )


@pytest.mark.parametrize("make", EXPECTED, ids=lambda make: make.__name__)
def test_kind_and_mobility(make: Callable[[], Model]) -> None:
    found = structure(make())
    assert facts(found) == EXPECTED[make]
    assert len(found.dependent) == found.rank
    assert set(found.independent).isdisjoint(found.dependent)
    assert found.equations - found.rank == sum(len(r.equations) for r in found.redundant)
    assert json.loads(json.dumps(found.to_dict()))["mobility"] == found.mobility


def test_what_is_redundant_in_a_planar_loop_is_named() -> None:
    found = structure(four_bar())
    (redundant,) = found.redundant
    assert redundant.element == "pin"
    assert redundant.equations == ("turn about x", "turn about y", "offset along z")
    assert "counting says -2, but 3 equations follow" in found.explanation
    assert PLANAR in found.explanation
    assert found.independent == ("crank",)
    assert found.warnings == ()


@pytest.mark.parametrize(("make", "count"), [(bennett, 3), (bricard, 1)])
def test_mechanisms_that_move_by_their_lengths_only_are_told(
    make: Callable[[], Model], count: int
) -> None:
    found = structure(make())
    assert SPECIAL in found.explanation
    assert sum(len(one.equations) for one in found.redundant) == count


@pytest.mark.parametrize("make", [rssr, stewart, mixed, nine_revolutes])
def test_nothing_is_explained_where_count_and_rank_agree(make: Callable[[], Model]) -> None:
    found = structure(make())
    assert found.explanation == ""
    assert found.redundant == ()


def test_a_structure_that_gives_way_is_told_from_a_mechanism() -> None:
    found = structure(shaky())
    assert found.momentary_mobility == 2
    assert "only for the moment" in found.explanation


def test_loops_are_the_way_round() -> None:
    (loop,) = structure(four_bar()).loops
    assert (loop.element, loop.kind) == ("pin", "loop")
    assert loop.joints == ("rocker", "pin", "coupler", "crank")
    (loop,) = structure(rssr()).loops
    assert (loop.element, loop.kind, set(loop.joints)) == ("rod", "rod", {"crank", "rocker"})


def test_clusters_are_what_elements_alone_hold_together() -> None:
    assert structure(stewart()).clusters == (("base",), ("platform",))
    assert structure(four_bar()).clusters == (
        ("base", "crank_link", "coupler_link", "rocker_link"),
    )
    assert structure(rssr()).clusters == (("base", "crank_link", "rocker_link"),)


def test_a_link_with_one_joint_makes_it_a_network() -> None:
    builder = ModelBuilder("with_a_tail")
    builder.add_body("base")
    for name in ("left", "right", "tail"):
        mechanisms.add_link(builder, name, 0.3)
    builder.add_joint("a", Continuous(mechanisms.Z), "base", "left")
    builder.add_joint("b", Continuous(mechanisms.Z), "base", "right", position=(0.4, 0, 0))
    builder.add_joint("c", Continuous(mechanisms.Z), "right", "tail", position=(0.3, 0, 0))
    builder.add_rod("rod", "left", (0.3, 0, 0), "right", (0.3, 0, 0), 0.4)
    found = structure(mechanisms.closed(builder.build(), np.array([1.0, 1.2, 0.0])))
    assert (found.topology, found.mobility) == ("network with loops", 2)


def test_a_tree_is_one() -> None:
    builder = ModelBuilder("arm")
    builder.add_body("base")
    mechanisms.add_link(builder, "link", 0.3)
    builder.add_joint("turn", Continuous(mechanisms.Z), "base", "link")
    model = builder.build()
    found = structure(model, np.zeros(1))
    assert (found.topology, found.mobility, found.loops) == ("tree", 1, ())
    assert found.independent == ("turn",)


def test_a_dead_centre_is_told_where_its_slider_is_chosen() -> None:
    model = mechanisms.slider_crank(actuated=("slider",))
    model = mechanisms.closed(model, np.array([0.5, -0.7, 0.6, -0.2]))
    assert structure(model).warnings == ()
    found = structure(model, np.array([0.0, 0.0, 0.7, 0.0]))
    assert (found.mobility, found.momentary_mobility) == (1, 1)
    assert "is not determined by slider here" in found.warnings[0]
    assert found.conditioning < 1e-12
    near = assemble(model, np.array([0.01, -0.014, 0.7, -0.004]), {"slider": 0.6999}).q
    (warning,) = structure(model, near).warnings
    assert "near a singular position" in warning
    assert "slider" in warning


def test_a_change_point_is_told_from_a_generic_position() -> None:
    lengths = mechanisms.PARALLELOGRAM
    model = mechanisms.four_bar(lengths)
    model = mechanisms.closed(model, mechanisms.four_bar_state(model, 0.5, 1, lengths))
    assert structure(model).warnings == ()
    found = structure(model, np.zeros(4))
    assert (found.mobility, found.momentary_mobility, found.rank) == (1, 2, 2)
    assert "a singular position: for the moment it has mobility 2, near it 1" in found.warnings


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_size_changes_nothing(scale: float) -> None:
    small, usual = (mechanisms.closed(mechanisms.bennett(scale=s)) for s in (scale, 1.0))
    assert facts(structure(small)) == facts(structure(usual))
    assert structure(small).redundant == structure(usual).redundant
    assert structure(small).conditioning == pytest.approx(structure(usual).conditioning, rel=1e-6)


def test_an_open_configuration_is_an_error() -> None:
    with pytest.raises(ClosureError, match="loop 'pin' lacks"):
        structure(four_bar(), np.zeros(4))


def test_it_is_said_in_words() -> None:
    lines = structure(four_bar()).lines()
    assert lines[0] == "mechanism, closed chain, linkage: mobility 1"
    assert "redundant in pin: turn about x, turn about y, offset along z" in lines
    assert "independent: crank" in lines
