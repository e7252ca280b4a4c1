"""The controller nodes: lifecycle, commands out, references in, watchdogs."""
