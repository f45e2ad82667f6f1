"""Exact polynomials with ranges, what relations they have, and what Z3 says of them."""
