"""Which frames states can be given in, and the one tree that all published frames make."""

from __future__ import annotations

import numpy as np
import pytest

from quay_robot import quay_arm
from robodyn_ros import load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.errors import ArgumentError
from robodyn_ros.model import Model, ModelBuilder

BASES = ["fixed", "floating", "prescribed"]
AT_REST = [
    *(("fixed", frame) for frame in ("quay", "plate", "socket")),
    ("floating", "quay"),
    ("prescribed", "quay"),
]


def model_of(base: str) -> Model:
    return load(quay_arm(base), compile="off").model


@pytest.mark.parametrize("prefix", ["", "r/"])
@pytest.mark.parametrize(("base", "frame"), AT_REST)
def test_a_described_frame_at_rest_is_what_states_are_given_in(
    base: str, frame: str, prefix: str
) -> None:
    model = model_of(base)
    plan, usual = (FramePlan(model, prefix=prefix, world_frame=x) for x in (prefix + frame, ""))
    assert (plan.state_frame, plan.seen_from) == (prefix + frame, frame)
    assert (plan.names, plan.world_frame) == (usual.names, usual.world_frame)
    assert (usual.state_frame, usual.seen_from) == (usual.world_frame, "")


@pytest.mark.parametrize("base", BASES)
def test_another_name_is_the_worlds(base: str) -> None:
    model = model_of(base)
    # Without its prefix a frame's name is another name, which two robots may share.
    for prefix, name in (("", "map"), ("r/", "quay")):
        plan = FramePlan(model, prefix=prefix, world_frame=name)
        assert (plan.world_frame, plan.state_frame, plan.seen_from) == (name, name, "")


def test_the_root_link_and_the_world_by_its_own_name_are_the_world() -> None:
    for base, name in (("fixed", "pedestal"), ("floating", "world")):
        plan = FramePlan(model_of(base), world_frame=name)
        assert (plan.world_frame, plan.state_frame, plan.seen_from) == (name, name, "")


@pytest.mark.parametrize(
    ("base", "frame", "said"),
    [
        ("fixed", "hand", "is a link, which moves"),
        ("fixed", "grip", "is fixed in link 'r/hand', which moves"),
        ("floating", "pedestal", "is a link, which moves"),
        ("floating", "socket", "is fixed in link 'r/plate', which moves"),
        ("prescribed", "pedestal", "is a link, which moves"),
        ("prescribed", "plate", "is a link, which moves"),
    ],
)
def test_a_frame_that_moves_is_refused_with_the_remedy(base: str, frame: str, said: str) -> None:
    at_rest = {"fixed": "'r/pedestal', 'r/plate', 'r/socket', 'r/quay'"}.get(base, "'r/quay'")
    remedy = f"name a frame at rest ({at_rest}), or give a name that the description does not use"
    with pytest.raises(ArgumentError) as caught:
        FramePlan(model_of(base), prefix="r/", world_frame=f"r/{frame}")
    assert str(caught.value) == f"world_frame 'r/{frame}' {said} in the world; {remedy}"


def test_without_a_frame_at_rest_none_is_offered() -> None:
    builder = ModelBuilder("rock")
    builder.add_body("rock")
    with pytest.raises(ArgumentError, match="in the world; give a name that the desc"):
        FramePlan(builder.build("floating"), world_frame="rock")


def test_the_worlds_default_name_gives_way_to_a_frame_called_so() -> None:
    text = quay_arm("floating").replace("socket:", "world:")
    plan = FramePlan(load(text, compile="off").model)
    assert plan.world_frame == plan.state_frame == "world_"


@pytest.mark.parametrize("publish_base", [False, True])
@pytest.mark.parametrize(("base", "frame"), [*AT_REST, *((base, "") for base in BASES)])
def test_every_frame_has_one_parent_and_all_make_one_tree(
    base: str, frame: str, publish_base: bool
) -> None:
    model = model_of(base)
    if base == "fixed" and publish_base and not frame:
        frame = "map"
    plan = FramePlan(model, world_frame=frame, publish_base=publish_base)
    slots = np.arange(len(plan.slots) + len(plan.multi))
    pairs = [*plan.static()[0], *plan.pairs(plan.children(slots))]
    parent = {child: above for above, child in pairs}
    assert len(parent) == len(pairs), "a frame has two parents"
    if base != "fixed" and not publish_base:
        parent["pedestal"] = plan.world_frame  # somebody else's
    for top in parent:
        for _ in parent:
            top = parent.get(top, top)  # noqa: PLW2901
        assert top == plan.world_frame
    assert {plan.state_frame, *plan.names, "quay", "socket", "grip"} <= {*parent, plan.world_frame}
