"""The ABI of the native simulator (sim/ecsim.h) in ctypes."""

from __future__ import annotations

import ctypes as ct
import functools
import os
from pathlib import Path

import msgspec

from ecfit.errors import BuildError
from ecfit.paths import SIM

ABI = 9
_LIBRARY = SIM / "libecsim.so"
MOST_CLOCKS = 15  # of a memory's latency


class Convention(msgspec.Struct, frozen=True):
    """How a function is called on an architecture; registers as sim/ecsim.h numbers them.

    ``scratch``: registers that hold patterns at the start of a call unless they carry an argument
    (not those that start-up code sets once and all code relies on). ``cleared``: registers that
    are 0 then. ``link``: where the return address is; None: on the stack, in words of two bytes,
    highest byte first. ``code_bit``: bit 0 of a code address. ``stack_align``: bytes.
    ``vector_table``: a reset takes the stack pointer and the program counter from a table,
    else the table's address is where the code begins. ``register_bytes``: of an argument, where
    that is less than a register of the machine, the lower half is in the register that
    ``arguments`` names, the upper one in the next.
    """

    arguments: tuple[int, ...]
    sp: int
    pc: int
    link: int | None
    scratch: tuple[int, ...]
    cleared: tuple[int, ...]
    code_bit: int
    stack_align: int
    vector_table: bool
    register_bytes: int = 4


_ARM = Convention(
    arguments=(0, 1, 2, 3),
    sp=13,
    pc=15,
    link=14,
    scratch=tuple(range(13)),
    cleared=(16,),
    code_bit=1,
    stack_align=8,
    vector_table=True,
)
_RISC_V = Convention(
    arguments=tuple(range(10, 18)),  # a0..a7
    sp=2,
    pc=32,
    link=1,
    scratch=tuple(range(5, 32)),  # not gp and tp
    cleared=(),
    code_bit=0,
    stack_align=16,
    vector_table=False,
)
_AVR = Convention(
    arguments=tuple(range(24, 6, -2)),  # r25:r24, r23:r22, ...
    sp=32,
    pc=34,
    link=None,
    scratch=tuple(range(32)),
    cleared=(1, 33, 35),  # r1, SREG, RAMPZ
    code_bit=0,
    stack_align=1,
    vector_table=False,
    register_bytes=1,
)
CONVENTIONS = {"armv6m": _ARM, "armv7m": _ARM, "rv32": _RISC_V, "avr": _AVR}


class Region(ct.Structure):
    _fields_ = [("start", ct.c_uint32), ("size", ct.c_uint32), ("kind", ct.c_uint32)]


class Range(ct.Structure):
    _fields_ = [("start", ct.c_uint32), ("size", ct.c_uint32)]


class Cost(ct.Structure):
    _fields_ = [
        ("cycles", ct.c_uint32),
        ("per_register", ct.c_uint32),
        ("cycles_min", ct.c_uint32),
        ("law", ct.c_uint32),
    ]


Costs = ct.Array[Cost]


class Flash(ct.Structure):
    _fields_ = [
        ("wait_states", ct.c_uint32),
        ("data_wait_states", ct.c_uint32),
        ("line_bytes", ct.c_uint32),
        ("instruction_lines", ct.c_uint32),
        ("data_lines", ct.c_uint32),
        ("shared", ct.c_uint32),
        ("ways", ct.c_uint32),
        ("fifo", ct.c_uint32),
        ("prefetch_lines", ct.c_uint32),
        ("core_words", ct.c_uint32),
        ("looks_ahead", ct.c_uint32),
        ("next_wait_states", ct.c_uint32),
    ]


class Report(ct.Structure):
    _fields_ = [
        ("stop", ct.c_uint32),
        ("bkpt", ct.c_uint32),
        ("fault", ct.c_uint32),
        ("fault_address", ct.c_uint32),
        ("fault_pc", ct.c_uint32),
        ("stack_low", ct.c_uint32),
        ("cycles", ct.c_uint64),
        ("instructions", ct.c_uint64),
        ("trace_hash", ct.c_uint64),
        ("cycles_min", ct.c_uint64),
    ]


class Node(ct.Structure):
    _fields_ = [("function", ct.c_uint32), ("parent", ct.c_uint32), ("cycles", ct.c_uint64)]


class Finding(ct.Structure):
    _fields_ = [
        ("pc", ct.c_uint32),
        ("kind", ct.c_uint32),
        ("labels", ct.c_uint32),
        ("node", ct.c_uint32),
        ("what", ct.c_uint32),
        ("bytes", ct.c_uint32),
        ("count", ct.c_uint64),
    ]


