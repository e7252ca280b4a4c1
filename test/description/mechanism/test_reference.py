"""The pages on mechanism files: the reference is current, and every example in them loads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.description.mechanism.joint_keys import joint_section
from robodyn_ros.description.mechanism.reference import PAGES, reference_text
from robodyn_ros.description.mechanism.schema import TOP
from robodyn_ros.joints import JOINT_TYPES

ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "docs" / "mechanism_reference.md"
INTRODUCTION = ROOT / "docs" / "mechanism_file.md"
BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: Path) -> list[str]:
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def test_the_reference_is_what_the_schema_makes() -> None:
    remedy = "python -m robodyn_ros.description.mechanism.reference > docs/mechanism_reference.md"
    assert REFERENCE.read_text(encoding="utf-8") == reference_text(), remedy


@pytest.mark.parametrize("text", [*blocks(REFERENCE), *blocks(INTRODUCTION)])
def test_every_example_is_a_whole_file_that_loads(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    arm = (ROOT / "urdf" / "demo_arm.urdf").read_text(encoding="utf-8")
    (tmp_path / "demo_arm.urdf").write_text(arm, encoding="utf-8")
    path = tmp_path / "example.yaml"
    path.write_text(text, encoding="utf-8")
    assert load_model(path).nb > 0


def test_there_are_examples_of_nearly_every_section() -> None:
    written = "\n".join([*blocks(REFERENCE), *blocks(INTRODUCTION)])
    assert len(blocks(REFERENCE)) > 5
    assert len(blocks(INTRODUCTION)) > 2
    for key in TOP.keys:
        assert re.search(rf"^{key.name}:", written, re.MULTILINE), key.name


def test_the_reference_names_every_key_of_every_joint_type() -> None:
    text = reference_text()
    for type_name in JOINT_TYPES:
        for key in joint_section(type_name).keys:
            assert f"`{key.name}`" in text
        assert f"(joints/{type_name}.md)" in text
        assert (ROOT / "docs" / "joints" / f"{type_name}.md").is_file()


def test_every_link_leads_to_a_heading() -> None:
    text = reference_text()
    headings = re.findall(r"^##+ (.*)$", text, re.MULTILINE)
    assert {page.heading for page in PAGES} <= set(headings)
    anchors = {heading.lower().replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors
