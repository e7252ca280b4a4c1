"""What is said of measured efforts that are not the model's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bag_files import joint_state, stamps, states
from robodyn_ros.bags import Choices, Conditioning, replay, write_replay

CHOICES = Choices(conditioning=Conditioning(filtered_acceleration=False))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("model", ""),
        ("compensated", "as if the driver held the weight itself: 'joint"),
        ("heavier", r"had another weight: 'joint\d' \(\+30 %\)"),
        ("negative", r"a multiple of the model's: 'joint\d' \(-1\)"),
        ("amperes", r"a multiple of the model's: 'joint\d' \(0.05\)"),
    ],
)
def test_hints(make, arm, tmp_path: Path, kind: str, text: str) -> None:
    names = arm.model.coordinate_names
    t, q, v, _ = states(200, len(names))
    terms = arm.effort_terms(q, v)
    sent = {
        "model": terms.total,
        "compensated": terms.total - terms.gravity,
        "heavier": terms.total + 0.3 * terms.gravity,
        "negative": -terms.total,
        "amperes": 0.05 * terms.total,
    }[kind]
    bag = make([joint_state(names, q[k], v[k], sent[k], stamp=s) for k, s in enumerate(stamps(t))])
    summary = write_replay(replay(bag, arm, CHOICES), tmp_path / "out", report=False)
    hints = [note for note in summary["notes"] if " as if " in note or "multiple" in note]
    if text:
        assert hints
        assert any(re.search(text, hint) for hint in hints)
    else:
        assert not hints
