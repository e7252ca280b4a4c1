"""The model report: what was loaded, what is missing and what cannot be, in text and in JSON."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from robodyn_ros.joints import Fixed, JointLimits, Revolute
from robodyn_ros.model import Model, ModelBuilder
from robots import random_tree
from trees import serial_chain

#: A solid whose principal moments obey everything.
PLAUSIBLE = np.diag([0.02, 0.03, 0.04])


def strict(text: str) -> object:
    """Parse JSON as the standard has it: Infinity and NaN are not in it."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def two_links(**second: object) -> Model:
    builder = ModelBuilder("pair")
    builder.add_body("first", mass=1.0, inertia=PLAUSIBLE)
    builder.add_body("second", **second)  # type: ignore[arg-type]
    builder.add_joint("j", Revolute((0, 0, 1)), "first", "second")
    return builder.build()


def problems(**body: object) -> list[str]:
    model = two_links(**body)
    report = model.report()
    entries = {entry["name"]: entry for entry in report.to_dict()["bodies"]}
    assert entries["first"]["problems"] == []
    found: list[str] = entries["second"]["problems"]
    for problem in found:
        assert f"second: {problem}" in report.text()
    assert ("mass properties to look at" in report.text()) == bool(found)
    return found


@pytest.mark.parametrize("base", ["fixed", "floating", "prescribed"])
@pytest.mark.parametrize("root", [None, "b9"])
def test_json_holds_the_whole_report(base: str, root: str | None) -> None:
    model = random_tree(0, base=base, root=root)
    report = model.report()
    data = report.to_dict()
    assert strict(report.json()) == data
    assert data["name"] == model.name
    assert data["base"] == base
    assert data["root"] == (root or "b0")
    assert (data["bodies_count"], data["nq"], data["nv"]) == (model.nb, model.nq, model.nv)
    assert data["total_mass"] == pytest.approx(sum(body.mass for body in model.bodies))
    assert data["coordinate_names"] == list(model.coordinate_names)
    assert [body["name"] for body in data["bodies"]] == list(model.body_names)
    assert data["frames"] == ["tool"]
    for entry, (i, joint) in zip(data["joints"], model.moving, strict=True):
        assert entry["name"] == joint.name
        assert entry["type"] == joint.joint.type_name
        assert entry["parent"] == model.body_names[joint.parent]
        assert entry["child"] == model.body_names[i]
        assert entry["driver"] == joint.driver


def test_text_shows_the_tree() -> None:
    model = random_tree(0)
    lines = model.report().text().splitlines()
    assert "12 bodies" in lines[0]
    assert f"nq {model.nq}, nv {model.nv}" in lines[0]
    assert "root b0" in lines[0]
    depth = {0: 0}
    for i, joint in model.moving:
        depth[i] = depth[joint.parent] + 1
        line = next(x for x in lines if x.strip().startswith(f"{model.body_names[i]} ("))
        assert len(line) - len(line.lstrip()) == 2 * depth[i]
        assert joint.name in line
        assert joint.joint.type_name in line
        if joint.driver:
            assert f"follows {joint.driver}" in line


def test_a_plausible_body_has_no_problems() -> None:
    assert problems(mass=1.0, inertia=PLAUSIBLE) == []


def test_a_missing_inertial_is_named() -> None:
    assert problems(has_inertial=False) == ["no inertial given, taken as massless"]


def test_a_mass_of_zero_is_named() -> None:
    assert problems(mass=0.0) == ["mass is 0"]


def test_a_point_mass_is_named() -> None:
    (problem,) = problems(mass=1.0)
    assert "point mass" in problem


def test_a_negative_principal_moment_is_named_even_off_the_diagonal() -> None:
    (problem,) = problems(mass=1.0, inertia=[[1, 2, 0], [2, 1, 0], [0, 0, 2.9]])
    assert "negative principal moment -1" in problem


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e6])
def test_the_triangle_inequality(scale: float) -> None:
    """No solid has moments 1, 1, 3; a flat one has 1, 1, 2, and rounding must not blame it."""
    (problem,) = problems(mass=1.0, inertia=scale * np.diag([1.0, 3.0, 1.0]))
    assert "triangle" in problem
    assert problems(mass=1.0, inertia=scale * np.diag([1.0, 2.0 + 1e-9, 1.0])) == []


