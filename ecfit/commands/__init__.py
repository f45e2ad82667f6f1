"""The commands, a module each: from what was asked for to records, a text and an exit code."""
