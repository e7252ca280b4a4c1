"""The README's commands and the examples of the pages in docs, run as they stand there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import ros_graph  # noqa: F401 - gives this process a domain that no other test uses

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
RESULT = re.compile(r"#\s*->\s*(.*)")
"""A comment `# -> text` behind a line says what the line prints."""


def blocks(language: str, text: str = README) -> list[str]:
    return [body for kind, body in BLOCK.findall(text) if kind == language]


def scripts() -> dict[str, str]:
    """Return the examples that show results: the README's, and of each page all as one."""
    found = {f"README {k}": body for k, body in enumerate(blocks("python"))}
    for page in sorted((ROOT / "docs").rglob("*.md")):
        shown = [body for body in blocks("python", page.read_text()) if RESULT.search(body)]
        if shown:
            found[page.stem] = "\n".join(shown)
    return found


def environment() -> dict[str, str]:
    venv = ROOT / ".venv" / "bin"
    # Make's own variables would reach the make that the README calls.
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    return {**inherited, "PATH": f"{venv}{os.pathsep}{inherited['PATH']}"}


def run(command: list[str], cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command,
        cwd=cwd,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    return done


def test_there_is_something_to_run() -> None:
    assert len(blocks("bash")) >= 3
    assert len(blocks("python")) >= 1


@pytest.mark.parametrize("script", blocks("bash"), ids=lambda text: text.splitlines()[0][:40])
def test_shell_commands(script: str) -> None:
    for line in script.splitlines():
        if line and not line.startswith("#"):
            run(["bash", "-c", line])


@pytest.mark.parametrize("script", scripts().values(), ids=scripts())
def test_python_example(script: str) -> None:
    printed = run([str(ROOT / ".venv/bin/python"), "-W", "error", "-c", script]).stdout.split("\n")
    expected = RESULT.findall(script)
    assert expected, "the example shows no result"
    assert printed[: len(expected)] == expected


@pytest.mark.parametrize("script", blocks("console"), ids=lambda text: text.splitlines()[0][:40])
def test_commands_of_a_ros_machine(script: str) -> None:
    """Their package, files and arguments exist; the launch tests run them where ROS 2 is."""
    commands = [line[2:] for line in script.splitlines() if line.startswith("$ ")]
    assert commands
    for command in commands:
        words = command.split()
        if words[:2] == ["ros2", "launch"]:
            launch_file = ROOT / "launch" / words[3]
            text = launch_file.read_text()
            for argument in words[4:]:
                name = argument.partition(":=")[0]
                assert f'"{name}"' in text, f"{launch_file.name} has no argument {name}"
        elif words[:2] == ["colcon", "build"]:
            assert shutil.which("colcon", path=environment()["PATH"]), "colcon comes with make test"
        else:
            assert words[0] in ("source", "git", "cd", "rosdep"), command
