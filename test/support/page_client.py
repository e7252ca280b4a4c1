"""A browser's part of the viewer's page without the browser: its WebSocket, spoken by hand.

What a page sends is kept as the page would have it: controls with their values and texts, and where
the nodes of the scene are. What a person does with a control is sent as a page sends it.
"""

from __future__ import annotations

import contextlib
import html
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import msgspec
import numpy as np
import viser
import zstandard
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

DEADLINE = 60.0
"""Every wait ends by then; generous, because the machine may be busy with something else."""
_CAMERA = {
    "type": "ViewerCameraMessage",
    "wxyz": (1.0, 0.0, 0.0, 0.0),
    "position": (1.0, 0.0, 1.0),
    "fov": 0.8,
    "near": 0.01,
    "far": 100.0,
    "image_height": 600,
    "image_width": 800,
    "look_at": (0.0, 0.0, 0.0),
    "up_direction": (0.0, 0.0, 1.0),
}


@dataclass
class Control:
    """A control of the page.

    Attributes:
        uuid: Its name for the server.
        kind: Type of the message that made it, "GuiSliderMessage".
        container: The uuid of what it lies in.
        props: Its properties, "value" among them where it has one.
    """

    uuid: str
    kind: str
    container: str
    props: dict[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """What it is called on the page."""
        return str(self.props.get("label") or self.props.get("title") or "")

    @property
    def value(self) -> Any:
        """Its value."""
        return self.props["value"]


class PageClient:
    """One page that is open; use it as a context manager."""

    def __init__(self, address: str, *, origin: str | None = None) -> None:
        """Connect, and tell of a camera, as pages do; then the server counts us.

        Args:
            address: "http://127.0.0.1:8080".
            origin: What a browser would say whose page asks; by default that page's own.
        """
        place = urlsplit(address).netloc
        self._socket = connect(
            f"ws://{place}",
            origin=Origin(origin or address),
            subprotocols=[Subprotocol(f"viser-v{viser.__version__}")],
            compression=None,
            max_size=None,
        )
        self.controls: dict[str, Control] = {}
        self.positions: dict[str, tuple[float, ...]] = {}
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        self._send(_CAMERA)

    def __enter__(self) -> PageClient:
        """Return the page."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the page."""
        self.close()

    def close(self) -> None:
        """Close the page."""
        self._socket.close()
        self._thread.join(DEADLINE)

    def find(self, label: str, *within: str) -> Control | None:
        """Return the control of a label that lies in folders and tabs of these labels, if any."""
        with self._lock:
            all_of_it = [x for x in self.controls.values() if x.label == label]
            controls = [x for x in all_of_it if x.kind != "GuiFolderMessage"]
            found = [x for x in controls if set(within) <= set(self._path(x))]
        assert len(found) <= 1, (label, [list(self._path(x)) for x in found])
        return found[0] if found else None

    def get(self, label: str, *within: str) -> Control:
        """Return such a control; it must be there soon."""
        self.wait(lambda: self.find(label, *within) is not None, f"control {label!r}")
        found = self.find(label, *within)
        assert found is not None
        return found

    def set(self, label: str, value: Any, *within: str) -> None:
        """Give a control a value, as a person does."""
        control = self.get(label, *within)
        self._send({"type": "GuiUpdateMessage", "uuid": control.uuid, "updates": {"value": value}})
        control.props["value"] = value

    def click(self, label: str, *within: str) -> None:
        """Press a button that is not grey."""
        control = self.get(label, *within)
        self.wait(lambda: not control.props["disabled"], f"button {label!r} to press")
        self.press(label, *within)

    def press(self, label: str, *within: str) -> None:
        """Press a button, grey or not; a real page does not press a grey one."""
        control = self.get(label, *within)
        self._send({"type": "GuiUpdateMessage", "uuid": control.uuid, "updates": {"value": True}})

    @property
    def text(self) -> str:
        """All that stands on the page as text, a line each."""
        with self._lock:
            contents = [str(x.props.get("content", "")) for x in self.controls.values()]
        lines = re.sub(r"</div>|</tr>", "\n", "\n".join(contents))
        return html.unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", lines))

    def wait(self, condition: Callable[[], Any], what: str, timeout: float = DEADLINE) -> None:
        """Wait until a condition holds."""
        end = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(
                    f"waited {timeout} s in vain for {what}; page:\n{self.text[:3000]}"
                )
            time.sleep(0.02)

    def _path(self, control: Control) -> Iterator[str]:
        container = control.container
        while container != "root":
            above = self.controls.get(container)
            if above is not None:
                yield above.label
                container = above.container
                continue
            group, label = self._tab(container)
            if group is None:
                return
            yield label
            container = group.container

    def _tab(self, container: str) -> tuple[Control | None, str]:
        for group in self.controls.values():
            ids = group.props.get("_tab_container_ids") or ()
            if container in ids:
                return group, group.props["_tab_labels"][list(ids).index(container)]
        return None, ""

    def _send(self, message: dict[str, Any]) -> None:
        self._socket.send(msgspec.msgpack.encode(message))

    def _read(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            for data in self._socket:
                assert isinstance(data, bytes)
                with self._lock:
                    for message in _messages(data):
                        self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "GuiUpdateMessage":
            if message["uuid"] in self.controls:
                self.controls[message["uuid"]].props.update(message["updates"])
        elif kind == "GuiRemoveMessage":
            self.controls.pop(message["uuid"], None)
        elif kind == "SetPositionMessage":
            self.positions[message["name"]] = tuple(message["position"])
        elif kind.startswith("Gui") and "props" in message:
            props = dict(message["props"])
            if "value" in message:
                props["value"] = message["value"]
            container = message.get("container_uuid", "root")
            self.controls[message["uuid"]] = Control(message["uuid"], kind, container, props)


def _messages(data: bytes) -> list[dict[str, Any]]:
    """Return the messages of one frame: packed texts, then the numbers of arrays."""
    size = int.from_bytes(data[8:16], "little")
    packed = zstandard.ZstdDecompressor().decompress(data[16 : 16 + size])
    content = msgspec.msgpack.decode(packed)
    arrays, at = [], 16 + size
    for length in content["binaryBufferLengths"]:
        at += -at % 8
        arrays.append(data[at : at + length])
        at += length
    return [_filled(message, arrays) for message in content["messages"]]


def _filled(value: Any, arrays: list[bytes]) -> Any:
    """Return a message with arrays in their places."""
    if isinstance(value, dict):
        if "__binary_index" in value:
            return np.frombuffer(arrays[value["__binary_index"]], dtype=value["dtype"])
        return {key: _filled(x, arrays) for key, x in value.items()}
    if isinstance(value, list):
        return [_filled(x, arrays) for x in value]
    return value
