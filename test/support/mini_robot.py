"""Small descriptions that differ in what is mounted where."""

from __future__ import annotations

from tf2_msgs.msg import TFMessage

LINK = '<link name="{}"/>'
FIXED = (
    '<joint name="{0}_mount" type="fixed"><parent link="base"/><child link="{0}"/>'
    '<origin xyz="{1} 0 0"/></joint>'
)
TURNING = (
    '<joint name="{0}" type="revolute"><parent link="{1}"/><child link="{2}"/>'
    '<origin xyz="{3} 0 0"/><axis xyz="0 0 1"/>'
    '<limit lower="-1" upper="1" velocity="1" effort="1"/></joint>'
)


def robot(*, at: float = 0.0, hand: bool = False, **fixed: float) -> str:
    """Return a URDF with one turning arm.

    Args:
        at: Where the arm turns, x in m.
        hand: Whether a link "hand" turns at its end, by the joint "grip".
        fixed: Links mounted on the base, with their x in m.
    """
    moving = [TURNING.format("turn", "base", "arm", at)]
    names = ["base", "arm", *fixed]
    if hand:
        names.append("hand")
        moving.append(TURNING.format("grip", "arm", "hand", 1.0))
    links = "".join(map(LINK.format, names))
    mounts = "".join(FIXED.format(name, x) for name, x in fixed.items())
    return f'<robot name="mini">{links}{"".join(moving)}{mounts}</robot>'


def mounts(message: TFMessage) -> dict[str, float]:
    """Return the x of every child in a message of transforms, m."""
    return {t.child_frame_id: t.transform.translation.x for t in message.transforms}
