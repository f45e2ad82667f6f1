"""Primes and orders that `ecfit.choices.curves` has no number for."""

from __future__ import annotations

P25519 = (1 << 255) - 19
P448 = (1 << 448) - (1 << 224) - 1
ORDER_25519 = (1 << 252) + 27742317777372353535851937790883648493  # RFC 8032, 5.1
ORDER_448 = (1 << 446) - 13818066809895115352007386748515426880336692474882178609894547503885  # 5.2
