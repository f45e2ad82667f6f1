"""The native simulator (sim/) behind a typed interface."""
