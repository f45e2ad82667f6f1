"""What is handed over: the library as one file, with its evidence."""
