"""What gen_armv6m.py writes, by what it computes."""
