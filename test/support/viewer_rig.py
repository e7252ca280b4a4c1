"""A running viewer with the nodes that it shows, and pages that look at it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from node_process import NodeProcess
from page_client import PageClient
from publisher_setup import ARM
from ros_graph import Graph


class ViewerRig:
    """A viewer in a process of its own."""

    def __init__(self, graph: Graph, *more: str, **parameters: Any) -> None:
        """Start it on a free port, and wait until its page is served.

        Args:
            graph: Where.
            more: Further ROS arguments.
            parameters: Parameters of the node.
        """
        self.graph = graph
        self.process: NodeProcess = graph.start("viewer", parameters, *more)
        line = self.process.wait_for("viewer at http")
        found = re.search(r"http://\S+", line)
        assert found is not None
        self.address = found.group()

    def open(self) -> PageClient:
        """Open a page."""
        return PageClient(self.address)


def start_robot(
    graph: Graph, source: str, path: Path = ARM, server: str = "robodyn_node", *more: str
) -> dict[str, NodeProcess]:
    """Start what moves a robot, and the node that follows it; return them by name."""
    found = {
        server: graph.start(server, {"robot_description_file": path}, *more),
        source: graph.start(source, {}, *more),
    }
    for process in found.values():
        process.wait_for("robot '")
    return found
