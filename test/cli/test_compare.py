"""`robodyn compare`: three formulations side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from robodyn_ros.cli import comparison
from robodyn_ros.cli.main import main


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "demo_arm", "--q", "joint2=0.5", "--v", "joint2=-1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[0] == "coordinate"
    assert lines[1].split()[-4:] == ["spatial", "kane", "legnani", "difference"]
    row = next(line for line in lines if line.startswith("joint2"))
    assert row.split()[1:3] == ["0.5,", "-1,"]
    assert lines[-1] == "they agree"


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "demo_arm", "--json", "--seed", "3"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["efforts"]) == {"spatial", "kane", "legnani"}
    assert found["agree"] is True
    assert found["efforts"]["kane"] == pytest.approx(found["efforts"]["spatial"], abs=1e-10)
    assert all(x < 1e-12 for pair in found["differences"].values() for x in pair.values())


def test_a_floating_base_leaves_legnani_out_with_a_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["compare", "demo_arm", "--base", "floating"]) == 0
    text = capsys.readouterr().out
    assert "legnani: left out" in text
    assert "'floating_base' is floating" in text


def test_the_base_is_that_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "free.yaml"
    path.write_text(
        "mechanism: 1\nbase: floating\nbodies: {a: {mass: 1, inertia: [1, 0, 0, 1, 0, 1]}}\n"
    )
    assert main(["compare", str(path)]) == 0
    assert "6 coordinates, floating base" in capsys.readouterr().out
    assert main(["compare", str(path), "--base", "fixed"]) == 0
    assert "0 coordinates, fixed base" in capsys.readouterr().out


def test_disagreement_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(comparison, "AGREEMENT", 0.0)
    assert main(["compare", "demo_arm"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "they do NOT agree"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--q", "joint9=1"], "no coordinate is called 'joint9'"),
        (["--v", "1,2"], "--v needs 8 numbers"),
        (["--a", "joint2=nan"], "must be a finite number"),
        (["--seed", "-1"], "--seed must be a whole number from 0 on"),
        (["--base", "swimming"], "base must be one of"),
    ],
)
def test_bad_options(options: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "demo_arm", *options]) == 2
    error = capsys.readouterr().err
    assert text in error
    assert len(error.strip().splitlines()) == 1


def test_states_beyond_all_numbers_differ_without_warnings(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main(["compare", "demo_arm", "--v", "joint2=1e200"]) == 1
    out, err = capfd.readouterr()
    assert out.splitlines()[-1] == "they do NOT agree"
    assert err == ""


def test_of_a_closed_mechanism_the_tree_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    example = Path(__file__).parents[2] / "examples" / "four_bar.yaml"
    assert main(["compare", str(example), "--seed", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("loops and constraints: left out: the") for line in lines)
    assert lines[-1] == "they agree"
    assert main(["compare", str(example), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "tree" in found["left_out"]["loops and constraints"]
    assert found["efforts"]["spatial"][0] == pytest.approx(found["efforts"]["kane"][0], rel=1e-12)
    assert found["efforts"]["spatial"][1] != 0.0
