"""The simulator as its tests use it: builds, oracles, random programs."""
