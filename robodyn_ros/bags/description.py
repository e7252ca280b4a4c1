"""The robot description that a bag holds."""

from __future__ import annotations

from robodyn_ros.bags.bag_file import STRING, BagFile
from robodyn_ros.errors import ArgumentError, quoted

NAME = "robot_description"


def recorded_description(bag: BagFile, topic: str | None = None) -> str:
    """Return the text of a bag's robot description, the first where it changes."""
    return recorded_descriptions(bag, topic)[0]


def recorded_descriptions(bag: BagFile, topic: str | None = None) -> list[str]:
    """Return the different texts of a bag's robot description, oldest first.

    Args:
        bag: An open bag.
        topic: The joint states' topic; a description of the same namespace is preferred.

    Raises:
        ArgumentError: there is none, or several that differ.
    """
    topics = [x for x in bag.topics(STRING) if x == NAME or x.endswith(f"/{NAME}")]
    namespace = (topic or "").rpartition("/")[0]
    own = [x for x in topics if x == f"{namespace}/{NAME}"]
    texts = {name: found for name in own or topics if (found := bag.texts(name))}
    if not texts:
        raise ArgumentError(
            f"bag {quoted(str(bag.path), 200)} has no {NAME}: give the robot by --description"
        )
    different = {found[0] for found in texts.values()}
    if len(different) > 1:
        listed = ", ".join(quoted(name) for name in texts)
        raise ArgumentError(
            f"the bag has several robot descriptions ({listed}): give one by --description, or name"
            " the joint states by --topic"
        )
    return next(iter(texts.values()))
