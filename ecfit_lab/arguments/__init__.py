"""The options of the lab's commands."""
