"""What tests, proofs and sweeps share: where things are, and how large the samples are."""
