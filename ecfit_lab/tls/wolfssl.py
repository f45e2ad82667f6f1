"""The client on wolfSSL: its sources and options, and whose ML-KEM a hybrid group has.

wolfSSL's own ML-KEM, or another library's in its place (firmware/tls_wolfssl/mlkem.c).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ecfit.build.fetch import code_folder, package_digest
from ecfit.build.parts import Parts, contents, peer_parts
from ecfit.choices.curves import HYBRIDS, OPS
from ecfit.choices.peers import Peer, source_files
from ecfit.errors import UsageError
from ecfit.model import Configuration
from ecfit.paths import FIRMWARE
from ecfit_lab.tls.configs import KEM, WOLFSSL, Connection, kem_of

CLIENT = FIRMWARE / "tls"
WOLFSSL_CLIENT = FIRMWARE / "tls_wolfssl"
# Beside those of its peer (peers/wolfssl), which bring the arithmetic.
_SOURCES = (
    *(f"src/{name}.c" for name in ("internal", "keys", "ssl", "tls", "tls13", "wolfio")),
    *(f"wolfcrypt/src/{name}.c" for name in ("aes", "asn", "coding", "hmac", "kdf", "rsa", "sha512",
                                             "sp_int")),
)  # fmt: skip
_GROUPS = {
    "secp256r1": "WOLFSSL_ECC_SECP256R1",
    "secp384r1": "WOLFSSL_ECC_SECP384R1",
    "x25519": "WOLFSSL_ECC_X25519",
    "x25519mlkem768": "WOLFSSL_X25519MLKEM768",
}
OWN_KEM = "wolfssl-pq"
# Of other libraries: the functions that make a key pair and decapsulate begin with this; and the
# bytes that a device leaves to the stack with them.
KEMS = {
    "mlkem-native": ("mlkem_", 19968),
    "pqclean": ("PQCLEAN_MLKEM768_CLEAN_crypto_kem_", 15872),
    "libsodium": ("crypto_kem_mlkem768_", 19456),
}
_ONE_SET = ("WOLFSSL_NO_ML_KEM_512", "WOLFSSL_NO_ML_KEM_1024")
_KEM_OPS = ("keygen", "decaps")


def parts(connection: Connection, backend: str, core: str, peers: Mapping[str, Peer]) -> Parts:
    """What its peer builds for the curves, with TLS around it: the curves' options are those that
    its users would choose on the core, or those of a variant. Errors: UsageError, PackageError.
    """
    peer, variant = peers[WOLFSSL], backend.partition(KEM)[0].removeprefix(WOLFSSL)[1:]
    chosen = {name: option.default_on(core) for name, option in peer.options.items()}
    settings = tuple((chosen | peer.variants.get(variant, {})).items())
    configuration = Configuration(WOLFSSL, None, settings)
    names = dict.fromkeys(["secp256r1", *(curve.name for curve in connection.curves)])
    mine = [name for name in names if name in peer.curves]
    files = dict.fromkeys(
        path for name in mine for path in (*peer.sources(configuration, name),)
    ) | dict.fromkeys(f"wolfssl-src/{name}" for name in _SOURCES)
    wide = [f"HAVE_ECC{curve.bits}" for curve in connection.curves if curve.bits > 256]
    found = [
        *dict.fromkeys(one for name in mine for one in peer.defines(configuration, name, OPS)),
        f"CLIENT_GROUP={_GROUPS[connection.group]}",
        f"SP_INT_BITS={2048 if connection.rsa else 384 if wide else 256}",
        *wide,
        *(["CLIENT_SHA512"] if wide else []),
        *(["CLIENT_TLS12"] if connection.version == "1.2" else []),
        *(["CLIENT_RSA"] if connection.rsa else []),
        *(["CLIENT_AUTHENTICATES"] if connection.mutual else []),
    ]
    made = Parts(
        adapter=WOLFSSL_CLIENT / "client.c",
        identity=["origins", backend, peer.package and package_digest(code_folder(peer)),
                  contents(CLIENT), contents(WOLFSSL_CLIENT), found, list(files)],
        sources=source_files(code_folder(peer), tuple(files)),
        include=(WOLFSSL_CLIENT, CLIENT, code_folder(peer) / "wolfssl-src"),
        defines=tuple(found),
        flags=peer.flags(configuration),
        glue=(CLIENT / "port_sim.c",),
    )  # fmt: skip
    return _with_kem(made, connection, backend, core, peers) if connection.hybrid else made


def check_kem(connection: Connection, backend: str) -> None:
    """Whether there is such a library of ML-KEM for a connection that has one.
    Errors: UsageError.
    """
    name, _ = kem_of(backend)
    if KEM not in backend:
        return
    if not connection.hybrid:
        raise UsageError(f"{connection.name}: it has no ML-KEM: leave '{KEM}{name}' out")
    if name not in (OWN_KEM, *KEMS):
        raise UsageError(
            f"'{backend}': the client takes the ML-KEM of {', '.join((OWN_KEM, *KEMS))}, "
            f"not of '{name}'"
        )


def _with_kem(
    tls: Parts, connection: Connection, backend: str, core: str, peers: Mapping[str, Peer]
) -> Parts:
    """With a KEM beside it, in files of their own options."""
    kem = HYBRIDS[connection.group].kem.name
    name, settings = kem_of(backend)
    name = name or OWN_KEM
    peer = peers[name]
    chosen = peer.configure(settings, core)
    if name == OWN_KEM:
        own = peer.defines(chosen, kem, _KEM_OPS)
        more = tuple(one for one in own if one not in tls.defines and "ARMASM" not in one)
        fast = ["CLIENT_ARMASM"] if dict(chosen.settings)["ASM"] == "1" else []
        tls = msgspec.structs.replace(
            tls, defines=(*tls.defines, *more, "CLIENT_MLKEM", "CLIENT_SHA3")
        )
        files = source_files(code_folder(peer), peer.sources(chosen, kem))
        beside = msgspec.structs.replace(
            tls,
            adapter=WOLFSSL_CLIENT / "none.c",
            identity=[name, *more, *fast],
            sources=tuple(path for path in files if path not in tls.sources),
            defines=(*tls.defines, *fast),
            glue=(),
        )
    else:
        beside = peer_parts(peer, chosen, kem, _KEM_OPS)
        random = "bench_random=mlkem_random"
        beside = msgspec.structs.replace(beside, roots=(), defines=(*beside.defines, random))
        begin = KEMS[name][0]
        calls = f"CLIENT_KEYGEN={begin}keypair", f"CLIENT_DECAPS={begin}dec"
        tls = msgspec.structs.replace(
            tls,
            sources=(*tls.sources, WOLFSSL_CLIENT / "mlkem.c"),
            include=(WOLFSSL_CLIENT / "kem", *tls.include),
            defines=(*tls.defines, "CLIENT_MLKEM", *_ONE_SET, *calls),
        )
    identity = [*tls.identity, list(tls.defines), beside.identity]
    return msgspec.structs.replace(tls, identity=identity, beside=(beside,))
