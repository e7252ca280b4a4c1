"""A page of the viewer in headless Chromium: its controls, plots and pixels."""

from __future__ import annotations

import base64
import io
import os
import shutil
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from matplotlib.image import imread
from numpy.typing import NDArray
from playwright.sync_api import Browser, Locator, Page, Playwright

Floats = NDArray[np.float64]

#: WebGL without a graphics card; what is no WebGL goes a way that needs a tenth of the time there.
#: As root in a container Chromium has no sandbox.
ARGUMENTS = (
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu-compositing",
)
NAMES = ("chromium", "chromium-browser", "google-chrome")
#: Of the window, pixels: the panels at both sides leave the middle to the scene.
WINDOW = (1000, 500)
#: Every wait ends by then, s: on a busy machine the first picture alone takes most of a minute.
DEADLINE = 150.0
#: What was typed has no effect any more after that time, s.
PATIENCE = 10.0
#: Milliseconds from one look to the next; by default one looks whenever the scene is drawn.
POLLING = 200.0
#: Keeps the name of the software that renders from the page, which else tells the user of it.
NO_RENDERER_NAME = """
for (const kind of [WebGLRenderingContext, WebGL2RenderingContext]) {
    const get = kind.prototype.getExtension;
    kind.prototype.getExtension = function (name) {
        return name === 'WEBGL_debug_renderer_info' ? null : get.call(this, name);
    };
}
"""
#: What the page says on its console that is no fault of ours: the list is short on purpose.
HARMLESS = ("GPU stall due to ReadPixels", "THREE.Clock: This module has been deprecated")


