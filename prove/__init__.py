"""Proofs about the object code of the library's assembly: docs/proved.md says what they mean."""
