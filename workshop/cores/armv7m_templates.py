"""Encodings of ARMv7-M's 32-bit instructions as bit patterns, to draw valid instructions from.

A pattern is 32 bits, written as Arm DDI 0403 writes them: 0, 1, and letters for fields.
Of the fields,

    d e  registers written (of which no two are the same)      n m a  registers read
    t u  registers loaded or stored                            b      base of an address

and any other letter is a number, all values of which are valid unless the row says otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial

WRITTEN, READ, MOVED, BASE = "de", "nma", "tu", "b"


@dataclass(frozen=True)
class Template:
    """One encoding. ``limits`` give the values of number fields that are not free."""

    name: str
    pattern: str
    limits: Mapping[str, Sequence[int]] = field(default_factory=dict)
    valid: Callable[[Mapping[str, int]], bool] = lambda _fields: True

    @cached_property
    def fixed(self) -> int:
        """The word with zero in all fields."""
        return int("".join("1" if bit == "1" else "0" for bit in self.pattern.replace(" ", "")), 2)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Letters, with the place in the word of each of their bits, the lowest first."""
        text = self.pattern.replace(" ", "")[::-1]
        assert len(text) == 32, f"{self.name}: {len(text)} bits"
        return {
            letter: [i for i in range(32) if text[i] == letter]
            for letter in sorted(set(text) - set("01"))
        }

    def encode(self, values: Mapping[str, int]) -> tuple[int, int]:
        """The two halfwords."""
        word = self.fixed
        for letter, places in self.places.items():
            value = values[letter]
            for place in places:
                word |= (value & 1) << place
                value >>= 1
        return word >> 16, word & 0xFFFF


def _repeated_byte(values: Mapping[str, int]) -> bool:
    """A modified immediate that repeats a zero byte is unpredictable."""
    imm = values["i"]
    return not (imm >> 8 in (1, 2, 3) and imm & 0xFF == 0)


def _data_processing() -> list[Template]:
    codes = {
        "and": 0,
        "bic": 1,
        "orr": 2,
        "orn": 3,
        "eor": 4,
        "add": 8,
        "adc": 10,
        "sbc": 11,
        "sub": 13,
        "rsb": 14,
    }
    rows = []
    for name, code in codes.items():
        op = f"{code:04b}"
        rows += [
            Template(f"{name} shifted", f"1110101{op}snnnn 0iiiddddiikkmmmm"),
            Template(f"{name} register", f"1110101{op}snnnn 0000dddd0000mmmm"),
            Template(
                f"{name} immediate", f"11110i0{op}snnnn 0iiiddddiiiiiiii", valid=_repeated_byte
            ),
        ]
    for name, code in {"tst": 0, "teq": 4, "cmn": 8, "cmp": 13}.items():
        op = f"{code:04b}"
        rows += [
            Template(f"{name} shifted", f"1110101{op}1nnnn 0iii1111iikkmmmm"),
            Template(
                f"{name} immediate", f"11110i0{op}1nnnn 0iii1111iiiiiiii", valid=_repeated_byte
            ),
        ]
    for name, code in {"mov": 2, "mvn": 3}.items():
        op = f"{code:04b}"
        rows += [
            Template(f"{name} shifted", f"1110101{op}s1111 0iiiddddiikkmmmm"),
            Template(
                f"{name} immediate", f"11110i0{op}s1111 0iiiddddiiiiiiii", valid=_repeated_byte
            ),
        ]
    rows += [
        Template("addw", "11110i100000nnnn 0iiiddddiiiiiiii"),
        Template("subw", "11110i101010nnnn 0iiiddddiiiiiiii"),
        Template("adr", "11110i1000001111 0iiiddddiiiiiiii"),
        Template("adr minus", "11110i1010101111 0iiiddddiiiiiiii"),
        Template("movw", "11110i100100iiii 0iiiddddiiiiiiii"),
        Template("movt", "11110i101100iiii 0iiiddddiiiiiiii"),
        Template("shift by register", "111110100kksnnnn 1111dddd0000mmmm"),
        Template("add of sp", "11101011000s1101 0iiiddddiikkmmmm"),
        Template("sub of sp", "11101011101s1101 0iiiddddiikkmmmm"),
        Template("add of sp immediate", "11110i01000s1101 0iiiddddiiiiiiii", valid=_repeated_byte),
        Template("subw of sp", "11110i1010101101 0iiiddddiiiiiiii"),
        Template("cmp of sp", "11110i0110111101 0iii1111iiiiiiii", valid=_repeated_byte),
    ]
    return rows


