"""`robodyn export`: which files it writes and its exit codes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from compilers import c_compiler
from robodyn_ros.cli.main import main


def test_it_writes_a_library_that_passes_its_own_test(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "c"
    names = ["gravity_force", "jacobian:tool0"]
    assert main(["export", "ur5", "--c", str(folder), "--functions", *names]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    written = [Path(line) for line in out.splitlines()]
    assert sorted(written) == sorted(folder.iterdir())
    sources = [file for file in written if file.suffix == ".c"]
    subprocess.run([c_compiler(), "-std=c99", *sources, "-o", tmp_path / "test", "-lm"], check=True)
    subprocess.run([tmp_path / "test"], check=True, capture_output=True)


def test_base_root_and_name_are_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--base", "floating", "--root", "forearm_link", "--name", "my arm"]
    command = ["export", "ur5", "--c", str(tmp_path), *options, "--functions", "gravity_force"]
    assert main(command) == 0
    assert capsys.readouterr().err == ""
    header = (tmp_path / "my_arm.h").read_text()
    assert "int my_arm_gravity_force(const double *q, const double *gravity" in header
    assert "base floating" in header
    assert "in  q [13]" in header


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["ur5", "--c", "x", "--functions", "gravity"], "gravity_force"),
        (["ur5", "--c", "x", "--functions", "jacobian:tool9"], "tool9"),
        (["no_such_robot", "--c", "x"], "no_such_robot"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    arguments: list[str],
    named: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["export", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert named in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "x").exists()


def test_a_directory_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["export", "ur5"])
    assert end.value.code == 2
    assert "--c" in capsys.readouterr().err


def test_a_file_in_place_of_the_directory_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    command = ["export", "ur5", "--c", str(tmp_path / "file"), "--functions", "gravity_force"]
    assert main(command) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
