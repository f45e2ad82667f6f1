"""What generators of random programs share: kinds of items, each with its weight."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Items(Generic[Item]):
    """Kinds of items, each with its weight and what makes one."""

    def __init__(self, rng: random.Random, *kinds: tuple[int, Callable[[], Item]]) -> None:
        self._rng = rng
        self._weights = [weight for weight, _ in kinds]
        self._makers = [make for _, make in kinds]

    def draw(self) -> Item:
        (make,) = self._rng.choices(self._makers, self._weights)
        return make()


class RandomProgram:
    """Grows a random program item by item; an item is one instruction, or several
    that only make sense together.
    """

    end: tuple[int, ...]  # the halfwords that stop it

    def __init__(self, rng: random.Random, *kinds: tuple[int, Callable[[], list[int]]]) -> None:
        self._rng = rng
        self._kinds = Items(rng, *kinds)

    def generate(self, length: int) -> list[int]:
        """About `length` halfwords, and the end."""
        code: list[int] = []
        while len(code) < length:
            code += self.item()
        return [*code, *self.end]

    def item(self) -> list[int]:
        return self._kinds.draw()