class Camera(NamedTuple):
    """From where a scene is seen.

    Attributes:
        position, look_at: m, world.
        fov: Vertical field of view, rad.
    """

    position: tuple[float, float, float]
    look_at: tuple[float, float, float]
    fov: float = 0.8

    @property
    def query(self) -> str:
        """The part of an address that puts a page's camera here."""
        position, look_at = (",".join(map(repr, p)) for p in (self.position, self.look_at))
        return (
            f"?initialCameraPosition={position}&initialCameraLookAt={look_at}"
            f"&initialCameraUp=0,0,1&initialCameraFov={self.fov!r}&fixedDpr=1"
        )

    def project(self, point: Sequence[float], width: float, height: float) -> Floats:
        """Return where a point (3,) of the world is seen: pixels from the top left, right and down.

        A pinhole whose axis goes through the middle of a picture of that size.
        """
        eye = np.asarray(self.position)
        ahead = np.asarray(self.look_at) - eye
        ahead /= np.linalg.norm(ahead)
        right = np.cross(ahead, [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        seen = np.asarray(point) - eye
        focal = 0.5 * height / np.tan(0.5 * self.fov)
        x, y, z = right @ seen, np.cross(ahead, right) @ seen, ahead @ seen
        return np.array([0.5 * width + focal * x / z, 0.5 * height + focal * y / z])


class Spot(NamedTuple):
    """Pixels of one colour.

    Attributes:
        center: Their mean, pixels from the scene's top left, right and down.
        count: How many there are.
    """

    center: Floats
    count: int


def chromium() -> str:
    """Return the browser's path; without one skip, or fail where tests must not be left out."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    reason = "no Chromium on PATH, the pages' tests need one: apt install chromium"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def launched(playwright: Playwright) -> Browser:
    """Return a browser that runs."""
    return playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))


class ViewerPage:
    """One tab that shows a viewer."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        camera: Camera | None = None,
        window: tuple[int, int] = WINDOW,
    ) -> None:
        """Open it and wait until its scene is there; the window's size is in pixels."""
        self.errors: list[str] = []
        width, height = window
        self.page: Page = browser.new_page(viewport={"width": width, "height": height})
        self._protocol = self.page.context.new_cdp_session(self.page)
        self.page.set_default_timeout(DEADLINE * 1e3)
        self.page.add_init_script(NO_RENDERER_NAME)
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(address + (camera.query if camera else ""))
        self.page.wait_for_function("window.__viserMutable?.canvas", polling=POLLING)

    def close(self) -> None:
        """Close the tab."""
        self.page.close()

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning") and not any(x in message.text for x in HARMLESS):
            self.errors.append(message.text)

    def wait(
        self, condition: Callable[[], Any], what: str, between: Callable[[], Any] | None = None
    ) -> Any:
        """Wait until a condition holds and return what it returned; `between` two looks do this."""
        end = time.monotonic() + DEADLINE
        while not (found := condition()):
            if time.monotonic() > end:
                raise AssertionError(f"waited {DEADLINE} s in vain for {what}: {self.errors}")
            if between is not None:
                between()
            self.page.wait_for_timeout(100)  # lets the page's events come in
        return found

    # --- the scene ------------------------------------------------------------------------------
    @property
    def canvas(self) -> dict[str, float]:
        """Where the scene is in the window: x, y, width, height in pixels."""
        found = self.page.evaluate(
            "(({x, y, width, height}) => ({x, y, width, height}))"
            "(window.__viserMutable.canvas.getBoundingClientRect())"
        )
        return {key: float(value) for key, value in found.items()}

    def scene(self) -> NDArray[np.uint8]:
        """Return the scene as it is seen (height, width, 3)."""
        # Not by page.screenshot(): that waits for the page to be idle, which takes its time.
        options = {"format": "png", "clip": {**self.canvas, "scale": 1}}
        shot = base64.b64decode(self._protocol.send("Page.captureScreenshot", options)["data"])
        return np.asarray(np.round(255.0 * imread(io.BytesIO(shot))[..., :3]), np.uint8)

    def spot(self) -> Spot:
        """Return the magenta pixels of the scene, however the light falls on them."""
        red, green, blue = np.moveaxis(self.scene().astype(int), -1, 0)
        magenta = (np.minimum(red, blue) - green > 40) & (np.abs(red - blue) < 50)
        rows, columns = np.nonzero(magenta)
        if not len(rows):
            return Spot(np.full(2, np.nan), 0)
        # The middle of a pixel is half a pixel from its edge.
        return Spot(np.array([columns.mean() + 0.5, rows.mean() + 0.5]), len(rows))

    # --- controls -------------------------------------------------------------------------------
    def tab(self, name: str) -> None:
        """Open a tab of a panel."""
        self.page.get_by_role("tab", name=name, exact=True).click()

    def button(self, name: str) -> Locator:
        """Return a button by what is written on it."""
        return self.page.get_by_role("button", name=name, exact=True)

    def control(self, label: str, which: int = 0) -> Locator:
        """Return the control with a label, of several on the page that one."""
        find = "[...document.querySelectorAll('label')].filter(x => x.textContent === text)[which]"
        arguments = {"text": label, "which": which}
        has = f"({{text, which}}) => {find}?.htmlFor"
        self.page.wait_for_function(has, arg=arguments, polling=POLLING)
        uuid = self.page.evaluate(f"({{text, which}}) => {find}.htmlFor", arguments)
        return self.page.locator(f'[id="{uuid}"]')

    def slider(self, label: str) -> Locator:
        """Return the thumb of a slider, which takes keys."""
        return self.control(label).get_by_role("slider")

    def beside(self, label: str) -> Locator:
        """Return the field beside a slider, which takes numbers."""
        return self.control(label).locator("xpath=following-sibling::*").locator("input")

    def move(self, label: str, value: float, has_arrived: Callable[[], Any]) -> None:
        """Type a number beside a slider until it has arrived.

        A busy page that is still behind may put back what was typed, so it is typed again.
        """
        typed = [0.0]

        def again() -> None:
            if time.monotonic() - typed[0] > PATIENCE:
                self.beside(label).fill(repr(value))
                typed[0] = time.monotonic()

        again()
        self.wait(has_arrived, f"{label} at {value}", again)

    def enter(self, label: str, *values: float, which: int = 0) -> None:
        """Type numbers into a field, or into the fields of a vector."""
        fields = self.control(label, which)
        if len(values) > 1:
            fields = fields.locator("xpath=ancestor::div[3]").locator("input")
        for k, value in enumerate(values):
            fields.nth(k).fill(repr(value))

    def choose(self, label: str, option: str, which: int = 0) -> None:
        """Choose from a list."""
        self.control(label, which).click()
        self.page.get_by_role("option", name=option, exact=True).click()

    # --- what is read ---------------------------------------------------------------------------
    def text(self) -> str:
        """Return all that is written on the page."""
        return str(self.page.locator("body").inner_text())

    def plot(self, title: str) -> dict[str, list[float | None]]:
        """Return the curves of the plot whose title begins so, by name; empty while there is none.

        A gap is None.
        """
        found = self.page.evaluate(
            """title => {
                const all = Object.values(window.__viserTestpoints?.uplots ?? {});
                const of = c => c.root.querySelector('.u-title')?.textContent ?? '';
                const plot = all.map(x => x.chart).find(c => of(c).startsWith(title));
                if (!plot) return {};
                return Object.fromEntries(plot.series.map((s, k) =>
                    [s.label, [...plot.data[k]].map(x => Number.isFinite(x) ? x : null)]));
            }""",
            title,
        )
        return dict(found)