_SIGNATURES: dict[str, tuple[object, list[object]]] = {
    "ecsim_abi": (ct.c_uint32, []),
    "ecsim_build_id": (ct.c_char_p, []),
    "ecsim_row_name": (ct.c_char_p, [ct.c_char_p, ct.c_uint32]),
    "ecsim_fault_name": (ct.c_char_p, [ct.c_uint32]),
    "ecsim_fault_detail": (ct.c_char_p, [ct.c_void_p]),
    "ecsim_new": (
        ct.c_void_p,
        [
            ct.c_char_p,
            ct.POINTER(Cost),
            ct.c_uint32,
            ct.POINTER(Region),
            ct.c_uint32,
            ct.POINTER(Flash),
            ct.POINTER(ct.c_char_p),
        ],
    ),
    "ecsim_free": (None, [ct.c_void_p]),
    "ecsim_strict_alignment": (None, [ct.c_void_p, ct.c_uint32]),
    "ecsim_load": (ct.c_int, [ct.c_void_p, ct.c_uint32, ct.c_char_p, ct.c_uint32]),
    "ecsim_write": (ct.c_int, [ct.c_void_p, ct.c_uint32, ct.c_char_p, ct.c_uint32]),
    "ecsim_read": (ct.c_int, [ct.c_void_p, ct.c_uint32, ct.c_void_p, ct.c_uint32]),
    "ecsim_set_register": (None, [ct.c_void_p, ct.c_uint32, ct.c_uint32]),
    "ecsim_register": (ct.c_uint32, [ct.c_void_p, ct.c_uint32]),
    "ecsim_begin": (None, [ct.c_void_p, ct.c_uint32, ct.c_uint32]),
    "ecsim_functions": (ct.c_int, [ct.c_void_p, ct.POINTER(ct.c_uint32), ct.c_uint32]),
    "ecsim_run": (ct.c_uint32, [ct.c_void_p, ct.c_uint64]),
    "ecsim_resume": (ct.c_int, [ct.c_void_p]),
    "ecsim_save": (ct.c_void_p, [ct.c_void_p]),
    "ecsim_restore": (None, [ct.c_void_p, ct.c_void_p]),
    "ecsim_state_free": (None, [ct.c_void_p]),
    "ecsim_put_pc": (None, [ct.c_void_p, ct.c_uint32]),
    "ecsim_run_to": (
        ct.c_uint32,
        [ct.c_void_p, ct.POINTER(Range), ct.c_uint32, ct.c_uint64],
    ),
    "ecsim_guard": (ct.c_int, [ct.c_void_p, ct.c_uint32]),
    "ecsim_bank": (ct.c_int, [ct.c_void_p, ct.c_uint32, ct.c_uint32]),
    "ecsim_privileged": (ct.c_int, [ct.c_void_p, ct.c_uint32]),
    "ecsim_patch": (ct.c_int, [ct.c_void_p, ct.c_uint32, ct.c_char_p, ct.c_uint32]),
    "ecsim_visits": (
        ct.c_uint64,
        [
            ct.c_void_p,
            ct.c_uint32,
            ct.c_uint32,
            ct.POINTER(ct.c_uint32),
            ct.POINTER(ct.c_uint32),
            ct.POINTER(ct.c_uint64),
            ct.c_uint64,
        ],
    ),
    "ecsim_digest": (ct.c_uint64, [ct.c_void_p, ct.c_uint32]),
    "ecsim_result": (None, [ct.c_void_p, ct.POINTER(Report)]),
    "ecsim_row_count": (ct.c_uint64, [ct.c_void_p, ct.c_uint32]),
    "ecsim_loads": (ct.c_uint64, [ct.c_void_p, ct.c_uint32]),
    "ecsim_stores": (ct.c_uint64, [ct.c_void_p, ct.c_uint32]),
    "ecsim_profile_size": (ct.c_uint32, [ct.c_void_p]),
    "ecsim_profile_node": (None, [ct.c_void_p, ct.c_uint32, ct.POINTER(Node)]),
    "ecsim_secret": (ct.c_int, [ct.c_void_p, ct.c_uint32, ct.c_uint32, ct.c_uint32]),
    "ecsim_labels": (ct.c_int, [ct.c_void_p, ct.c_uint32, ct.c_void_p, ct.c_uint32]),
    "ecsim_register_labels": (ct.c_uint32, [ct.c_void_p, ct.c_uint32]),
    "ecsim_public_at": (ct.c_int, [ct.c_void_p, ct.c_uint32, ct.c_uint32, ct.c_uint32]),
    "ecsim_variable_time": (ct.c_int, [ct.c_void_p, ct.c_uint32]),
    "ecsim_findings": (ct.c_uint32, [ct.c_void_p]),
    "ecsim_finding_at": (None, [ct.c_void_p, ct.c_uint32, ct.POINTER(Finding)]),
}


@functools.cache
def library() -> ct.CDLL:
    """The native simulator, loaded once; ``ECFIT_LIBECSIM`` names another build
    of it (sanitizers).
    """
    path = Path(os.environ.get("ECFIT_LIBECSIM", _LIBRARY))
    if not path.is_file():
        raise BuildError(f"the simulator is not built: {path} is missing (run 'make -C sim')")
    native = ct.CDLL(str(path))
    for name, (result, arguments) in _SIGNATURES.items():
        try:
            function = getattr(native, name)
        except AttributeError:
            raise BuildError(f"{path} is an old build (run 'make -C sim')") from None
        function.restype, function.argtypes = result, arguments
    if native.ecsim_abi() != ABI:
        raise BuildError(f"{path} is an old build (run 'make -C sim')")
    return native