def _stack_pointer() -> list[Template]:
    """What writes the stack pointer."""
    return [
        Template("add sp", "11101011000s1101 00001101ii00mmmm"),
        Template("sub sp", "11101011101s1101 00001101ii00mmmm"),
        Template("add sp immediate", "11110i01000s1101 0iii1101iiiiiiii", valid=_repeated_byte),
        Template("sub sp immediate", "11110i01101s1101 0iii1101iiiiiiii", valid=_repeated_byte),
        Template("addw sp", "11110i1000001101 0iii1101iiiiiiii"),
        Template("subw sp", "11110i1010101101 0iii1101iiiiiiii"),
        Template("mov sp", "1110101001001111 000011010000mmmm"),
        Template("ldr sp", "111110001101bbbb 1101iiiiiiiiiiii"),
        Template("ldr sp after", "111110000101bbbb 110110x1iiiiiiii"),
        Template("ldr sp register", "111110000101bbbb 1101000000iimmmm"),
        Template("ldr sp literal", "11111000x1011111 1101iiiiiiiiiiii"),
        Template("str sp", "111110001100bbbb 1101iiiiiiiiiiii"),
        Template("push one", "1111100001001101 tttt110100000100"),
        Template("pop one", "1111100001011101 tttt101100000100"),
    ]


def _fields_and_bits() -> list[Template]:
    def fits(values: Mapping[str, int]) -> bool:
        return values["l"] + values["w"] <= 31

    rows = [
        Template("sbfx", "111100110100nnnn 0lllddddll0wwwww", valid=fits),
        Template("ubfx", "111100111100nnnn 0lllddddll0wwwww", valid=fits),
        Template("bfi", "111100110110nnnn 0lllddddll0wwwww", valid=lambda v: v["w"] >= v["l"]),
        Template("bfc", "1111001101101111 0lllddddll0wwwww", valid=lambda v: v["w"] >= v["l"]),
        Template(
            "ssat", "1111001100k0nnnn 0iiiddddii0wwwww", valid=lambda v: v["k"] == 0 or v["i"] != 0
        ),
        Template(
            "usat", "1111001110k0nnnn 0iiiddddii0wwwww", valid=lambda v: v["k"] == 0 or v["i"] != 0
        ),
        Template("ssat16", "111100110010nnnn 0000dddd0000wwww"),
        Template("usat16", "111100111010nnnn 0000dddd0000wwww"),
        Template("extend", "111110100kkk1111 1111dddd10rrmmmm", limits={"k": range(6)}),
        Template("extend add", "111110100kkknnnn 1111dddd10rrmmmm", limits={"k": range(6)}),
        Template("clz", "111110101011mmmm 1111dddd1000mmmm"),
        *(Template(f"reverse {k}", f"111110101001mmmm 1111dddd10{k:02b}mmmm") for k in range(4)),
    ]
    return [_same_register_twice(row) if "mmmm 1111dddd1" in row.pattern else row for row in rows]


def _same_register_twice(row: Template) -> Template:
    """CLZ and the reversals name their operand in both halfwords."""
    return Template(
        row.name, row.pattern.replace("mmmm 1111", "qqqq 1111"), valid=lambda v: v["q"] == v["m"]
    )


