"""Runs by contract, and the proof that they do what it says: congruence, bounds, safety."""
