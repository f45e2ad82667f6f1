"""Rows measured: built, run, kept in the store; and what is estimated from their counts."""
