"""When Python looks for garbage: not while messages are to be answered at once.

A look at all objects of a node with its robot takes some 80 ms, in which no thread of it runs:
longer than a controller's states may be late. Objects that are frozen are not looked at.
"""

from __future__ import annotations

import gc


def keep() -> None:
    """Take what there is for no garbage; at once."""
    gc.freeze()


def sweep() -> None:
    """Look for garbage everywhere, once; some 100 ms."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
