"""The delivery: the library as one file, with its evidence."""
