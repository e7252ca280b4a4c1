"""What launch files say, read without launch: constants, calls, arguments."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from robodyn_ros.launching import rows as shared_rows

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
    """Return the module's constants; they may be made of the shared rows."""
    found: dict[str, object] = {}
    for node in tree(path).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            made = compile(ast.Expression(node.value), str(path), "eval")
            found[node.targets[0].id] = eval(made, {**vars(shared_rows), **found})
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
    return {row[0] for row in rows(path, "ARGUMENTS", "PARAMETERS")}


def files(path: Path) -> list[tuple[str, ...]]:
    """Return the files of this package that are named, as parts of their paths."""
    named = [row[1] for row in rows(path, "ARGUMENTS", "PARAMETERS") if isinstance(row[1], tuple)]
    named += [parts for call in calls(path, "own_file") if (parts := literals(call.args))]
    included = [name for call in calls(path, "included") for name in literals(call.args[:1])]
    return [*named, *(("launch", f"{name}.launch.py") for name in included)]


def literals(nodes: list[ast.expr]) -> tuple[str, ...]:
    """Return the values of constants; none where not all are constants."""
    found = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return tuple(found) if len(found) == len(nodes) else ()


#: What functions of `robodyn_ros.launching.nodes` use.
USED_BY = {
    "described": {"namespace", "robot_description_topic"},
    "followers": set(shared_rows.FOLLOWED),
    "to_simulator": {"simulator_params_file", *shared_rows.TO_SIMULATORS},
    "viewer": {"viewer"},
}


def used(path: Path) -> set[str]:
    found = constants(path)
    names = {name for table in ("FORWARDED", "STRINGS", "FLAGS") for name in found.get(table, ())}
    names |= {row[0] for row in rows(path, "PARAMETERS")}
    names |= {name for call, some in USED_BY.items() if calls(path, call) for name in some}
    readers = ("text", "flag", "number", "whole")
    asked = [call.args[1] for reader in readers for call in calls(path, reader)]
    asked += [call.args[0] for call in calls(path, "LaunchConfiguration")]
    return names | {node.value for node in asked if isinstance(node, ast.Constant)}


def our_executables() -> set[str]:
    return set(re.findall(r'"(\w+) = robodyn_ros\.', (ROOT / "setup.py").read_text()))
