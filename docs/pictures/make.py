"""Pictures of the viewer for the README and the pages: taken of the running demo, in Chromium.

    python docs/pictures/make.py              all of them
    python docs/pictures/make.py demo_arm     some

Each starts `robodyn demo` for a robot, does on its page what somebody would, and writes NAME.png.
They need what `make venv` installs, and Chromium.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "test" / "support"))

from browser import Camera, ViewerPage, launched  # noqa: E402 - found by the line above

MOST_BYTES = 200_000
WINDOW = (1280, 720)


class Picture(NamedTuple):
    """One picture.

    Attributes:
        options: Of `robodyn demo`.
        camera: From where the robot is seen.
        act: What is done on the page before.
    """

    options: tuple[str, ...]
    camera: Camera
    act: Callable[[ViewerPage], None]


def let_pass(page: ViewerPage, seconds: float) -> None:
    """Let the plots fill."""
    page.page.wait_for_timeout(1e3 * seconds)


def loaded_and_pushed(page: ViewerPage) -> None:
    """Move the arm, hang a weight on its gripper and push it."""
    page.choose("coordinate", "joint2")
    page.beside("joint2 [rad]").fill("0.7")
    page.beside("joint4 [rad]").fill("0.9")
    let_pass(page, 3.0)
    page.tab("Loads")
    page.choose("link", "gripper_link")
    page.enter("mass [kg]", 1.5)
    page.enter("centre [m]", 0.0, 0.0, 0.1)
    page.button("Attach").click()
    let_pass(page, 3.0)
    page.choose("link", "gripper_link", which=1)
    page.enter("force [N]", 60.0, 40.0, 0.0)
    page.button("Push").click()
    let_pass(page, 1.5)
    page.button("Push").click()
    let_pass(page, 1.0)


def with_arrows(page: ViewerPage) -> None:
    """Show velocities, accelerations and centres of mass of what moves."""
    page.tab("Show")
    for kind in ("centres of mass", "velocities", "accelerations"):
        page.control(kind).click()
    let_pass(page, 8.0)


def with_frames(page: ViewerPage) -> None:
    """Show frames besides constraint elements."""
    page.tab("Show")
    page.control("joint axes").click()
    let_pass(page, 8.0)


PICTURES = {
    "demo_arm": Picture(
        ("--robot", "demo_arm"), Camera((1.5, -1.3, 1.0), (0.15, 0.0, 0.5), 0.75), loaded_and_pushed
    ),
    "panda": Picture(
        ("--robot", "panda", "--source", "trajectory"),
        Camera((1.4, -1.5, 1.1), (0.1, 0.0, 0.45), 0.75),
        with_arrows,
    ),
    "stewart_platform": Picture(
        ("--robot", "examples/stewart_platform.yaml", "--source", "trajectory"),
        Camera((1.6, -1.8, 1.3), (0.0, 0.0, 0.5), 0.75),
        with_frames,
    ),
}


@contextlib.contextmanager
def demo(*options: str) -> Iterator[str]:
    """Run the demo; give the address of its page."""
    command = [sys.executable, "-u", "-m", "robodyn_ros.cli.main", "demo", "--port", "0", *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            said = process.stdout or io.StringIO()
            yield next(found.group(1) for line in said if (found := re.match("open (.*)", line)))
        finally:
            process.terminate()
            process.communicate()


def take(browser: Browser, picture: Picture) -> bytes:
    """Return a picture as PNG."""
    with demo(*picture.options) as address:
        page = ViewerPage(browser, address, picture.camera, window=WINDOW)
        page.page.get_by_role("tab", name="Show", exact=True).wait_for()
        page.wait(lambda: any(page.plot("effort").get("total", [None])), "efforts on the plot")
        picture.act(page)
        small = smaller(page.page)
        page.close()
    return small


def smaller(page: Page) -> bytes:
    """Return what a page shows as a PNG of few colours, which is much smaller."""
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    found = io.BytesIO()
    few = shot.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(found, "png", optimize=True)
    return found.getvalue()


def main() -> int:
    """Take the pictures named, or all."""
    os.environ.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    with sync_playwright() as playwright, contextlib.closing(launched(playwright)) as browser:
        for name in sys.argv[1:] or PICTURES:
            data = take(browser, PICTURES[name])
            if len(data) > MOST_BYTES:
                sys.stderr.write(f"{name}.png would have {len(data)} bytes\n")
                return 1
            Path(__file__).with_name(f"{name}.png").write_bytes(data)
            sys.stdout.write(f"{name}.png: {len(data)} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