def _multiplications() -> list[Template]:
    def four(name: str, op: str, form: str) -> list[Template]:
        return [
            Template(name, f"111110110{op}nnnn aaaadddd00{form}mmmm"),
            Template(f"{name} alone", f"111110110{op}nnnn 1111dddd00{form}mmmm"),
        ]

    rows = [
        *four("mla", "000", "00"),
        Template("mls", "111110110000nnnn aaaadddd0001mmmm"),
        *four("smla halves", "001", "xy"),
        *four("smlad", "010", "0x"),
        *four("smlaw", "011", "0y"),
        *four("smlsd", "100", "0x"),
        *four("smmla", "101", "0r"),
        Template("smmls", "111110110110nnnn aaaadddd000rmmmm"),
        *four("usada8", "111", "00"),
        Template("sdiv", "111110111001nnnn 1111dddd1111mmmm"),
        Template("udiv", "111110111011nnnn 1111dddd1111mmmm"),
    ]
    for name, op, form in (
        ("smull", "000", "0000"),
        ("umull", "010", "0000"),
        ("smlal", "100", "0000"),
        ("smlal halves", "100", "10xy"),
        ("smlald", "100", "110x"),
        ("smlsld", "101", "110x"),
        ("umlal", "110", "0000"),
        ("umaal", "110", "0110"),
    ):
        rows.append(Template(name, f"111110111{op}nnnn ddddeeee{form}mmmm"))
    return rows


def _dsp() -> list[Template]:
    return [
        Template(
            "parallel",
            "111110101kkknnnn 1111dddd0pppmmmm",
            {"k": (0, 1, 2, 4, 5, 6), "p": (0, 1, 2, 4, 5, 6)},
        ),
        Template("saturating", "111110101000nnnn 1111dddd10kkmmmm"),
        Template("sel", "111110101010nnnn 1111dddd1000mmmm"),
        Template("pkh", "111010101100nnnn 0iiiddddiix0mmmm"),
    ]


def _memory() -> list[Template]:
    rows = []
    for name, size, is_signed in (("b", 0, 0), ("h", 1, 0), ("", 2, 0), ("sb", 0, 1), ("sh", 1, 1)):
        for load in (0, 1):
            if is_signed and not load:
                continue
            stem = f"{'ldr' if load else 'str'}{name}"
            top = f"1111100{is_signed}"
            rows += [
                Template(f"{stem} imm12", f"{top}1{size:02b}{load}bbbb ttttiiiiiiiiiiii"),
                Template(f"{stem} minus", f"{top}0{size:02b}{load}bbbb tttt1100iiiiiiii"),
                Template(f"{stem} unprivileged", f"{top}0{size:02b}{load}bbbb tttt1110iiiiiiii"),
                Template(
                    f"{stem} before",
                    f"{top}0{size:02b}{load}bbbb tttt11x1iiiiiiii",
                    valid=_base_kept,
                ),
                Template(
                    f"{stem} after",
                    f"{top}0{size:02b}{load}bbbb tttt10x1iiiiiiii",
                    valid=_base_kept,
                ),
                Template(f"{stem} register", f"{top}0{size:02b}{load}bbbb tttt000000iimmmm"),
            ]
            if load:
                rows.append(Template(f"{stem} literal", f"{top}x{size:02b}11111 ttttiiiiiiiiiiii"))
    return rows


def _base_kept(values: Mapping[str, int]) -> bool:
    return values["b"] != values["t"]


def _two_words() -> list[Template]:
    def apart(values: Mapping[str, int]) -> bool:
        return values["t"] != values["u"] and values["b"] not in (values["t"], values["u"])

    rows = [
        Template("ldrd", "11101001x101bbbb ttttuuuuiiiiiiii", valid=apart),
        Template("strd", "11101001x100bbbb ttttuuuuiiiiiiii", valid=apart),
        Template("ldrd before", "11101001x111bbbb ttttuuuuiiiiiiii", valid=apart),
        Template("strd before", "11101001x110bbbb ttttuuuuiiiiiiii", valid=apart),
        Template("ldrd after", "11101000x111bbbb ttttuuuuiiiiiiii", valid=apart),
        Template("strd after", "11101000x110bbbb ttttuuuuiiiiiiii", valid=apart),
        Template(
            "ldrd literal", "11101001x1011111 ttttuuuuiiiiiiii", valid=lambda v: v["t"] != v["u"]
        ),
        Template("ldrex", "111010000101bbbb tttt1111iiiiiiii"),
        Template("ldrexb", "111010001101bbbb tttt111101001111"),
        Template("ldrexh", "111010001101bbbb tttt111101011111"),
    ]
    for load, stem in ((1, "ldm"), (0, "stm")):
        for direction, name in (("01", "ia"), ("10", "db")):
            for back in (0, 1):
                rows.append(
                    Template(
                        f"{stem}{name}{'!' * back}",
                        f"1110100{direction}0{back}{load}bbbb 0g0ggggggggggggg",
                        valid=partial(_valid_set, back),
                    )
                )
    return rows


