"""Requests and refusals as the diagnostics have them."""

from __future__ import annotations

from robodyn_ros.ros.reports import Level
from robodyn_ros.ros.services.request_log import RequestLog


def test_requests_are_counted_by_service_and_refusals_tell_why() -> None:
    log = RequestLog(["jacobian", "mass_matrix"])
    clients = {"jacobian": 1, "mass_matrix": 0}
    quiet = log.report(0.0, clients)
    assert quiet.level is Level.OK
    assert quiet.values["mass_matrix"] == "0.0 Hz, 0 in all, 0 clients"
    for _ in range(4):
        log.asked("jacobian")
    log.refused("jacobian", "no such frame")
    report = log.report(2.0, clients)
    assert report.level is Level.WARN
    assert "1 refused: jacobian: no such frame" in report.message
    row = report.values["jacobian"]
    assert row.startswith("2.0 Hz, 4 in all, 1 client; 1 refused, 1 in this period: no such")
    later = log.report(4.0, clients)
    assert later.level is Level.OK
    assert "1 refused, 0 in this period" in later.values["jacobian"]
