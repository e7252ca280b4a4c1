"""The command `robodyn`: one file per sub-command."""
