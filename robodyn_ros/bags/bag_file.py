"""Recorded messages, as bytes in the order in which they were recorded: rosbag2, SQLite or MCAP."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

from robodyn_ros.errors import ArgumentError, RobodynError, quoted

if TYPE_CHECKING:
    from rosbags.interfaces import Connection

JOINT_STATE = "sensor_msgs/msg/JointState"
MULTI_DOF = "sensor_msgs/msg/MultiDOFJointState"
STRING = "std_msgs/msg/String"
FILES = (".db3", ".mcap")
BATCH = 4_096
"""Messages that are read together."""
SECOND = 1_000_000_000
_PATH_SHOWN = 200
_INSTALL = "pip install 'robodyn_ros[bags]'"


class Batch(NamedTuple):
    """Messages in the order in which they were recorded.

    Attributes:
        kind: Which of the topics asked for each is of.
        received: When they were recorded, ns.
        data: Their bytes.
    """

    kind: list[int]
    received: tuple[int, ...]
    data: tuple[bytes, ...]


def require_rosbags() -> None:
    """Raise RobodynError where rosbags is not installed."""
    try:
        import rosbags.rosbag2  # noqa: F401
    except ImportError as error:
        raise RobodynError(f"bags need rosbags: {error}; {_INSTALL}") from None


class BagFile:
    """An open bag; a context manager.

    Attributes:
        path: Where it is.
        start, end: Times of the first message recorded, and after the last one, ns.
        count: Number of messages, of all topics.
    """

    def __init__(self, path: str | Path) -> None:
        """Open a bag.

        Args:
            path: A rosbag2 folder, or a .db3 or .mcap file.

        Raises:
            ArgumentError: there is none, or what is there cannot be read.
            RobodynError: rosbags is not installed.
        """
        require_rosbags()
        from rosbags.rosbag2 import Reader
        from rosbags.typesys import Stores, get_typestore

        self.path = Path(path)
        self._name = quoted(str(path), _PATH_SHOWN)
        _require_bag(self.path, self._name)
        self.types = get_typestore(Stores.LATEST)
        try:
            self._reader = Reader(self.path)
            self._reader.open()
        except Exception as error:  # noqa: BLE001 - damaged files raise whatever comes first
            raise self._damaged(error) from None
        self.start, self.end = self._reader.start_time, self._reader.end_time
        self.count = self._reader.message_count

    def __enter__(self) -> BagFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close it."""
        with suppress(Exception):
            self._reader.close()

    def topics(self, type_name: str) -> dict[str, int]:
        """Return the topics of a type, in alphabetic order, with their numbers of messages."""
        found: dict[str, int] = {}
        for connection in self._reader.connections:
            if connection.msgtype == type_name:
                found[connection.topic] = found.get(connection.topic, 0) + connection.msgcount
        return dict(sorted(found.items()))

    def type_of(self, topic: str) -> str | None:
        """Return the type of a topic, None where it is not in the bag."""
        kinds = (x.msgtype for x in self._reader.connections if x.topic == topic)
        return next(kinds, None)

    def batches(
        self,
        topics: Sequence[tuple[str, str]],
        start: int | None = None,
        stop: int | None = None,
        *,
        size: int = BATCH,
    ) -> Iterator[Batch]:
        """Yield the messages of topics, given as (name, type), as they were recorded.

        Args:
            topics: Their places are the `kind` of what is yielded.
            start: Time of recording from which on they count, ns.
            stop: Time of recording before which they count, ns.
            size: Messages in a batch, but for the last one.

        Raises:
            ArgumentError: the bag is damaged.
        """
        connections: list[Connection] = []
        kinds: dict[Any, int] = {}
        for connection in self._reader.connections:
            key = (connection.topic, connection.msgtype)
            if key in topics:
                connections.append(connection)
                kinds[connection.id] = topics.index(key)
        if not connections:
            return
        messages = iter(self._reader.messages(connections, start, stop))
        while True:
            try:
                found = list(islice(messages, size))
            except Exception as error:  # noqa: BLE001 - damaged files raise whatever comes first
                raise self._damaged(error) from None
            if not found:
                return
            of, received, data = zip(*found, strict=True)
            yield Batch([kinds[x.id] for x in of], received, data)

    def texts(self, topic: str) -> list[str]:
        """Return the different texts of a std_msgs/String topic, oldest first."""
        found: dict[str, None] = {}
        for batch in self.batches([(topic, STRING)]):
            for data in batch.data:
                with suppress(Exception):
                    found[self.read(data, STRING).data] = None
        return list(found)

    def read(self, data: bytes, type_name: str) -> Any:
        """Return a message as rosbags reads it; raises what rosbags does where it cannot."""
        return self.types.deserialize_cdr(data, type_name)

    def _damaged(self, error: Exception) -> ArgumentError:
        what = " ".join(str(error).split()) or type(error).__name__
        remedy = (
            "'ros2 bag reindex' and 'mcap recover' mend bags whose recorder was killed"
            if not isinstance(error, PermissionError)
            else "look at its permissions"
        )
        return ArgumentError(f"bag {self._name} cannot be read: {what[:300]}; {remedy}")


def only_topic(bag: BagFile, type_name: str, asked: str | None, option: str) -> str | None:
    """Return the topic of a type to be read: that asked for, or the only one; None for none.

    Args:
        bag: The bag.
        type_name: The type.
        asked: Its name, None where it is left open.
        option: What says which, for the error.

    Raises:
        ArgumentError: no such topic, one of another type, or several and none asked for.
    """
    found = bag.topics(type_name)
    short = type_name.rpartition("/")[2]
    if asked is not None:
        for name in (asked, f"/{asked}"):
            if name in found:
                return name
        other = bag.type_of(asked)
        what = f"has the type {other}" if other else "is not in the bag"
        raise ArgumentError(f"topic {quoted(asked)} {what}; {short} topics: {_listed(found)}")
    used = {name: count for name, count in found.items() if count} or found
    if len(used) > 1:
        raise ArgumentError(
            f"the bag has several {short} topics, name one by {option}: {_listed(used)}"
        )
    return next(iter(used), None)


def _listed(topics: dict[str, int]) -> str:
    texts = [f"{quoted(name)[1:-1]} ({count} messages)" for name, count in topics.items()]
    return ", ".join(texts) or "none"


def _require_bag(path: Path, name: str) -> None:
    """Raise ArgumentError where there is nothing that could be a bag."""
    if "\0" in str(path) or not _exists(path, name):
        raise ArgumentError(
            f"there is no bag {name}; give a rosbag2 folder, or a .db3 or .mcap file"
        )
    if not path.is_dir():
        if path.suffix not in FILES:
            raise ArgumentError(f"{name} is no bag: give a rosbag2 folder, or a .db3 or .mcap file")
        return
    if not (path / "metadata.yaml").exists():
        files = sorted(file.name for file in path.iterdir() if file.suffix in FILES)
        remedy = (
            f"'ros2 bag reindex' makes one, or give the file {quoted(files[0])} in it alone"
            if files
            else "a rosbag2 folder has one"
        )
        raise ArgumentError(f"folder {name} has no metadata.yaml: {remedy}")


def _exists(path: Path, name: str) -> bool:
    try:
        return path.exists()
    except OSError as error:  # such as a name that is too long
        raise ArgumentError(f"{name} cannot be read: {error.strerror}") from None
