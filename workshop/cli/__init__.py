"""The command line from outside, and a browser for what it writes."""
