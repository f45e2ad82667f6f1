"""What is right: elliptic curves in plain Python, and the formats of keys."""
