"""What cannot be built: one line that names the element, where it stands, and the remedy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from robodyn_ros.errors import ArgumentError, DescriptionError, RobodynError
from robodyn_ros.joints import Fixed, Gimbal, Joint, JointLimits, Planar, Revolute, Spherical
from robodyn_ros.model import ModelBuilder

Z = Revolute((0.0, 0.0, 1.0))


def builder_with(*links: str) -> ModelBuilder:
    builder = ModelBuilder("robot")
    for link in links:
        builder.add_body(link)
    return builder


def message(builder: ModelBuilder, **options: str) -> str:
    """Return the text of the DescriptionError of build, which stays on one line."""
    with pytest.raises(DescriptionError) as caught:
        builder.build(**options)  # type: ignore[arg-type]
    assert isinstance(caught.value, ValueError)
    text = str(caught.value)
    assert "\n" not in text
    return text


def assert_words(text: str, *words: str) -> None:
    for word in words:
        assert word in text, (word, text)


def test_two_links_of_one_name() -> None:
    builder = builder_with("arm")
    with pytest.raises(DescriptionError, match=r"two links .*'arm' \(line 7\)"):
        builder.add_body("arm", where="line 7")


def test_two_joints_of_one_name() -> None:
    builder = builder_with("a", "b", "c")
    builder.add_joint("j", Z, "a", "b", where="line 4")
    with pytest.raises(DescriptionError, match=r"two joints .*'j' \(line 9\)"):
        builder.add_joint("j", Z, "a", "c", where="line 9")


def test_two_frames_of_one_name() -> None:
    builder = builder_with("a")
    builder.add_frame("tool", "a")
    with pytest.raises(DescriptionError, match=r"two frames .*'tool' \(line 12\)"):
        builder.add_frame("tool", "a", where="line 12")


def test_two_mimics_of_one_joint() -> None:
    builder = builder_with("a", "b", "c", "d")
    for child in "bcd":
        builder.add_joint(f"j{child}", Z, "a", child)
    builder.add_mimic("jb", "jc")
    with pytest.raises(DescriptionError, match=r"'jb' \(line 3\).*'jc'.*'jd'"):
        builder.add_mimic("jb", "jd", where="line 3")


def test_no_links() -> None:
    assert_words(message(builder_with()), "'robot'", "no links")


@pytest.mark.parametrize("role", ["parent", "child"])
def test_unknown_link(role: str) -> None:
    builder = builder_with("a", "b")
    ends = {"parent": ("ghost", "b"), "child": ("a", "ghost")}[role]
    builder.add_joint("j", Z, *ends, where="line 5")
    assert_words(message(builder), "'j' (line 5)", role, "'ghost'", "does not exist")


def test_two_parents() -> None:
    builder = builder_with("a", "b", "c")
    builder.add_joint("first", Z, "a", "c", where="line 12")
    builder.add_joint("second", Z, "b", "c", where="line 31")
    text = message(builder)
    assert_words(text, "'c'", "two parents", "'first' (line 12)", "'second' (line 31)", "remove")


def test_loop() -> None:
    builder = builder_with("base", "a", "b", "c", "tail")
    for name, parent, child in (("j1", "c", "a"), ("j2", "a", "b"), ("j3", "b", "c")):
        builder.add_joint(name, Z, parent, child, where=f"line {name[1]}")
    builder.add_joint("out", Z, "c", "tail")
    text = message(builder)
    assert_words(text, "loop", "'a'", "'b'", "'c'", "'j1' (line 1)", "'j2' (line 2)", "'j3'")
    assert "'tail'" not in text
    assert "'out'" not in text


def test_link_on_itself() -> None:
    builder = builder_with("base", "a")
    builder.add_joint("j", Z, "a", "a")
    assert_words(message(builder), "'a'", "'j'", "loop")


def test_several_roots() -> None:
    builder = builder_with("base", "stray", "arm")
    builder.add_joint("j", Z, "base", "arm")
    assert_words(message(builder), "'robot'", "2 root links", "'base'", "'stray'", "fixed")


def test_very_many_roots_are_not_all_listed() -> None:
    text = message(builder_with(*(f"link{i}" for i in range(500))))
    assert_words(text, "500 root links")
    assert len(text) < 300


def test_unknown_root() -> None:
    assert_words(message(builder_with("base"), root="ghost"), "'ghost'", "'robot'")


def test_names_that_come_near_are_asked_for() -> None:
    assert message(builder_with("base_link"), root="base").endswith("; did you mean 'base_link'?")
    links = builder_with("base_link", "arm_link")
    links.add_joint("shoulder", Z, "base_lnk", "arm_link")
    assert message(links).endswith("; did you mean 'base_link'?")
    framed, marked = builder_with("base_link"), builder_with("base_link")
    framed.add_frame("tool", "base")
    marked.add_marker("tip", "base", position=(0.0, 0.0, 0.1))
    for builder in (framed, marked):
        assert message(builder).endswith("unknown link 'base'; did you mean 'base_link'?")
    builder = builder_with("base", "arm", "hand")
    builder.add_joint("elbow_joint", Z, "base", "arm")
    builder.add_joint("wrist_joint", Z, "arm", "hand")
    builder.add_mimic("wrist_joint", "elbow")
    assert message(builder).endswith("; did you mean 'elbow_joint'?")


def test_unknown_kind_of_base() -> None:
    with pytest.raises(ArgumentError, match=r"fixed, floating, prescribed.*'flying'"):
        builder_with("base").build("flying")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("joint", "name"),
    [(Gimbal("12"), "j/rx"), (Spherical(), "j/qw"), (Spherical(), "j/rz"), (Planar(), "j/x")],
)
def test_a_joint_with_the_name_of_a_coordinate(joint: Joint, name: str) -> None:
    builder = ModelBuilder("robot")
    for body in "abc":
        builder.add_body(body)
    builder.add_joint("j", joint, "a", "b")
    builder.add_joint(name, Revolute((0, 0, 1)), "b", "c")
    with pytest.raises(DescriptionError, match=f"joint '{name}' has the name of a coordinate"):
        builder.build()


def test_frame_on_an_unknown_link() -> None:
    builder = builder_with("base")
    builder.add_frame("tool", "ghost", where="line 8")
    assert_words(message(builder), "'tool' (line 8)", "'ghost'")


def test_frame_with_the_name_of_a_link() -> None:
    builder = builder_with("base")
    builder.add_frame("base", "base", where="line 8")
    assert_words(message(builder), "'base' (line 8)", "name of a link")


@pytest.mark.parametrize("mass", [-1.0, np.nan, np.inf, "heavy", None, 1j])
def test_mass_that_cannot_be(mass: object) -> None:
    with pytest.raises(DescriptionError, match=r"mass.*'a' \(line 3\)|'a' \(line 3\).*mass"):
        builder_with().add_body("a", mass=mass, where="line 3")  # type: ignore[arg-type]


NOT_THREE = [(0, 0), (0, 0, np.nan), (0, 0, np.inf), np.zeros((1, 3)), "0 0 0", None, (0, (1, 2))]
NOT_NINE = [np.eye(2), np.zeros(9), np.full((3, 3), np.nan), "identity", [[1, 2], [3]]]


@pytest.mark.parametrize("com", NOT_THREE, ids=str)
def test_centre_of_mass_that_cannot_be(com: object) -> None:
    with pytest.raises(DescriptionError, match=r"centre of mass of link 'a' \(line 3\)"):
        builder_with().add_body("a", com=com, where="line 3")  # type: ignore[arg-type]


@pytest.mark.parametrize("inertia", NOT_NINE, ids=str)
def test_inertia_that_cannot_be(inertia: object) -> None:
    with pytest.raises(DescriptionError, match=r"inertia of link 'a' \(line 3\)"):
        builder_with().add_body("a", inertia=inertia, where="line 3")  # type: ignore[arg-type]


@pytest.mark.parametrize("position", NOT_THREE, ids=str)
def test_position_that_cannot_be(position: object) -> None:
    builder = builder_with("a", "b")
    with pytest.raises(DescriptionError, match=r"position of joint 'j' \(line 3\)"):
        builder.add_joint("j", Z, "a", "b", position=position, where="line 3")  # type: ignore[arg-type]
    with pytest.raises(DescriptionError, match=r"position of frame 'f' \(line 3\)"):
        builder.add_frame("f", "a", position=position, where="line 3")  # type: ignore[arg-type]


NOT_ROTATIONS = [*NOT_NINE, 2.0 * np.eye(3), np.diag([1.0, 1.0, -1.0]), np.zeros((3, 3))]


@pytest.mark.parametrize("rotation", NOT_ROTATIONS, ids=str)
def test_rotation_that_is_none(rotation: object) -> None:
    builder = builder_with("a", "b")
    with pytest.raises(DescriptionError, match=r"rotation of joint 'j' \(line 3\)"):
        builder.add_joint("j", Z, "a", "b", rotation=rotation, where="line 3")  # type: ignore[arg-type]
    with pytest.raises(DescriptionError, match=r"rotation of frame 'f' \(line 3\)"):
        builder.add_frame("f", "a", rotation=rotation, where="line 3")  # type: ignore[arg-type]


def test_a_rotation_of_six_digits_is_one() -> None:
    c, s = round(np.cos(0.3), 6), round(np.sin(0.3), 6)
    builder = builder_with("a", "b")
    builder.add_joint("j", Z, "a", "b", rotation=[[c, -s, 0], [s, c, 0], [0, 0, 1]])
    assert builder.build().joint("j").rotation[0, 0] == c


@pytest.mark.parametrize("field", ["damping", "friction"])
@pytest.mark.parametrize("value", [np.nan, np.inf, "much"])
def test_losses_that_cannot_be(field: str, value: object) -> None:
    builder = builder_with("a", "b")
    with pytest.raises(DescriptionError, match=rf"'j' \(line 3\).*{field}"):
        builder.add_joint("j", Z, "a", "b", where="line 3", **{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["lower", "upper", "velocity", "effort"])
def test_limits_that_are_no_numbers(field: str) -> None:
    builder = builder_with("a", "b")
    limits = JointLimits(**{field: float("nan")})
    with pytest.raises(DescriptionError, match=rf"'j' \(line 3\).*{field}"):
        builder.add_joint("j", Z, "a", "b", limits=limits, where="line 3")


@pytest.mark.parametrize("numbers", [(np.nan, 0.0), (1.0, np.inf)])
def test_mimic_numbers_that_are_not_finite(numbers: tuple[float, float]) -> None:
    builder = builder_with("a", "b", "c")
    builder.add_joint("j", Z, "a", "b")
    builder.add_joint("k", Z, "a", "c")
    with pytest.raises(DescriptionError, match=r"'j' \(line 3\) mimics 'k'.*finite"):
        builder.add_mimic("j", "k", *numbers, where="line 3")


def test_a_joint_type_in_place_of_a_joint() -> None:
    builder = builder_with("a", "b")
    with pytest.raises(ArgumentError, match=r"'j'.*Fixed\(\)"):
        builder.add_joint("j", Fixed, "a", "b")  # type: ignore[arg-type]


def test_a_failed_addition_leaves_the_builder_as_it_was() -> None:
    builder = builder_with("a", "b")
    with pytest.raises(RobodynError):
        builder.add_joint("j", Z, "a", "b", position=(0, 0))
    builder.add_joint("j", Z, "a", "b", position=(0, 0, 1))
    assert builder.build().joint("j").position.tolist() == [0, 0, 1]


def test_a_failed_build_can_be_repaired() -> None:
    builder = builder_with("a", "b")
    with pytest.raises(DescriptionError):
        builder.build()
    builder.add_joint("j", Fixed(), "a", "b")
    assert builder.build().body_names == ("a", "b")


@pytest.mark.parametrize(
    ("element", "add"),
    [
        ("mass of link 'b'", lambda x, value: x.add_body("b", mass=value)),
        ("centre of mass of link 'b'", lambda x, value: x.add_body("b", com=(0, value, 0))),
        ("inertia of link 'b'", lambda x, value: x.add_body("b", inertia=value * np.eye(3))),
        (
            "position of joint 'j'",
            lambda x, value: x.add_joint("j", Z, "a", "a", position=(0, 0, -value)),
        ),
        ("position of frame 'f'", lambda x, value: x.add_frame("f", "a", (value, 0, 0))),
    ],
)
def test_numbers_whose_products_overflow_are_refused(element: str, add: Any) -> None:
    with pytest.raises(DescriptionError, match=f"the {element} is too large, got .*unit"):
        add(builder_with("a"), 1.1e30)
    add(builder_with("a"), 1e30)


def test_the_largest_numbers_that_are_taken_can_be_computed_with() -> None:
    builder = ModelBuilder("huge")
    for name in ("base", "arm", "tool"):
        builder.add_body(name, mass=1e30, com=(1e30, 0, 0), inertia=1e30 * np.eye(3))
    builder.add_joint("turn", Z, "base", "arm", position=(0, 1e30, 0))
    builder.add_joint("fixed", Fixed(), "arm", "tool", position=(0, 0, 1e30))
    model = builder.build()
    assert np.all(np.isfinite(model.lumped.inertias))
    assert model.report().to_dict()["lumps"][1]["mass"] == 2e30
