"""Matplotlib, where it is installed, and the files it can write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from robodyn_ros.errors import RobodynError

ANIMATIONS = (".gif", ".mp4")
PICTURES = (".png", ".svg", ".pdf")


def pyplot_figure(width: float, height: float) -> Any:
    """Return a new Matplotlib figure of so many inches, which no window shows.

    Raises:
        RobodynError: Matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise RobodynError(
            f"pictures need Matplotlib: {error}; pip install 'robodyn_ros[plots]', or matplotlib"
        ) from None
    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


def movie_writer(path: Path, rate: int) -> Any:
    """Return Matplotlib's writer for a .gif or .mp4 file with so many pictures per second.

    Raises:
        RobodynError: what writes MP4 is not installed.
    """
    from matplotlib import rcParams
    from matplotlib.animation import FFMpegWriter, PillowWriter

    if path.suffix.lower() == ".gif":
        return PillowWriter(fps=rate)
    if not FFMpegWriter.isAvailable():
        try:
            from imageio_ffmpeg import get_ffmpeg_exe

            rcParams["animation.ffmpeg_path"] = get_ffmpeg_exe()
        except (ImportError, RuntimeError) as error:
            raise RobodynError(
                f"MP4 files need ffmpeg: {error}; pip install imageio-ffmpeg, or write a .gif"
            ) from None
    return FFMpegWriter(fps=rate)
