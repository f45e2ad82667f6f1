"""Field arithmetic without loops, for any prime: programs that back ends turn into assembly."""
