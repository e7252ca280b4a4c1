"""`~/model_report`: what the model holds."""

from __future__ import annotations

from typing import Any

from robodyn_ros.ros.services.subject import Subject


def fill(subject: Subject, request: Any, reply: Any) -> None:
    """Fill the reply's text and JSON."""
    report = subject.robot.report()
    reply.text = report.text()
    reply.json = report.json()
