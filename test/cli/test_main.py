"""The command line as a whole: its commands, its help, what is said of a wrong call, exit codes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from robodyn_ros import __version__
from robodyn_ros.cli import check
from robodyn_ros.cli.main import COMMANDS, main, parser
from robodyn_ros.errors import (
    ArgumentError,
    CompilationError,
    DescriptionError,
    RobodynError,
    UnknownNameError,
)

ARM = str(Path(__file__).parents[2] / "urdf" / "demo_arm.urdf")
DOCS = Path(__file__).parents[2] / "docs"
HEAVY = ("numpy", "lxml", "rich", "casadi", "llvmlite", "rclpy", "yaml", "xacro")


def modules_after(arguments: list[str]) -> set[str]:
    """Return what a call has imported."""
    code = (
        "import sys\n"
        "from robodyn_ros.cli.main import main\n"
        "try:\n"
        f"    main({arguments!r})\n"
        "except SystemExit:\n"
        "    pass\n"
        "print('\\n'.join(['', *sys.modules]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "arguments", [["--help"], [], ["check", "--help"], ["demo", "--rate", "x"]]
)
def test_help_and_complaints_import_nothing_heavy(arguments: list[str]) -> None:
    modules = modules_after(arguments)
    assert "robodyn_ros.cli.main" in modules
    assert modules.isdisjoint(HEAVY)


def test_a_call_imports_its_own_command_only() -> None:
    modules = modules_after(["check", ARM])
    assert "robodyn_ros.cli.check" in modules
    assert {f"robodyn_ros.cli.{name}" for name in COMMANDS} & modules == {"robodyn_ros.cli.check"}


def test_the_help_lists_every_command_and_the_exit_codes() -> None:
    text = parser().format_help()
    for name in COMMANDS:
        assert f"    {name} " in text
    assert "Exit codes: 0 fine, 1" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_section_in_the_docs(name: str) -> None:
    lines = (DOCS / "cli.md").read_text().splitlines()
    assert f"## {name}" in lines
    assert any(line.startswith(f"robodyn {name} ") for line in lines)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (DescriptionError("bad"), 2),
        (ArgumentError("bad"), 2),
        (UnknownNameError("bad"), 2),
        (CompilationError("bad"), 1),
        (RobodynError("bad"), 1),
        (OSError("bad"), 1),
    ],
)
def test_an_error_is_one_line_and_its_exit_code(
    error: Exception,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def fail(_: object) -> int:
        raise error

    monkeypatch.setattr(check, "run", fail)
    monkeypatch.setattr("robodyn_ros.cli.main._discard_output", lambda: None)
    assert main(["check", ARM]) == code
    assert capfd.readouterr() == ("", "robodyn: bad\n")


def test_interrupted_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "run", interrupt)
    assert main(["check", ARM]) == 130


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["demo", "--seconds", "abc"], "argument --seconds: must be a number, got 'abc'"),
        (["demo", "--seconds", "1e7"], "must be 0 to 1e+06 s, got '1e7'"),
        (["demo", "--rate", "x"], "argument --rate: must be a number, got 'x'"),
        (["--bogus"], "unknown arguments: '--bogus'"),
        (["demo", "--bogus"], "unknown arguments: '--bogus'"),
        ([], "a command is missing: " + ", ".join(COMMANDS[:-1]) + f" or {COMMANDS[-1]}"),
    ],
)
def test_what_is_wrong_with_a_command_line_is_said_plainly(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert capsys.readouterr().err.splitlines()[-1].endswith(said)


@pytest.mark.parametrize("arguments", [[], ["report"], ["dance"], ["demo", "--seconds", "-1"]])
def test_a_wrong_command_line_shows_its_usage(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: robodyn" in capsys.readouterr().err


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"robodyn {__version__}\n"
