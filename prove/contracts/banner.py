"""Contracts, read from the banners of the assembly: they are written nowhere else.

A banner says what a routine computes, from operands of which length and bound, what bound the
result has, and which registers are kept. `workshop/assembly/routines.py` finds the banners.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ecfit.choices.curves import CURVES
from prove.algebra.primes import P448, P25519
from prove.contracts.cases import cases, variants
from prove.contracts.contract import FLAGS_GE, HELD, Contract, Goal, Operand
from prove.contracts.expression import Term, number, parse
from prove.contracts.idioms import special
from prove.contracts.sources import banners

RV_NAMES = ["zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1"]
RV_NAMES += [f"{a}{i}" for a, n, k in (("a", 0, 8), ("s", 2, 12), ("t", 3, 7)) for i in range(n, k)]
SAVED = {"arm": tuple(range(4, 12)), "rv": (8, 9, *range(18, 28))}
LENGTHS = {"ecfit_mp_add": 8, "ecfit_mp_sub": 8, "ecfit_mp_cmov": 8, "ecfit_mp_cswap": 8,
           "ecfit_mp_mac_row": 8, "ecfit_mp_mul_blocks": 8, "ecfit_mp_lookup": 8,
           "ecfit_mp_lookup_words": 8, "ecfit_mod_once_8": 8, "ecfit_mod_once_12": 12,
           "ecfit_mod_once_16": 16, "ecfit_mod_redc": 8, "ecfit_mod_mul": 8,
           "ecfit_mp_lookup_16": 16, "ecfit_mul64": 2, "ecfit_sqr64": 2}  # fmt: skip
"""Lengths in words at which routines that take any are proved: those of the presets' curves."""
TAIL = "the end of a product: "
NO_CONTRACT = "its banner is in no form that the prover reads"


class Unread(Exception):
    """A banner says something that the prover does not read."""


def prime(name: str) -> int | None:
    """The prime of the field that a name is of."""
    if "p25519" in name:
        return P25519
    if "p448" in name:
        return P448
    found = re.search(r"secp\w+?[rk]1|brainpoolP\d+r1", name)
    return CURVES[found[0]].p if found else None


def contracts(backend: str, name: str) -> list[Contract]:
    """Those of a routine: one for each modulus. Errors: Unread."""
    text = banners(backend).get(name)
    if text is None:
        raise Unread("it has no banner of its own")
    found: list[Contract] = []
    for said, numbers in variants(text):
        made = Reader(backend, name, said).contract()
        for n, x in numbers.items():
            made = replace(made, numbers=made.numbers | {n: x}, case=f"register {n} = {x:#x}")
        found += cases(made)
    return found


