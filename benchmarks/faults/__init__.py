"""Faults that are injected into a running controller, and how soon it is in its safe form."""
