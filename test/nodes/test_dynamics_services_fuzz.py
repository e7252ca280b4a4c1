"""Thousands of fuzzed requests: no exception, no wrong success, flat memory, and alive after."""

from __future__ import annotations

import gc
import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rclpy
from rclpy.context import Context

from checked_answers import Answers
from dynamics_rig import KINDS, Host, ServiceNode
from fuzzed_requests import Fate, Fuzzed, Fuzzer
from robots import OWN_ROBOTS, loaded, random_state
from ros_graph import Graph
from spinning import Spinning

PAGE = os.sysconf("SC_PAGE_SIZE")
ROBOTS = {
    "every_joint": ("fixed", 3400),
    "mimic_chain": ("floating", 3300),
    "massless_tip": ("fixed", 3300),
}
OVER_DDS = 400
MORE_OBJECTS = 1000
MORE_MEMORY = 24_000_000


def host_of(name: str, base: str) -> tuple[Host, tuple[str, ...]]:
    """Return a host whose robot moves, and the joint that was not measured."""
    host = Host(loaded(OWN_ROBOTS / f"{name}.urdf", base))
    q, v, _ = random_state(host.model, 11)
    silent = host.model.joint_names[-1:]
    host.measure(q, v, stamp=5 * 10**9, **dict.fromkeys(silent, "never received"))
    return host, silent


def judged(host: Host, fuzzed: Fuzzed, reply: Any) -> Fate:
    """Fail where a reply is not what it must be; return what became of the request."""
    service, request, fate = fuzzed
    if reply.success:
        assert fate is not Fate.REFUSED, request
        Answers(host).require_right(service, request, reply)
        return Fate.ANSWERED
    text = reply.message
    assert text
    assert "\n" not in text
    assert not text.startswith("a fault of the server"), (text, request)
    singular = service == "forward_dynamics" and "singular" in text
    assert fate is not Fate.ANSWERED or singular, (text, request)
    assert reply == type(reply)(message=text), "a refused request has nothing in its reply"
    return Fate.REFUSED


def resident() -> int:
    """Return the process's resident memory, bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


@pytest.mark.parametrize("name", ROBOTS)
def test_ten_thousand_requests_to_the_handlers(name: str) -> None:
    base, count = ROBOTS[name]
    host, silent = host_of(name, base)
    fuzzer = Fuzzer(host.model, seed=len(name), silent=silent)
    context = Context()
    rclpy.init(context=context)
    node = ServiceNode(host, f"fuzzed_{name}", context=context)
    fates: Counter[tuple[str, Fate]] = Counter()
    try:
        for number in range(count):
            if number == count // 2:
                gc.collect()
                objects, memory = len(gc.get_objects()), resident()
            fuzzed = fuzzer.next()
            fates[fuzzed.service, judged(host, fuzzed, node.answer(*fuzzed[:2]))] += 1
        gc.collect()
        assert len(gc.get_objects()) - objects < MORE_OBJECTS
        assert resident() - memory < MORE_MEMORY
        for service in KINDS:
            assert fates[service, Fate.ANSWERED] > 20, fates
            assert service == "model_report" or fates[service, Fate.REFUSED] > 20, fates
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)


def test_hundreds_of_requests_over_dds() -> None:
    host, silent = host_of("every_joint", "fixed")
    spinning = Spinning(lambda context: ServiceNode(host, "fuzzed", context=context))
    graph = Graph()
    try:
        clients = {
            name: graph.node.create_client(kind, f"/fuzzed/{name}") for name, kind in KINDS.items()
        }
        for name, client in clients.items():
            graph.wait(client.service_is_ready, f"service {name}")
        fuzzer = Fuzzer(host.model, seed=1, silent=silent)
        for _ in range(OVER_DDS):
            fuzzed = fuzzer.next()
            future = clients[fuzzed.service].call_async(fuzzed.request)
            graph.wait(future.done, f"the reply of {fuzzed}")
            judged(host, fuzzed, future.result())
        good = KINDS["mass_matrix"].Request(position=np.zeros(host.model.nv).tolist())
        assert graph.call(KINDS["mass_matrix"], "/fuzzed/mass_matrix", good).success
    finally:
        spinning.close()
        graph.close()
