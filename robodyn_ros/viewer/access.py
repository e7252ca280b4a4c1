"""Who may talk to the page: its own pages, on this machine or on hosts that were named.

A browser lets any web page open a WebSocket to any address, this machine's among them, and says in
the `Origin` header whose page asks. It also resolves names as their owners like, so that a foreign
page may come to carry a name that leads here; the `Host` header still has that name.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from robodyn_ros.errors import ArgumentError, quoted

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_WILDCARDS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - recognised, not bound
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Access:
    """Which requests are answered.

    Attributes:
        host: the address that the server is bound to.
        origins: origins beside the page's own, as browsers write them, "https://robots.example".
    """

    host: str
    origins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Bring the origins into the form that browsers send.

        Raises:
            ArgumentError: an origin that is none.
        """
        object.__setattr__(self, "origins", tuple(map(_origin, self.origins)))

    def refusal(self, host: str | None, origin: str | None) -> str | None:
        """Return why a request is refused, None for one that is not.

        Args:
            host: its `Host` header.
            origin: its `Origin` header, which browsers send with every WebSocket; what has none is
                no page of a browser.
        """
        name = _host_name(host)
        if name is None or not self._is_ours(name):
            return (
                f"the page is not served under the name {quoted(host or '')}; use the address that"
                " was printed at the start, or name this one among the viewer's origins"
            )
        if origin is None or origin in self.origins or _same(origin, host or ""):
            return None
        return (
            f"pages of {quoted(origin)} may not connect; if they shall, name it among the viewer's"
            " origins"
        )

    def _is_ours(self, name: str) -> bool:
        """Return whether a host's name is one under which the page is served."""
        named = {urlsplit(origin).hostname for origin in self.origins}
        if name in LOOPBACK_NAMES or name == self.host.lower() or name in named:
            return True
        if self.host not in _WILDCARDS:
            return False
        # No one else can make a bare address, or this machine's own name, lead to their page.
        own = socket.gethostname().lower()
        return _is_address(name) or name in (own, f"{own}.local", socket.getfqdn().lower())


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches what is bound to `host`."""
    if host.lower() in LOOPBACK_NAMES:
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _host_name(host: str | None) -> str | None:
    """Return the name in a `Host` header, without its port; None for what is none."""
    if not host or any(character in host for character in "/@?#\\ "):
        return None
    found = _split(f"http://{host}")
    return None if found is None else found.hostname


def _same(origin: str, host: str) -> bool:
    """Return whether an origin is that of the page under `host`, a `Host` header."""
    found = _split(origin)
    if found is None or found.scheme not in _DEFAULT_PORTS or found.path or found.query:
        return False
    other = _split(f"{found.scheme}://{host}")
    return other is not None and _place(found) == _place(other)


def _place(url: SplitResult) -> tuple[str | None, int]:
    """Return host and port; the loopback's names are one."""
    name = "localhost" if url.hostname in LOOPBACK_NAMES else url.hostname
    return name, url.port or _DEFAULT_PORTS[url.scheme]


def _split(text: str) -> SplitResult | None:
    """Return the parts of a URL, None where it is none."""
    try:
        found = urlsplit(text)
        _ = found.port
    except ValueError:
        return None
    return found


def _origin(given: str) -> str:
    """Return an origin as browsers write it: scheme, host, and a port that is not the scheme's."""
    found = _split(given.strip().rstrip("/"))
    if (
        found is None
        or found.scheme not in _DEFAULT_PORTS
        or not found.hostname
        or found.path
        or found.query
        or found.fragment
        or "@" in found.netloc
        or "*" in found.netloc
    ):
        raise ArgumentError(
            f"origin {quoted(given)} must be http://HOST or https://HOST, with :PORT where it has"
            " one, such as https://robots.example"
        )
    name = f"[{found.hostname}]" if ":" in found.hostname else found.hostname
    port = found.port
    usual = port is None or port == _DEFAULT_PORTS[found.scheme]
    return f"{found.scheme}://{name}" if usual else f"{found.scheme}://{name}:{port}"


def origins_of(text: str | Iterable[str]) -> tuple[str, ...]:
    """Return origins that were given as one text, separated by commas, or one by one."""
    words = text.split(",") if isinstance(text, str) else text
    return tuple(word.strip() for word in words if word.strip())
