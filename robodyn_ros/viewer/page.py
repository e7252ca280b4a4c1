"""A page in the browser, served from this process, on which scenes and panels are put."""

from __future__ import annotations

import atexit
import contextlib
import errno
import socket
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from robodyn_ros.errors import ArgumentError, RobodynError, quoted
from robodyn_ros.viewer.access import Access, is_loopback, origins_of
from robodyn_ros.viewer.guarded_server import guarded_server, quiet

if TYPE_CHECKING:
    import viser

_PORTS = 65536
_FARTHEST = 1e4
"""m; cameras and grids keep to this."""
_VIEW = np.array([1.7, -1.4, 0.9])
"""From where a scene is looked at, in radii of it."""
_BACKGROUND = (216, 222, 230)
_CELLS = 10
"""Cells of the ground from its middle to its edge."""


class Page:
    """A page that browsers on this machine can open, any number of them at once.

    Pages from elsewhere cannot connect to it: see `Access`. Use it as a context manager, or close
    it; it is closed when the process ends.

    Attributes:
        server: viser's server; `server.scene` and `server.gui` take what is to be seen.
        host: the address that it is bound to.
        port: the port, which was chosen where 0 was asked for.
        warning: what an operator ought to know about who may connect; None if nothing.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 8080,
        *,
        title: str = "robodyn",
        origins: Iterable[str] | str = (),
    ) -> None:
        """Serve the page.

        Args:
            host: address to bind to; with another than the loopback's, others on the network can
                see and command what the page does.
            port: 0 to 65535; 0 for any free one.
            title: of its panel.
            origins: origins beside its own whose pages may connect, such as a proxy's
                ("https://robots.example"); in one text, separated by commas, or one by one.

        Raises:
            ArgumentError: an origin or a port that is none.
            RobodynError: the address or port cannot be had, or viser is not installed.
        """
        access = Access(host, origins_of(origins))
        self.host = host
        self._bound = _bound_socket(host, port)
        try:
            self.port = int(self._bound.getsockname()[1])
            self.server: viser.ViserServer = guarded_server(self._bound, access, title)
        except BaseException:
            self._bound.close()
            raise
        self.warning = None if is_loopback(host) else _warning(host, self.port)
        self._closed = False
        self._ground: Any = None
        self.server.gui.configure_theme(show_logo=False, show_share_button=False)
        self.server.gui.main_panel.dock_right()
        # Shadows take as long as all else where pictures are made without a graphics card.
        self.server.scene.configure_default_lights(cast_shadow=False)
        self.server.scene.set_background_image(np.full((2, 2, 3), _BACKGROUND, dtype=np.uint8))
        atexit.register(self.close)

    @property
    def address(self) -> str:
        """What to open in a browser on this machine."""
        everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104
        host = everywhere.get(self.host, self.host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def clients(self) -> int:
        """How many browsers show the page."""
        return len(self.server.get_clients())

    def __enter__(self) -> Page:
        """Return the page."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the page."""
        self.close()

    def close(self) -> None:
        """Disconnect all browsers and free the port; again does nothing."""
        if self._closed:
            return
        self._closed = True
        atexit.unregister(self.close)
        with quiet():
            self.server.stop()
        self._bound.close()

    @contextlib.contextmanager
    def atomic(self) -> Iterator[None]:
        """Let browsers apply together what is changed within."""
        with self.server.atomic():
            yield

    def look_at(self, center: ArrayLike, radius: float) -> None:
        """Put cameras of browsers that connect from now on, and the ground, as fits a scene.

        Args:
            center: (3,) the middle of the scene, m.
            radius: of a sphere about it that holds the scene, m.
        """
        middle = np.clip(np.nan_to_num(np.asarray(center, dtype=float)), -_FARTHEST, _FARTHEST)
        radius = float(np.clip(np.nan_to_num(radius, nan=1.0), 1e-3, _FARTHEST))
        camera = self.server.initial_camera
        camera.look_at = middle
        camera.position = middle + radius * _VIEW
        camera.up = np.array([0.0, 0.0, 1.0])
        camera.near, camera.far = 0.01 * radius, 200.0 * radius
        cell = _round_length(radius / 4.0)
        side = 2.0 * _CELLS * cell
        self._ground = self.server.scene.add_grid(
            "/ground", side, side, plane="xy", cell_size=cell, section_size=5.0 * cell
        )

    @property
    def ground_visible(self) -> bool:
        """Whether the ground's grid is shown; may be set."""
        return self._ground is not None and bool(self._ground.visible)

    @ground_visible.setter
    def ground_visible(self, visible: bool) -> None:
        if self._ground is not None:
            self._ground.visible = bool(visible)


def _round_length(length: float) -> float:
    """Return about the largest of 1, 2, 5 times a power of ten that is not above `length`."""
    power = 10.0 ** np.floor(np.log10(length) + 1e-9)
    return float(power * max(x for x in (1.0, 2.0, 5.0) if x == 1.0 or x * power <= length))


def _bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket bound to an address, or raise with the remedy."""
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port < _PORTS:
        raise ArgumentError(f"port must be a whole number from 0 to {_PORTS - 1}, got {port!r}")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        raise RobodynError(
            f"host {quoted(host)} cannot be found ({_reason(error)}); give an address of this"
            " machine, such as 127.0.0.1"
        ) from None
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen()  # until one of them listens, several sockets may have the same port
    except OSError as error:
        bound.close()
        raise RobodynError(_no_port(host, port, error)) from None
    return bound


def _no_port(host: str, port: int, error: OSError) -> str:
    """Return why a port cannot be had, and what to do."""
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} of {host} is taken, perhaps by another viewer; end that, or choose"
            " another port (0: any free one)"
        )
    if error.errno == errno.EACCES:
        return f"port {port} of {host} needs privileges; choose one above 1023 (0: any free one)"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{quoted(host)} is no address of this machine; give 127.0.0.1, or one of its own"
    return f"port {port} of {host} cannot be served: {_reason(error)}"


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _warning(host: str, port: int) -> str:
    return (
        f"the page is served on {host or '0.0.0.0'}, port {port}: anyone on the network can open it"  # noqa: S104
        " and do what it allows; bind to 127.0.0.1 to keep it to this machine"
    )
