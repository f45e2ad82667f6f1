"""The ABI of the native simulator (sim/ecsim.h) in ctypes. Used by `ecfit.simlib` alone."""

from __future__ import annotations

import ctypes as ct
import functools
import os
from pathlib import Path

from ecfit.errors import BuildError

ABI = 1
_LIBRARY = Path(__file__).parent.parent / "sim" / "libecsim.so"


class Region(ct.Structure):
    _fields_ = [("start", ct.c_uint32), ("size", ct.c_uint32), ("kind", ct.c_uint32)]


class Cost(ct.Structure):
    _fields_ = [("cycles", ct.c_uint32), ("per_register", ct.c_uint32)]


class Flash(ct.Structure):
    _fields_ = [("wait_states", ct.c_uint32), ("line_bytes", ct.c_uint32)]


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
    ]


class Node(ct.Structure):
    _fields_ = [("function", ct.c_uint32), ("parent", ct.c_uint32), ("cycles", ct.c_uint64)]


_SIGNATURES: dict[str, tuple[object, list[object]]] = {
    "ecsim_abi": (ct.c_uint32, []),
    "ecsim_build_id": (ct.c_char_p, []),
    "ecsim_row_name": (ct.c_char_p, [ct.c_char_p, ct.c_uint32]),
    "ecsim_fault_name": (ct.c_char_p, [ct.c_uint32]),
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
    "ecsim_load": (ct.c_int, [ct.c_void_p, ct.c_uint32, ct.c_char_p, ct.c_uint32]),
    "ecsim_write": (ct.c_int, [ct.c_void_p, ct.c_uint32, ct.c_char_p, ct.c_uint32]),
    "ecsim_read": (ct.c_int, [ct.c_void_p, ct.c_uint32, ct.c_void_p, ct.c_uint32]),
    "ecsim_set_register": (None, [ct.c_void_p, ct.c_uint32, ct.c_uint32]),
    "ecsim_register": (ct.c_uint32, [ct.c_void_p, ct.c_uint32]),
    "ecsim_begin": (None, [ct.c_void_p, ct.c_uint32, ct.c_uint32]),
    "ecsim_functions": (ct.c_int, [ct.c_void_p, ct.POINTER(ct.c_uint32), ct.c_uint32]),
    "ecsim_run": (ct.c_uint32, [ct.c_void_p, ct.c_uint64]),
    "ecsim_result": (None, [ct.c_void_p, ct.POINTER(Report)]),
    "ecsim_row_count": (ct.c_uint64, [ct.c_void_p, ct.c_uint32]),
    "ecsim_loads": (ct.c_uint64, [ct.c_void_p, ct.c_uint32]),
    "ecsim_stores": (ct.c_uint64, [ct.c_void_p, ct.c_uint32]),
    "ecsim_profile_size": (ct.c_uint32, [ct.c_void_p]),
    "ecsim_profile_node": (None, [ct.c_void_p, ct.c_uint32, ct.POINTER(Node)]),
}


@functools.cache
def library() -> ct.CDLL:
    """The native simulator, loaded once; ``ECFIT_LIBECSIM`` names another build of it (sanitizers)."""
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
