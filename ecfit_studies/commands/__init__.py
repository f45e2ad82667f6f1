"""The commands: study, report."""
