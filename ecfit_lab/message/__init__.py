"""Signed readings: what a sensor sends, read and verified, and written for tests and studies."""
