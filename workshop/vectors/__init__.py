"""Published vectors: standards, Wycheproof, ACVP and CAVP."""
