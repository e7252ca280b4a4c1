"""Files and functions stay small enough to be read at once."""

from __future__ import annotations

import ast
from pathlib import Path

MOST_LINES_OF_A_FILE = 300
MOST_LINES_OF_A_FUNCTION = 60
PLACES = ("robodyn_ros", "bootstrap", "benchmarks", "launch", "test")


def sources(root: Path) -> list[Path]:
    return [root / "setup.py", *(p for place in PLACES for p in (root / place).rglob("*.py"))]


def test_files_are_short(root: Path):
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources(root)}
    assert len(lengths) > len(PLACES)
    assert {str(p): n for p, n in lengths.items() if n > MOST_LINES_OF_A_FILE} == {}


def test_functions_are_short(root: Path):
    long = []
    for path in sources(root):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > MOST_LINES_OF_A_FUNCTION:
                    long.append(f"{path}:{node.lineno} {node.name}: {length} lines")
    assert long == []


def test_hooks_are_local_and_their_programs_exist(root: Path):
    import yaml

    config = yaml.safe_load((root / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert [repository["repo"] for repository in config["repos"]] == ["local"]
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    for hook in config["repos"][0]["hooks"]:
        program = hook["entry"].split()[0]
        assert (root / program).exists(), program
        assert Path(program).name in makefile
