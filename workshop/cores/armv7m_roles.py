"""What each instruction of ARMv7-M does with its registers and flags, written down once more,
apart from the simulator's table, in assembly: the number of a register says its role.

    r0 r12   written                    r6       loaded
    r1 r2    read                       r7       stored
    r3       read and written           r8       accumulator read
    r4       base of an address         r8       or the second one loaded or stored
    r5       index                      r9 r10   accumulator read and written
                                        r11 sp   base, written back
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

WRITTEN, CHANGED, ACCUMULATED, BACK = {0, 12}, {3}, {9, 10}, {11, 13}
ADDRESS = {4, 5} | BACK
READ = {1, 2} | CHANGED | ADDRESS
GIVEN = WRITTEN | CHANGED | ACCUMULATED
CONDITIONS = ["eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"]
SETS_FLAGS = re.compile(r"(?:ands|orrs|orns|eors|bics|adds|adcs|subs|sbcs|rsbs|movs|mvns|lsls|lsrs"
                        r"|asrs|rors|rrxs|muls|tst|teq|cmp|cmn)\b|msr|vmrs.*nzcv")  # fmt: skip
READS_FLAGS = re.compile(r"(?:adc|sbc)s?\b|.*\brrxs?\b|mrs|b(?:" + "|".join(CONDITIONS) + r")\b")
SHIFTED = re.compile(r".*(?:, (?:lsl|lsr|asr|ror) #|, rrx$)")


class Instruction(NamedTuple):
    """One, and the row of its cost."""

    text: str
    row: str

    @property
    def registers(self) -> set[int]:
        """All that it names; of PUSH and POP the stack pointer, not their list."""
        names = re.sub(r"\{.*", "", self.text)
        found = {int(number) for number in re.findall(r"\br(\d+)\b", names)}
        return found | ({13} if re.search(r"\bsp\b|push|pop", names) else set())

    @property
    def loaded(self) -> set[int]:
        return {6, 8} if self.row == "load_double" else {6}

    @property
    def stored(self) -> set[int]:
        return {7, 8} if self.row == "store_double" else {7}

    @property
    def shifted(self) -> set[int]:
        """What is shifted on its way to an operation, or by a shift that is one itself."""
        itself = self.text[:3] in {"lsl", "lsr", "asr", "ror"}
        return {2} if self.shifts else {1} if itself else set()

    @property
    def words(self) -> int:
        """How many registers a list has."""
        single = re.search(r"\{r\d+, r\d+\}", self.text) is not None
        lists = {"{s0-s2}": 3, "{d0-d1}": 4}
        return 2 if single else next((n for text, n in lists.items() if text in self.text), 0)

    @property
    def sets_flags(self) -> bool:
        return SETS_FLAGS.match(self.text) is not None

    @property
    def reads_flags(self) -> bool:
        return READS_FLAGS.match(self.text.replace(".w", "")) is not None

    @property
    def shifts(self) -> bool:
        """An operand on its way, before an operation."""
        itself = self.text[:3] in {"lsl", "lsr", "asr", "ror", "rrx"}
        packed = re.match(r"pkh|[su]sat|[su]xt|ldr|str|pld", self.text)
        return SHIFTED.match(self.text) is not None and not itself and packed is None


def _arithmetic() -> Iterator[str]:
    for op in ("and", "bic", "orr", "orn", "eor", "add", "adc", "sub", "sbc", "rsb"):
        for s in ("", "s"):
            if op not in {"orn", "rsb"}:
                yield f"{op}{s}.w r0, r1, r2"
            yield f"{op}{s}.w r0, r1, r2, ror #3"
            yield f"{op}{s}.w r0, r1, #3"
    for op in ("mov", "mvn"):
        for s in ("", "s"):
            yield from (f"{op}{s}.w r0, r2", f"{op}{s}.w r0, #3")
    yield from ("mvn.w r0, r2, asr #4", "mvns.w r0, r2, asr #4")
    for op in ("tst", "teq", "cmp", "cmn"):
        if op != "teq":
            yield f"{op}.w r1, r2"
        yield from (f"{op}.w r1, r2, lsr #3", f"{op}.w r1, #3")
    yield from ("ands r0, r1, #0x7f000000", "orrs r0, r1, #0x7f000000", "eors r0, r1, #0x7f000000",
                "movs.w r0, #0x7f000000", "tst r1, #0x7f000000", "teq r1, #0x7f000000",
                "teq r1, r2", "rsbs r0, r1, #0", "addw r0, r1, #7", "subw r0, r1, #7",
                "movw r0, #7", "movt r3, #7", "adr.w r0, .")  # fmt: skip
    for op in ("lsl", "lsr", "asr", "ror"):
        for s in ("", "s"):
            yield from (f"{op}{s}.w r0, r1, #3", f"{op}{s}.w r0, r1, r2")
    yield from ("rrx r0, r1", "rrxs r0, r1", "bfi r3, r1, #3, #4", "bfc r3, #3, #4",
                "sbfx r0, r1, #3, #4", "ubfx r0, r1, #3, #4", "ssat r0, #5, r2", "usat r0, #5, r2",
                "ssat r0, #5, r2, lsl #3", "usat r0, #5, r2, asr #3")  # fmt: skip
    for op in ("sxtb", "sxth", "uxtb", "uxth"):
        yield from (f"{op}.w r0, r2", f"{op}.w r0, r2, ror #8")
    yield from (f"{op} r0, r2" for op in ("clz", "rbit", "rev.w", "rev16.w", "revsh.w"))


def _dsp() -> Iterator[str]:
    yield from ("umaal r9, r10, r1, r2", "smlalbt r9, r10, r1, r2", "smlald r9, r10, r1, r2",
                "smlsldx r9, r10, r1, r2", "smlabb r0, r1, r2, r8", "smlawt r0, r1, r2, r8",
                "smlad r0, r1, r2, r8", "smlsdx r0, r1, r2, r8", "smmla r0, r1, r2, r8",
                "smmlsr r0, r1, r2, r8", "usada8 r0, r1, r2, r8", "smulbb r0, r1, r2",
                "smmul r0, r1, r2", "usad8 r0, r1, r2", "qadd r0, r2, r1", "uadd8 r0, r1, r2",
                "shsub16 r0, r1, r2", "pkhbt r0, r1, r2", "pkhtb r0, r1, r2, asr #3",
                "ssat16 r0, #5, r1", "usat16 r0, #5, r1", "sel r0, r1, r2",
                "sxtb16 r0, r2", "uxtb16 r0, r2")  # fmt: skip


def _memory(stem: str, *forms: str) -> Iterator[str]:
    register = 6 if stem == "ldr" else 7
    sizes = ("", "b", "h", "sb", "sh") if stem == "ldr" else ("", "b", "h")
    for size in sizes:
        yield from (f"{stem}{size}.w r{register}, {form}" for form in forms)


LISTED: dict[str, list[str]] = {
    "alu": list(_arithmetic()),
    "multiply": ["mul r0, r1, r2"],
    "multiply_accumulate": ["mla r0, r1, r2, r8", "mls r0, r1, r2, r8"],
    "multiply_long": ["umull r0, r12, r1, r2", "smull r0, r12, r1, r2"],
    "multiply_long_accumulate": ["umlal r9, r10, r1, r2", "smlal r9, r10, r1, r2"],
    "dsp": list(_dsp()),
    "divide": ["udiv r0, r1, r2", "sdiv r0, r1, r2"],
    "load": list(_memory("ldr", "[r4]", "[r4, r5]", "[r11], #4", "[r11, #4]!")),
    "load_literal": list(_memory("ldr", "2f")),
    "store": list(_memory("str", "[r4]")),
    "store_register": list(_memory("str", "[r4, r5]")),
    "store_indexed": list(_memory("str", "[r11], #4", "[r11, #4]!")),
    "load_double": ["ldrd r6, r8, [r4]", "ldrd r8, r6, [r4]", "ldrd r6, r8, [r11], #8",
                    "ldrd r8, r6, [r11, #8]!", "ldrd r6, r8, 2f", "ldrd r8, r6, 2f"],
    "store_double": ["strd r7, r8, [r4]", "strd r8, r7, [r4]", "strd r7, r8, [r11], #8",
                     "strd r8, r7, [r11, #8]!"],
    "exclusive": ["ldrex r6, [r4]", "ldrexb r6, [r4]", "ldrexh r6, [r4]", "strex r0, r7, [r4]",
                  "strexb r0, r7, [r4]", "strexh r0, r7, [r4]"],
    "load_multiple": ["ldm.w r4, {r1, r2}", "ldmdb r4, {r1, r2}"],
    "store_multiple": ["stm.w r4, {r1, r2}", "stmdb r4, {r1, r2}"],
    "pop": ["pop {r1, r2}", "pop.w {r1, r9}"],
    "push": ["push {r1, r2}", "push.w {r1, r9}"],
    "branch_not_taken": [f"b{condition}.w 1f" for condition in CONDITIONS],
    "compare_not_taken": ["cbz r1, 1f; nop", "cbnz r1, 1f; nop"],
    "branch_register": ["bx r2"],
    "call_register": ["blx r2"],
    "move_pc": ["mov pc, r2", "add pc, r2"],
    "table_branch": ["tbb [r4, r5]", "tbh [r4, r5, lsl #1]"],
    "special": ["mrs r0, apsr", "msr apsr_nzcvq, r1"],
    "fp_move": ["vmov r0, s1", "vmov s1, r1"],
    "fp_move_double": ["vmov r0, r12, s0, s1", "vmov r0, r12, d1"],
    "fp_move_double_in": ["vmov s0, s1, r1, r2", "vmov d1, r1, r2"],
    "fp_load": ["vldr s0, [r4]"],
    "fp_load_double": ["vldr d0, [r4]"],
    "fp_store": ["vstr s0, [r4]"],
    "fp_store_double": ["vstr d0, [r4]"],
    "fp_load_multiple": ["vldmia r4, {s0-s2}", "vldmia r4, {d0-d1}"],
    "fp_store_multiple": ["vstmia r4, {s0-s2}", "vstmia r4, {d0-d1}"],
    "fp_status": ["vmrs r0, fpscr", "vmsr fpscr, r1"],
}  # fmt: skip
INSTRUCTIONS = [Instruction(text, row) for row, texts in LISTED.items() for text in texts]
COMPUTING = {"alu", "multiply", "multiply_accumulate", "multiply_long", "multiply_long_accumulate",
             "dsp", "divide", "special", "fp_move", "fp_move_double"}  # fmt: skip
LOADING = {"load", "load_literal", "exclusive"}  # one register, for which the next one waits
LEAVING = {"branch_not_taken", "compare_not_taken", "branch_register", "call_register", "move_pc",
           "table_branch"}  # fmt: skip

# Of 16 bits, whether they set flags; and with a constant that is rotated on its way.
NARROW = {
    True: ["movs r0, #1", "adds r0, r1, r2", "subs r0, r1, #1", "lsls r0, r1, #3",
           "lsrs r0, r1, #3", "asrs r0, r1, #3", "ands r0, r2", "eors r0, r2", "orrs r0, r2",
           "bics r0, r2", "mvns r0, r2", "lsls r0, r2", "lsrs r0, r2", "asrs r0, r2", "rors r0, r2",
           "adcs r0, r2", "sbcs r0, r2", "rsbs r0, r1, #0", "muls r0, r2, r0", "tst r1, r2",
           "cmp r1, r2", "cmn r1, r2", "cmp r1, #3", "adds r0, #200", "subs r0, #200",
           "subs r0, r1, r2", "movs r0, r2"],
    False: ["mov r0, r2", "add r0, r2", "sxtb r0, r2", "uxth r0, r2", "rev r0, r2", "revsh r0, r2",
            "ldr r6, [r4]", "str r7, [r4]", "add sp, #8", "add r0, sp, #8", "adr r0, 2f",
            "ldr r6, 2f", "push {r1, r2}", "pop {r1, r2}"],
}  # fmt: skip
ROTATED = {
    s == "s": [
        *(f"{op}{s}.w r0, r1, #0x7f000000"
          for op in ("and", "bic", "orr", "orn", "eor", "add", "adc", "sub", "sbc", "rsb")),
        f"add{s}.w sp, sp, #0x7f000000", f"sub{s}.w sp, sp, #0x7f000000",
        *(("mov.w r0, #0x7f000000", "movs.w r0, #0x7f000000", "mvns r0, #0x7f000000")
          if s == "" else
          [f"{op}.w r1, #0x7f000000" for op in ("tst", "teq", "cmp", "cmn")]),
    ]
    for s in ("", "s")
}  # fmt: skip
