"""What a command line says: its options, what they mean, and the rows that names stand for."""
