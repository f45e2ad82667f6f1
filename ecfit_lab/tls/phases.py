"""Where the cycles of a handshake go, and the bytes of an image: phases by the functions
that a path goes through, flights by the steps of its stream, origins by source file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from ecfit_lab.tls.link import Step

OTHER = "messages"
# Of Mbed TLS, and of wolfSSL. In this order: a path belongs to the first phase of which it holds a
# function. What is left are messages: writing and reading them, their transcript, and the state
# machine.
PHASES = {
    "key_share": r"psa_generate_key\w*|psa_export_public_key|psa_raw_key_agreement"
    r"|TLSX_KeyShare_\w+|wc_ecc_(make_key|shared_secret)\w*|wc_curve25519_\w+|edhoc_(keygen|ecdh)",
    "certificates": r"mbedtls_ssl_verify_certificate|mbedtls_x509_crt_parse_der\w*"
    r"|mbedtls_ssl_parse_certificate|mbedtls_ssl_tls13_process_certificate|ProcessPeerCerts\w*",
    "signature": r"mbedtls_ssl_tls13_(process|write)_certificate_verify"
    r"|mbedtls_pk_(verify|sign)\w*|psa_(verify|sign)_hash"
    r"|wc_ecc_(verify|sign)_hash\w*|wc_Rsa(SSL|PSS)_\w+|wc_ed25519_(verify|sign)\w*",
    "key_schedule": r"mbedtls_ssl_tls13_(compute|derive|evolve|calculate|hkdf)\w+|tls_prf\w*"
    r"|mbedtls_ssl_derive_keys|ssl_calc_finished\w*|ssl_tls13_calc_finished\w*|psa_key_derivation\w+"
    r"|Derive\w+(Keys|Secret)|Tls13DeriveKey|BuildTls(13)?\w*(Hmac|Finished)|SetKeysSide"
    r"|MakeTlsMasterSecret|wc_PRF\w*|wc_(Tls13_)?HKDF\w*|edhoc_(extract|expand|sha256)",
    "records": r"mbedtls_ssl_(encrypt_buf|decrypt_buf|read_record|write_record|flush_output"
    r"|fetch_input)|(Build|Encrypt|Decrypt)(Tls13|TLS)?(Message)?|SendBuffered|GetInputData"
    r"|wc_AesGcm\w+|edhoc_(seal|open)",
}
_PATTERNS = {phase: re.compile(f"(?:{names})(?:\\..*)?") for phase, names in PHASES.items()}
NAMES = (*PHASES, OTHER)

# First match counts. Numbers are those of RSA, too, where there is RSA.
ORIGINS = {
    "tls": r"ssl(_.*)?|tls|tls13|internal|keys|wolfio",
    "x509": r"x509.*|asn(1.*)?|oid|pk.*|coding",
    "ecc": r"ecp.*|ecdh|ecdsa|psa_crypto_ecp|p256.*|ecfit.*|ecc|sp_(c|cortexm|armthumb).*"
    r"|curve25519|ed25519|fe_.*|ge_.*",
    "bignum": r"bignum.*|sp_int|wolfmath",
    "rsa": r"rsa.*|psa_crypto_rsa",
    "ciphers": r"aes|gcm|ccm|sha\d+|md|hash|hmac|kdf|cipher.*|block_cipher|constant_time"
    r"|psa_crypto_(hash|mac|cipher|aead)",
    "psa": r"psa_.*",
}
REST = "rest"
HELLO_VERIFY_REQUEST = b"\3"  # the type of a message, behind the 13 bytes of its record


def phase(path: tuple[str, ...]) -> str:
    """The phase of a path of functions, outermost first."""
    for name, pattern in _PATTERNS.items():
        if any(pattern.fullmatch(function) for function in path):
            return name
    return OTHER


def by_phase(profile: Mapping[tuple[str, ...], int]) -> dict[str, int]:
    """Cycles of each phase; their sum is that of the profile."""
    total = dict.fromkeys(NAMES, 0)
    for path, cycles in profile.items():
        total[phase(path)] += cycles
    return total


def between(
    before: Mapping[tuple[str, ...], int], after: Mapping[tuple[str, ...], int]
) -> dict[tuple[str, ...], int]:
    """What a profile gained between two marks."""
    return {p: gained for p, cycles in after.items() if (gained := cycles - before.get(p, 0))}


def by_function(profile: Mapping[tuple[str, ...], int]) -> dict[str, int]:
    """Cycles of each function itself, the most expensive first."""
    total: dict[str, int] = {}
    for path, cycles in profile.items():
        total[path[-1]] = total.get(path[-1], 0) + cycles
    return dict(sorted(total.items(), key=lambda item: -item[1]))


class Flight(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one side sends before it waits for the other. `begin_cycles`, `end_cycles`: of the
    handshake, when the client sends or asks for the first of it, and for the last. `datagrams`:
    bytes of each, without TCP.
    """

    by: str  # "client" or "server"
    bytes: int
    begin_cycles: int
    end_cycles: int
    datagrams: list[int] = []
    cookie: bool = False  # it only asks for the first flight again (RFC 6347, 4.2.1)


def flights(
    steps: Sequence[Step], times: Sequence[int], begin: int, *, datagram: bool = False
) -> list[Flight]:
    """The flights of a handshake that began at so many cycles. `times`: of each step; `datagram`:
    whether a step is one.
    """
    found: list[Flight] = []
    for step, time in zip(steps, times, strict=True):
        by = "client" if step.what == "send" else "server"
        first, size = time - begin, len(step.data)
        cuts = [size] if datagram and size else []
        if found and found[-1].by == by:
            last = found.pop()
            first, size, cuts = last.begin_cycles, last.bytes + size, last.datagrams + cuts
        asks = datagram and by == "server" and step.data[13:14] == HELLO_VERIFY_REQUEST
        found.append(Flight(by, size, first, time - begin, cuts, asks))
    return found


def by_origin(sources: Mapping[str, int], flash_bytes: int) -> dict[str, int]:
    """Bytes of flash by what they are for; the rest (the C library, what the compiler adds,
    alignment) makes it `flash_bytes`.
    """
    total = dict.fromkeys(ORIGINS, 0)
    for source, size in sources.items():
        name = next((n for n, pattern in ORIGINS.items() if re.fullmatch(pattern, source)), REST)
        if name != REST:
            total[name] += size
    return {**total, REST: flash_bytes - sum(total.values())}