def test_an_inertia_that_is_not_symmetric_is_named() -> None:
    skewed = PLAUSIBLE + np.array([[0, 1e-3, 0], [0, 0, 0], [0, 0, 0]])
    assert "inertia is not symmetric" in problems(mass=1.0, inertia=skewed)


def test_the_world_has_no_problems() -> None:
    builder = ModelBuilder("one")
    builder.add_body("base", mass=1.0, inertia=PLAUSIBLE)
    for base in ("floating", "prescribed"):
        data = builder.build(base).report().to_dict()  # type: ignore[arg-type]
        assert [body["problems"] for body in data["bodies"]] == [[], []]


def limited(limits: JointLimits) -> Model:
    builder = ModelBuilder("limited")
    builder.add_body("a", mass=1.0, inertia=PLAUSIBLE)
    builder.add_body("b", mass=1.0, inertia=PLAUSIBLE)
    builder.add_joint("j", Revolute((0, 0, 1)), "a", "b", limits=limits, damping=0.5)
    return builder.build()


def test_known_limits_are_reported() -> None:
    report = limited(JointLimits(-1.5, 2.0, 3.0, 40.0)).report()
    entry = report.to_dict()["joints"][0]
    assert entry["limits"] == {"lower": -1.5, "upper": 2.0, "velocity": 3.0, "effort": 40.0}
    assert entry["damping"] == 0.5
    assert entry["axis"] == [0.0, 0.0, 1.0]
    assert "-1.5 .. 2, velocity <= 3, effort <= 40, damping 0.5" in report.text()


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (JointLimits(), ""),
        (JointLimits(lower=-1.0), "-1 .. inf"),
        (JointLimits(upper=1.0), "-inf .. 1"),
        (JointLimits(-math.inf, math.inf, math.inf, math.inf), ""),
    ],
)
def test_unknown_limits_are_null_in_json_and_absent_in_text(
    limits: JointLimits, words: str
) -> None:
    report = limited(limits).report()
    assert strict(report.json())
    reported = report.to_dict()["joints"][0]["limits"]
    for name, value in vars(limits).items():
        known = value is not None and math.isfinite(value)
        assert reported[name] == (value if known else None)
    line = next(x for x in report.text().splitlines() if "by j " in x)
    assert line.endswith(f"[revolute] {words}, damping 0.5" if words else "[revolute] damping 0.5")


def test_notes_are_reported_in_order() -> None:
    builder = ModelBuilder("noted")
    builder.add_body("a")
    builder.add_note("ignored", "a", "a colour")
    builder.add_note("assumed", "a", "a mass")
    report = builder.build().report()
    assert report.to_dict()["notes"] == [
        {"category": "ignored", "element": "a", "text": "a colour"},
        {"category": "assumed", "element": "a", "text": "a mass"},
    ]
    assert report.text().index("a: a colour [ignored]") < report.text().index("a: a mass [assumed]")


def test_a_single_link_is_reported_too() -> None:
    builder = ModelBuilder("one")
    builder.add_body("only", mass=2.5, inertia=PLAUSIBLE)
    report = builder.build().report()
    assert report.text().splitlines()[-1] == "only (2.5 kg)"
    assert report.to_dict()["joints"] == []


def test_fixed_joints_have_no_axis() -> None:
    builder = ModelBuilder("fixed")
    builder.add_body("a")
    builder.add_body("b")
    builder.add_joint("j", Fixed(), "a", "b")
    assert builder.build().report().to_dict()["joints"][0]["axis"] is None


def test_the_report_of_a_long_chain_stays_readable() -> None:
    """Indented to the end, its text would grow with the square of its length."""
    report = serial_chain(1000).build().report()
    lines = report.text().splitlines()
    assert max(map(len, lines)) < 150
    assert any(line.strip().startswith("[1000] 1000 (1 kg)") for line in lines)
    assert strict(report.json()) == report.to_dict()