def _valid_set(back: int, values: Mapping[str, int]) -> bool:
    """Two registers or more; the base not among them when it is written back."""
    registers = (values["g"] & 0x2000) << 1 | values["g"] & 0x1FFF
    return registers.bit_count() >= 2 and not (back and registers >> values["b"] & 1)


def _vectors() -> list[Template]:
    return [
        Template("vmov to core", "111011100001vvvv tttt1010v0010000"),
        Template("vmov from core", "111011100000vvvv tttt1010v0010000"),
        Template("vmov scalar to core", "1110111000x1vvvv tttt101100010000"),
        Template("vmov scalar from core", "1110111000x0vvvv tttt101100010000"),
        Template(
            "vmov two to core",
            "111011000101uuuu tttt101000v1vvvv",
            valid=lambda v: _two(v) and _not_last(v),
        ),
        Template("vmov two from core", "111011000100uuuu tttt101000v1vvvv", valid=_not_last),
        Template(
            "vmov double to core",
            "111011000101uuuu tttt10110001vvvv",
            valid=lambda v: v["t"] != v["u"],
        ),
        Template("vmov double from core", "111011000100uuuu tttt10110001vvvv"),
        Template("vmov register", "111011101v110000 vvvv101001w0wwww"),
        Template("vmov immediate", "111011101v11iiii vvvv10100000iiii"),
        Template("vldr", "11101101xv01bbbb vvvv1010iiiiiiii"),
        Template("vldr double", "11101101x001bbbb vvvv1011iiiiiiii"),
        Template("vldr literal", "11101101xv011111 vvvv1010iiiiiiii"),
        Template("vstr", "11101101xv00bbbb vvvv1010iiiiiiii"),
        Template("vstr double", "11101101x000bbbb vvvv1011iiiiiiii"),
        Template("vldm", "111011001vx1bbbb vvvv1010iiiiiiii", valid=_registers_exist),
        Template("vldmdb", "111011010v11bbbb vvvv1010iiiiiiii", valid=_registers_exist),
        Template("vstm", "111011001vx0bbbb vvvv1010iiiiiiii", valid=_registers_exist),
        Template("vstmdb", "111011010v10bbbb vvvv1010iiiiiiii", valid=_registers_exist),
        Template("vldm double", "1110110010x1bbbb vvvv1011iiiiiii0", valid=_doubles_exist),
        Template("vstmdb double", "111011010010bbbb vvvv1011iiiiiii0", valid=_doubles_exist),
    ]


def _two(values: Mapping[str, int]) -> bool:
    return values["t"] != values["u"]


def _not_last(values: Mapping[str, int]) -> bool:
    """s31 has no successor; the last bit of a single's number stands first here, or last."""
    return values["v"] != 31


def _registers_exist(values: Mapping[str, int]) -> bool:
    first = (values["v"] & 15) << 1 | values["v"] >> 4
    return 1 <= values["i"] <= 32 - first


def _doubles_exist(values: Mapping[str, int]) -> bool:
    return 1 <= values["i"] <= 16 - values["v"]


@cache
def templates() -> dict[str, list[Template]]:
    """All of them, by group."""
    return {
        "data processing": _data_processing(),
        "fields and bits": _fields_and_bits(),
        "multiplications": _multiplications(),
        "dsp": _dsp(),
        "memory": _memory(),
        "two words": _two_words(),
        "vectors": _vectors(),
        "stack pointer": _stack_pointer(),
    }


def draw(
    rng: random.Random, template: Template, choices: Mapping[str, Sequence[int]]
) -> tuple[int, int]:
    """A random instruction of that encoding; ``choices`` give the registers that may stand
    in its register fields.
    """
    while True:
        values = {}
        for letter, places in template.places.items():
            allowed = template.limits.get(letter) or choices.get(letter)
            values[letter] = (
                allowed[int(rng.random() * len(allowed))]
                if allowed
                else rng.getrandbits(len(places))
            )
        if "q" in values:
            values["q"] = values["m"]
        if "e" in values and values["d"] == values["e"]:
            continue
        if template.valid(values):
            return template.encode(values)
