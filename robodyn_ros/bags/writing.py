"""A replay written out: tables, bag, report."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from robodyn_ros.bags.curves import Curves
from robodyn_ros.bags.joint_dynamics_bag import JointDynamicsBag
from robodyn_ros.bags.outputs import require_apart, require_folder, written_folder
from robodyn_ros.bags.replay import Replay
from robodyn_ros.bags.report_page import page
from robodyn_ros.bags.statistics import Statistics
from robodyn_ros.bags.summary import summary_of
from robodyn_ros.bags.tables import (
    BodiesTable,
    DynamicsTable,
    Table,
    require_bodies,
    require_formats,
    require_pyarrow,
)
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.errors import ArgumentError
from robodyn_ros.plots.figures import pyplot_figure

FORMATS = ("csv", "parquet", "mcap")


def write_replay(
    replay: Replay,
    out: str | Path,
    *,
    formats: Sequence[str] = ("parquet",),
    bodies: Sequence[str] = (),
    report: bool = True,
    force: bool = False,
) -> dict[str, Any]:
    """Replay a bag into a folder, and return what is to be said of it as data for JSON.

    Writes dynamics.csv, .parquet and .mcap, as asked for, bodies.csv or .parquet, and report.html;
    all of them, or nothing.

    Args:
        replay: The bag; with `Choices.bodies` where bodies are asked for.
        out: The folder.
        formats: Of `FORMATS`.
        bodies: Names of bodies whose motion is written.
        report: Whether report.html is written (Matplotlib is needed).
        force: Whether files of an earlier replay may be replaced.

    Raises:
        ArgumentError: the folder is there, a format is none, or the bag cannot be used.
        UnknownNameError: no such body.
        RobodynError: something needed is not installed, or cannot be written.
    """
    folder, model = Path(out), replay.robot.model
    formats = require_formats(formats, FORMATS)
    bodies = require_bodies(model, bodies)
    if not (formats or bodies or report):
        raise ArgumentError(f"nothing is to be written: give formats, of {', '.join(FORMATS)}")
    require_folder(folder, force=force)
    require_apart(folder, replay.path)
    if report:
        pyplot_figure(1.0, 1.0)
    if bodies or {"csv", "parquet"} & set(formats):
        require_pyarrow()
    statistics, curves = Statistics(model), Curves(model)
    with written_folder(folder) as draft:
        with ExitStack() as stack:
            tables = _tables(draft, replay, formats, bodies)
            for table in tables:
                stack.callback(table.close)
            for block in replay:
                statistics.add(block)
                if report:
                    curves.add(block)
                for table in tables:
                    table.write(block)
        summary = summary_of(replay, statistics)
        if report:
            with (draft / "report.html").open("w", encoding="utf-8") as file:
                file.writelines(page(summary, curves))
        names = sorted(file.name for file in draft.iterdir())
    return {**summary, "written": [str(folder / name) for name in names]}


def _tables(
    draft: Path, replay: Replay, formats: Sequence[str], bodies: Sequence[str]
) -> list[Table]:
    model = replay.robot.model
    tables: list[Table] = []
    for kind in formats:
        if kind == "mcap":
            frame = FramePlan(model).world_frame
            tables.append(JointDynamicsBag(draft / "dynamics.mcap", model, frame))
        else:
            tables.append(DynamicsTable(draft / f"dynamics.{kind}", model))
    if bodies:
        kinds = [kind for kind in formats if kind != "mcap"] or ["parquet"]
        tables += [BodiesTable(draft / f"bodies.{kind}", model, bodies) for kind in kinds]
    return tables
