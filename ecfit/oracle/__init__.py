"""The oracle of right results: elliptic curves in plain Python, and the formats of keys."""
