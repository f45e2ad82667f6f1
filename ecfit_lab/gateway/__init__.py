"""The gateway: observes sensors, verifies what they send, and keeps each reading exactly once."""
