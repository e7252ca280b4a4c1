"""What launch files say, read without launch: constants, calls, arguments."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LAUNCH_FILES = sorted((ROOT / "launch").glob("*.launch.py"))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def calls(path: Path, name: str) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]


def constants(path: Path) -> dict[str, object]:
    """Return the module's constants."""
    found = {}
    for node in tree(path).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = ast.literal_eval(node.value)
    return found


def value(path: Path, node: ast.expr) -> object:
    if isinstance(node, ast.Name):
        return constants(path)[node.id]
    return ast.literal_eval(node)


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((k.value for k in call.keywords if k.arg == name), None)


def rows(path: Path, *tables: str) -> list[tuple[str, ...]]:
    """Return the rows of those of the tables that a file has."""
    return [row for table in tables for row in constants(path).get(table, ())]


def declared(path: Path) -> set[str]:
    names = {row[0] for row in rows(path, "ARGUMENTS", "PARAMETERS", "FILES")}
    for call in calls(path, "DeclareLaunchArgument"):
        if isinstance(call.args[0], ast.Constant):
            names.add(call.args[0].value)
    return names


def used(path: Path) -> set[str]:
    names = set(constants(path).get("FORWARDED", ()))
    names |= {row[0] for row in rows(path, "PARAMETERS")}
    names |= {name for table in ("STRINGS", "FLAGS") for name in constants(path).get(table, ())}
    for call in (*calls(path, "text"), *calls(path, "flag")):
        if isinstance(call.args[1], ast.Constant):
            names.add(call.args[1].value)
    for call in calls(path, "LaunchConfiguration"):
        if isinstance(call.args[0], ast.Constant):
            names.add(call.args[0].value)
    return names


def is_ours(path: Path, share: ast.expr) -> bool:
    """Return whether the first part of a joined path is the share folder of this package."""
    if isinstance(share, ast.Call):
        return value(path, share.args[0]) == "robodyn_ros"
    return isinstance(share, ast.Name)


def our_executables() -> set[str]:
    return set(re.findall(r'"(\w+) = robodyn_ros\.', (ROOT / "setup.py").read_text()))