class Reader:
    """One banner."""

    def __init__(self, backend: str, name: str, text: str) -> None:
        self.backend, self.name, self.text = backend, name, text
        self.rv = backend == "rv32im"
        self.prime = prime(name)
        head = re.search(rf"{name}\((?P<parameters>[^)]*)\) (?P<rest>.*)", text)
        self.parameters = self._parameters(head["parameters"]) if head else []
        rest = head["rest"] if head else text.split(":", 1)[1].strip()
        self.rest = re.split(r" (?:CT|Clobbers|Cost|Stack):| For the functions of this", rest)[0]
        self.tail = self.rest.startswith(TAIL)
        self.rest = self.rest.removeprefix(TAIL)
        self.length = self._length()

    def _parameters(self, text: str) -> list[tuple[str, bool]]:
        parts = [p.strip() for p in text.split(",")]
        return [(re.split(r"[ *]+", p)[-1], "*" in p) for p in parts]

    def _length(self) -> int:
        found = re.search(r"(?<!> )\b(\d+|eight|four|seven|six|three|twelve) words", self.rest)
        words = {"three": 3, "four": 4, "six": 6, "seven": 7, "eight": 8, "twelve": 12}
        if found:
            return words.get(found[1]) or int(found[1])
        if self.name in LENGTHS:
            return LENGTHS[self.name]
        if self.prime:
            return -(-self.prime.bit_length() // 32)
        raise Unread("its banner has no length")

    def register(self, text: str) -> int:
        """Its number."""
        return RV_NAMES.index(text) if self.rv else int(text[1:])

    def bound(self, text: str) -> int:
        """What stands behind `below`; -1, -2: m, m R."""
        if text == "p":
            assert self.prime
            return self.prime
        if text in ("m", "m R"):
            return -1 if text == "m" else -2
        shifted = re.fullmatch(r"p 2\^(\d+)", text)
        if shifted and self.prime:
            return self.prime << int(shifted[1])
        return number(text)

    def contract(self) -> Contract:
        """What it says."""
        sentence, around = self._sentence()
        if sentence.startswith("Exchanges a and b where mask"):
            return self._exchange()
        found = special(self.name, self.backend, [p for p, _ in self.parameters], self.text)
        if found is not None:
            return replace(found, keeps=self._keeps())
        sentence = self._settle(sentence)
        sentence = re.sub(r"^r \+= ", "r = r + ", sentence)
        head = re.match(r"(\[?\w+\]?(?: to r7|(?:, r\d+)*)) = (.*)", sentence)
        if head is None:
            raise Unread(NO_CONTRACT)
        target, says = head[1], head[2]
        says, modulus = self._modulus(says)
        says, factor = self._division(says)
        value = parse(says)
        if value.op == "choice" and all(part.op == "var" for part in value.parts):
            modulus = None
        operands, arguments, masks, data, numbers = self._operands(value, around, target)
        registers = tuple(range(8)) if target.endswith("to r7") or target == HELD else ()
        words = self._out_words(around)
        if "," in target:  # each has a word
            registers, words = tuple(map(self.register, target.split(", "))), 0
        place = "" if registers else self._operand_name(target)
        bound = self._out_bound(around, modulus)
        goal = Goal(place, words, value, registers, factor, modulus, bound)
        goals: tuple[Goal, ...] = (goal,)
        returned = re.search(r"returns the (carry|borrow)", self.text)
        if re.search("2\\^256 - 38", says):
            goals = (replace(goal, modulus=None),)
        if returned:
            sign = -1 if returned[1] == "borrow" else 1
            goals = (replace(goal, registers=(10 if self.rv else 0,), top=sign, bound=None),)
        if place and place not in operands:
            operands[place] = Operand(words, 1 << 32 * words)
        lost = ("t",) if re.search(r"\blost\b", around) and "t" in operands else ()
        frame = "t" if re.search(r"words where sp is", around) else None
        return Contract(
            self.name, self.backend, arguments, operands, goals,
            self._aliases(place, operands, around), masks, numbers, data, self._keeps(),
            self._becomes(place, words), lost, frame, self._free(), self.name.endswith("_var"),
            self.text, tail=self.tail,
        )  # fmt: skip

    def _exchange(self) -> Contract:
        """a and b, exchanged or not."""
        words = self.length
        operand = Operand(words, 1 << 32 * words)
        self._settle("")
        first = parse("b where mask is all ones, else a")
        second = parse("a where mask is all ones, else b")
        _, arguments, masks, data, numbers = self._operands(first, self.rest, "a")
        goals = (Goal("a", words, first), Goal("b", words, second))
        return Contract(
            self.name, self.backend, arguments, {"a": operand, "b": operand}, goals,
            masks=masks, numbers=numbers, data=data, keeps=self._keeps(), text=self.text,
        )  # fmt: skip

    def _sentence(self) -> tuple[str, str]:
        """What is computed, and the rest of the banner."""
        ends = r"(?:\. ?|(?<=\)) )(?=in: )| in: |; returns| \(RFC|\. (?=[A-Z])"
        cut = re.split(ends, self.rest, maxsplit=1)
        sentence = cut[0].rstrip(". ")
        sentence = re.split(rf" {self.name}_\w+: |, by (?:squares|rows)| For | The ", sentence)[0]
        return sentence, self.rest

    def _settle(self, sentence: str) -> str:
        """Bounds that stand in the sentence, taken out of it."""
        self.bounds: dict[str, tuple[int, int]] = {}
        self.word: str | None = None
        self.every: int | None = None
        self.result: int | None = None
        both = re.search(r", both below ([\d^+ ]+\d)", sentence)
        if both:
            self.every = self.bound(both[1])
            sentence = sentence.replace(both[0], "")
        small = re.search(r"times a word below (2\^\d+), (\[\w+\]),", sentence)
        if small:
            self.bounds[self._operand_name(small[2])] = (0, number(small[1]))
            sentence = sentence.replace(small[0], small[2])
        at = re.search(r" times the word at (\w+)", sentence)
        if at:
            limits = re.search(r"the word from (2\^\d+) to ([\d^ -]+\d)", self.rest)
            if not limits:
                raise Unread("the word has no bounds")
            self.bounds[self._operand_name(at[1])] = (number(limits[1]), number(limits[2]) + 1)
            sentence = sentence.replace(at[0], " " + at[1])
        tail = re.search(r"; the word from.*", sentence)
        sentence = sentence.replace(tail[0], "") if tail else sentence
        count = "4|6|8|12|16|18|24|eight|four|seven|six|three|twelve"
        ends = rf", below |, (?:{count}) words| each,|, likewise|, of t below"
        return re.split(ends, sentence, maxsplit=1)[0]

    def _modulus(self, says: str) -> tuple[str, int | None]:
        found = re.search(r" mod (p(?: = .*)?|m|2\^255 - 19)$", says.rstrip("."))
        if found:
            m = -1 if found[1] == "m" else self.prime
            return says[: found.start()], m
        return says, self.prime

    def _division(self, says: str) -> tuple[str, int]:
        found = re.search(r"\s*/\s*(R|2\^\d+|2)$", says.strip())
        if not found:
            return says, 1
        factor = 1 << 32 * self._result_words() if found[1] == "R" else number(found[1])
        return says[: found.start()], factor

    def _result_words(self) -> int:
        below = re.search(r"\b(\d+) words where sp is", self.rest)
        if below:
            return int(below[1]) // 2
        if re.search(r"\b(16|24|32) words", self.rest) and self.prime:
            return -(-self.prime.bit_length() // 32)
        odd = re.search(r"\b(\d+) words, odd", self.rest)
        if odd and f"{2 * int(odd[1])} words" in self.rest:
            return int(odd[1])
        return self.length

    def _operand_name(self, text: str) -> str:
        return text.strip("[]")

    def _operands(
        self, value: Term, around: str, target: str
    ) -> tuple[dict[str, Operand], dict[int, str], dict[int, str], dict[int, str], dict[int, int]]:
        operands: dict[str, Operand] = {}
        arguments: dict[int, str] = {}
        masks: dict[int, str] = {}
        data: dict[int, str] = {}
        numbers: dict[int, int] = {}
        names = sorted(value.names())
        if "," in target:
            return operands, arguments, masks, {self.register(n): n for n in names}, numbers
        for name in sorted(set(names) - value.masks()):
            operands[name] = self._operand(name, around)
        if self.parameters:
            for i, (name, pointer) in enumerate(self.parameters):
                register = (10 if self.rv else 0) + i
                if pointer:
                    arguments[register] = name
                    if name == "m":
                        operands["m"] = Operand(self._result_words(), 1 << 32 * self.length, 0, 0)
                elif name in value.masks() or name == "keep":
                    masks[register] = name
                elif name == "op":
                    continue
                elif name in ("inv", "n"):
                    numbers[register] = -1 if name == "inv" else self.length
                elif name in names:
                    data[register] = name
                    operands.pop(name, None)
                else:
                    raise Unread(f"a parameter that the prover does not know: {name}")
        else:
            self._inner(value, target, arguments, masks)
        return operands, arguments, masks, data, numbers

    def _inner(
        self, value: Term, target: str, arguments: dict[int, str], masks: dict[int, str]
    ) -> None:
        """Registers of an inner routine: those that the banner computes with."""
        for name in (*sorted(value.names()), self._operand_name(target)):
            if name in value.masks():
                masks[FLAGS_GE if name == "GE" else self.register(name)] = name
            elif re.fullmatch(r"[rast]\d+", name):
                arguments[self.register(name)] = name
        behind = re.search(r"words behind ([ra]\d)\b", self.text)
        if behind and "t" in value.names():
            arguments[self.register(behind[1])] = "t"
        if target.endswith("to r7"):
            arguments.pop(self.register("r0"), None)

    def _operand(self, name: str, around: str) -> Operand:
        if name in self.bounds:
            least, bound = self.bounds[name]
            return Operand(1, bound, least)
        twice = name == "t"
        words = (2 if twice else 1) * self._result_words()
        full = 1 << 32 * words
        if self.every is not None:
            return Operand(words, self.every)
        if twice:
            found = re.search(r"\bt below ([pm] (?:2\^\d+|R))", around)
            if not found and re.search(r"\bof t of any value", around):
                return Operand(words, full)
            if not found:
                raise Unread("t has no bound")
            return Operand(words, self.bound(found[1]))
        if re.search(r"one of a, b below p", around):
            return Operand(words, full if name == "a" else self.bound("p"))
        positive = re.search(r"8 words, 0 < (\w) < p", around)
        if positive and positive[1] == name:
            return Operand(words, self.bound("p"), 1)
        if re.search(r"a, b below m", around):
            return Operand(words, -1)
        below = r"in: (?:pointers to )?\d+ words(?: each)? below (2\^[\d^ +-]+\d|p)"
        found = re.search(below, around)
        if found:
            return Operand(words, self.bound(found[1]))
        if re.search(r"\d+ words(?: each)?,? below p|in: a, b below p", around):
            return Operand(words, self.bound("p"))
        counted = r"(?:eight|four|seven|six|three|twelve) words"
        if re.search(rf"of any value|words each|{counted}|n > 0", around):
            return Operand(words, full)
        raise Unread(f"operand {name} has no bound")

    def _out_words(self, around: str) -> int:
        found = re.search(r"out: (\d+|2n),? ?(?:words)?,? not a(?: or b)?", around)
        if found:
            return 2 * self.length if found[1] == "2n" else int(found[1])
        if re.fullmatch(r"ecfit_(mul|sqr|both|blocks|rows)(96|128|192|224|256|384|521)", self.name):
            return 2 * self.length
        return self._result_words()

    def _out_bound(self, around: str, modulus: int | None) -> int | None:
        found = re.search(r"out: below (p\b|m\b|2\^\d+(?: [+-] 2\^\d+)?)", around)
        number = r"(2\^\d+(?: \+ 2\^\d+)?)"
        found = found or re.search(rf"mod 2\^255 - 19(?:\.[^.]*?out:|,) below {number}", around)
        found = found or re.search(r"mod p(?: = [\d^ +-]+)?, (below p)", around)
        found = found or re.search(r"t/R mod m, (below it)", around)
        if found:
            text = {"below p": "p", "below it": "m"}.get(found[1], found[1])
            return self.bound(text)
        if re.search(r"out: (?:of any value|either|\d+|2n)", around) or modulus is None:
            return None
        if re.search(r"words each, below p|words below p|words, 0 < y < p", around):
            return self.bound("p")
        if modulus == -1:
            return -1
        if re.search(r"2\^256 - 37|, likewise", around):
            return None
        raise Unread("the result has no bound")

    def _aliases(
        self, place: str, operands: dict[str, Operand], around: str
    ) -> tuple[dict[str, str], ...]:
        """Which operands may be one: all inputs of one length, and the result if it says so."""
        ins = [k for k, o in operands.items() if k not in (place, "m", "t")]
        ins = [k for k in ins if operands[k].words == self.length]
        found: list[dict[str, str]] = [{}]
        if HELD in ins:
            return ({},)
        if len(ins) == 2 and len({operands[k] for k in ins}) == 1:
            found.append({ins[1]: ins[0]})
        elif len(ins) == 2 and min(operands[k].bound for k in ins) > 0:
            tight, loose = sorted(ins, key=lambda k: operands[k].bound)
            found.append({loose: tight})
        may = re.search(
            r"r may be|[ra]0 may be|of which r0 may be|For the functions of this backend", self.text
        )
        if may and place and place not in ins and not self._apart():
            for one in [dict(f) for f in found]:
                found += [{**one, place: k} for k in ins if k not in one]
            found += [{place: k} for k, o in operands.items() if o.words == 1 and k != "m"]
        return tuple(found)

    def _apart(self) -> bool:
        """Whether the result is longer than the operands: then it is none of them."""
        return self._out_words(self.rest) != self.length

    def _keeps(self) -> tuple[int, ...]:
        if self.parameters:
            return SAVED["rv" if self.rv else "arm"]
        if "r0 to r7 and r12 are lost" in self.text:
            return (8, 9, 10, 11)
        found = re.search(r"lost but ([^;.]*)", self.text)
        kept = re.findall(r"\b[ra]\d+\b", found[1]) if found else []
        kept += re.findall(r"; (r8|r10) is kept", self.text)
        found = re.search(r"; (r\d+(?:, r\d+)* and r\d+) are kept", self.text)
        kept += re.findall(r"\br\d+\b", found[1]) if found else []
        found = re.search(r"Clobbers: all but ([^.]*)", self.text)
        kept += re.findall(r"\ba0\b", found[1]) if found and self.rv else []
        return tuple(self.register(r) for r in kept)

    def _becomes(self, place: str, words: int) -> dict[int, tuple[str, int]]:
        """Registers at the end: r10 is what r0 was; r0 is behind the result."""
        if re.search(r"r0 ends behind the result", self.text):
            return {0: (place, 4 * words)}
        return {10: ("register", 0)} if re.search(r"r10: what was in r0", self.text) else {}

    def _free(self) -> int:
        return 1 if re.search(r"word 0 of the caller's frame is free", self.text) else 0
