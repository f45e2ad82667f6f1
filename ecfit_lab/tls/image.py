"""The client's image: Mbed TLS with what one connection needs, and a back end for elliptic curves.

An image of the bench like any other, whose one operation, `tls`, is a whole connection.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from ecfit.build import build, toolchain
from ecfit.build.fetch import code_folder, package_digest
from ecfit.build.parts import Parts, contents, own_parts
from ecfit.build.request import Request
from ecfit.choices import knobs
from ecfit.choices.curves import OPS
from ecfit.choices.peers import Peer
from ecfit.choices.targets import EMULATED, Target
from ecfit.errors import BuildError, UsageError
from ecfit.measure.store import Store
from ecfit.model import Configuration, Image, Toolchain
from ecfit.paths import FIRMWARE, LIB
from ecfit_lab.tls import lakers, wolfssl
from ecfit_lab.tls.configs import (
    EDHOC,
    LAKERS,
    OWN_BACKEND,
    TCP,
    WOLFSSL,
    Connection,
    lack,
    preset_of,
    stack_of,
)

OP = "tls"
CLIENT = FIRMWARE / "tls"
PSA = LIB / "psa"
WRAPPERS = ("psa_crypto_driver_wrappers.h", "psa_crypto_driver_wrappers_no_static.c")
_PUBLIC = (  # in which file and function, before what: what is declared
    (
        "ssl_msg.c",
        "\nint mbedtls_ssl_decrypt_buf(",
        "    /* Make extra sure authentication was performed, exactly once */\n",
        "    bench_public(data, rec->data_len);\n",
    ),
    (
        "psa_crypto.c",
        "\npsa_status_t psa_export_public_key(",
        "exit:\n    unlock_status = psa_unregister_read_under_mutex(slot);\n\n    LOCAL_OUT",
        "    bench_public(data, *data_length);\n",
    ),
    (
        "psa_crypto.c",
        "\nstatic psa_status_t psa_sign_internal(",
        "exit:\n    psa_wipe_tag_output_buffer(signature, status",
        "    bench_public(signature, *signature_length);\n",
    ),
)
_USERS = ("psa_crypto.c", "psa_crypto_slot_management.c", WRAPPERS[1])  # include the wrappers
# Of mbedtls/library; what a configuration does not want of them comes out empty.
_SOURCES = [
    "aes",
    "asn1parse",
    "asn1write",
    "bignum",
    "bignum_core",
    "bignum_mod",
    "bignum_mod_raw",
    "block_cipher",
    "cipher",
    "cipher_wrap",
    "ccm",
    "constant_time",
    "ecdh",
    "ecdsa",
    "ecp",
    "ecp_curves",
    "gcm",
    "md",
    "oid",
    "pk",
    "pk_ecc",
    "pk_wrap",
    "pkparse",
    "pkwrite",
    "platform",
    "platform_util",
    "psa_crypto",
    "psa_crypto_aead",
    "psa_crypto_cipher",
    "psa_crypto_client",
    "psa_crypto_driver_wrappers_no_static",
    "psa_crypto_ecp",
    "psa_crypto_hash",
    "psa_crypto_mac",
    "psa_crypto_rsa",
    "psa_crypto_slot_management",
    "psa_util",
    "rsa",
    "rsa_alt_helpers",
    "sha256",
    "sha512",
    "ssl_ciphersuites",
    "ssl_client",
    "ssl_msg",
    "ssl_tls",
    "ssl_tls12_client",
    "ssl_tls13_client",
    "ssl_tls13_generic",
    "ssl_tls13_keys",
    "x509",
    "x509_crt",
]
_P256M = ("p256-m_driver_entrypoints.c", "p256-m/p256-m.c")
PSA_CURVES = {  # by our names: PSA_WANT_ECC_..
    "secp256r1": "SECP_R1_256",
    "secp384r1": "SECP_R1_384",
    "secp521r1": "SECP_R1_521",
    "secp256k1": "SECP_K1_256",
    "brainpoolP256r1": "BRAINPOOL_P_R1_256",
    "brainpoolP384r1": "BRAINPOOL_P_R1_384",
    "brainpoolP512r1": "BRAINPOOL_P_R1_512",
    "x25519": "MONTGOMERY_255",
}
_GROUPS = {
    "secp256r1": "MBEDTLS_SSL_IANA_TLS_GROUP_SECP256R1",
    "secp384r1": "MBEDTLS_SSL_IANA_TLS_GROUP_SECP384R1",
    "secp521r1": "MBEDTLS_SSL_IANA_TLS_GROUP_SECP521R1",
    "x25519": "MBEDTLS_SSL_IANA_TLS_GROUP_X25519",
}
_SIGNATURES = {
    "rsa2048": "MBEDTLS_TLS1_3_SIG_RSA_PSS_RSAE_SHA256,MBEDTLS_TLS1_3_SIG_RSA_PKCS1_SHA256",
    "secp256r1": "MBEDTLS_TLS1_3_SIG_ECDSA_SECP256R1_SHA256",
    "secp384r1": "MBEDTLS_TLS1_3_SIG_ECDSA_SECP384R1_SHA384",
    "secp521r1": "MBEDTLS_TLS1_3_SIG_ECDSA_SECP521R1_SHA512",
}
_WEB_SIGNATURES = ",".join(  # of certificates, too
    f"MBEDTLS_TLS1_3_SIG_{name}"
    for name in (
        "ECDSA_SECP256R1_SHA256", "ECDSA_SECP384R1_SHA384",
        *(f"RSA_{kind}_SHA{bits}" for kind in ("PSS_RSAE", "PKCS1") for bits in (256, 384, 512)),
    )
)  # fmt: skip
LEAST_RECORD, MOST_RECORD = 1024, 16384  # bytes; RFC 8446, 5.1


class Client(msgspec.Struct, frozen=True):
    """A client to build: for this target, connection and back end."""

    target: Target
    connection: Connection
    backend: str
    compiler: str = "gcc"
    opt: str = "Os"
    secrets: bool = False
    record_bytes: int = 0  # of the buffer for what comes in; 0: the connection's
    sets: tuple[tuple[str, str], ...] = ()  # of our library, beside the preset

    @property
    def stack(self) -> str:
        """Whose TLS it is; a peer of that name brings the code."""
        return stack_of(self.backend)

    @property
    def tools(self) -> Toolchain:
        """Errors: MissingToolError."""
        return toolchain.find_toolchain(self.compiler, self.target.arch, self.target.core, self.opt)


def check(client: Client) -> None:
    """Whether this back end can serve the connection. Errors: UsageError."""
    if client.target.arch in EMULATED and client.target.clock is None:
        raise UsageError(f"{client.target.name} has no Ethernet: its core is on the board lx60")
    if client.connection.resumes and client.target.runner == "qemu":
        raise UsageError(
            f"{client.connection.name}: sessions are resumed on modelled chips, not on boards: "
            "name a chip with --target"
        )
    if client.connection.datagram and (
        client.target.runner == "qemu" or client.target.arch == "host"
    ):
        raise UsageError(f"{client.connection.name}: on modelled chips: name one with --target")
    if why := lack(client.stack, client.connection, client.backend):
        raise UsageError(f"{client.connection.name}: {why}")
    wolfssl.check_kem(client.connection, client.backend)
    if client.target.arch == "host" and client.connection.hybrid:
        raise UsageError(f"{client.connection.name}: on chips and boards, not on this machine")
    if client.connection.version == EDHOC and client.secrets:
        raise UsageError(f"--ct knows what is public in Mbed TLS alone, not in {LAKERS}")
    if client.stack == WOLFSSL and client.secrets:
        raise UsageError(f"--ct knows what is public in Mbed TLS alone, not in {WOLFSSL}")
    others = [c.name for c in client.connection.curves if c.name != "secp256r1"]
    if client.backend == "p256-m" and others:
        raise UsageError(
            f"p256-m is for secp256r1 alone: {client.connection.name} needs {others[0]}"
        )


def image(client: Client, peers: Mapping[str, Peer], store: Store) -> Image:
    """The image, built if need be. Errors: UsageError, BuildError, PackageError."""
    check(client)
    wanted = request(client, peers)
    return store.made_image(wanted.key, lambda: build.build(wanted))


def request(client: Client, peers: Mapping[str, Peer]) -> Request:
    """What is to be built. Errors: PackageError, MissingToolError."""
    own = _configuration(client)
    return Request(
        target=client.target,
        configuration=own or Configuration(client.backend, None, ()),
        curve="secp256r1",
        ops=(OP,),
        toolchain=client.tools,
        parts=_parts(client, peers, own),
        lines=client.secrets,
    )


def _configuration(client: Client) -> Configuration | None:
    """Of our library, where it is the back end."""
    if not client.backend.startswith(OWN_BACKEND) or not client.connection.curves:
        return None
    curve = client.connection.curves[0]
    return _own(client, curve.name)


def _own(client: Client, curve: str) -> Configuration:
    preset, settings = preset_of(client.backend)
    curves = {one.name: one for one in client.connection.curves}
    sets = {"COMPRESS": "sec1"} if curves[curve].form == "weierstrass" else {}
    sets |= {"SHA256": "own"} if client.connection.version == EDHOC else {}
    return knobs.resolve(
        curves[curve],
        preset,
        {**settings, **dict(client.sets), **sets},
        client.target.backend,
        several=len(curves) > 1,
    )


def _parts(client: Client, peers: Mapping[str, Peer], own: Configuration | None) -> Parts:
    if client.connection.version == TCP:
        files = [
            CLIENT / "plain.c",
            CLIENT / "port_sim.c",
            CLIENT / "port.h",
            CLIENT / "host_call.h",
        ]
        return Parts(
            adapter=files[0],
            identity=["origins", TCP, *(path.read_text("utf-8") for path in files)],
            include=(CLIENT,),
            glue=(files[1],),
        )
    if client.connection.version == EDHOC:
        assert own is not None  # checked
        return lakers.parts(client.target, own, peers)
    if client.stack == WOLFSSL:
        return wolfssl.parts(client.connection, client.backend, client.target.core, peers)
    peer = peers[client.stack]
    folder = code_folder(peer) / "mbedtls"
    library = folder / "library"
    sources = [library / f"{name}.c" for name in _SOURCES]
    include = [CLIENT, folder / "include", library]
    generated: dict[str, str] = {}
    identity: list[object] = [
        "origins",
        client.backend if client.connection.curves else "",
        peer.package and package_digest(code_folder(peer)),
        contents(CLIENT),
        *([[list(one) for one in _PUBLIC]] if client.secrets else []),
    ]
    if client.backend == "p256-m" and client.connection.curves:
        sources += [folder / "3rdparty/p256-m" / name for name in _P256M]
        include += [folder / "3rdparty/p256-m"]
    if own is not None:
        ours = _driver(client, own)
        sources = [Path(p.name) if p.name in _USERS else p for p in sources] + list(ours.sources)
        include += ours.include
        generated = {name: (library / name).read_text("utf-8") for name in _USERS}
        generated |= merged(library) | ours.generated
        identity += [ours.identity, contents(PSA)]
    if client.secrets:
        texts = declaring(library)
        generated |= texts
        sources = [Path(p.name) if p.name in texts else p for p in sources]
    defines = tuple(_defines(client))
    return Parts(
        adapter=CLIENT / ("client_psk.c" if client.connection.psk else "client.c"),
        identity=[*identity, list(defines), [path.name for path in sources]],
        sources=tuple(sources),
        include=tuple(include),
        defines=defines,
        generated=generated,
        glue=(CLIENT / "port_sim.c",),
    )


def _defines(client: Client) -> list[str]:
    """The macros that configure config.h and crypto_config.h."""
    connection = client.connection
    groups = [one.name for one in connection.curves] if connection.web else [connection.group]
    found = [
        "MBEDTLS_CONFIG_FILE=<config.h>",
        "MBEDTLS_PSA_CRYPTO_CONFIG_FILE=<crypto_config.h>",
        f"CLIENT_GROUPS={','.join(_GROUPS[one] for one in groups)}",
        f"CLIENT_SIGNATURES={_WEB_SIGNATURES if connection.web else _SIGNATURES[connection.key]}",
    ]
    found += ["CLIENT_WEB"] if connection.web else []
    found += [f"CLIENT_RECORD={client.record_bytes}"] if client.record_bytes else []
    found += ["CLIENT_TLS12"] if connection.version == "1.2" else []
    found += ["CLIENT_DTLS"] if connection.datagram else []
    found += ["CLIENT_PSK"] if connection.psk else []
    found += ["CLIENT_RSA"] if connection.rsa else []
    found += ["CLIENT_AUTHENTICATES"] if connection.mutual else []
    found += ["CLIENT_SECRETS"] if client.secrets else []
    found += ["CLIENT_RESUMES"] if connection.resumes else []
    found += ["CLIENT_TICKET"] if connection.resumes in ("ticket", "psk") else []
    found += ["CLIENT_PSK_ONLY"] if connection.resumes == "psk" else []
    wide = any(curve.bits > 256 for curve in connection.curves)
    found += ["CLIENT_SHA512"] if wide else []
    p256m = client.backend == "p256-m" and not connection.psk
    found += ["MBEDTLS_PSA_P256M_DRIVER_ENABLED"] if p256m else []
    driver = client.backend.startswith(OWN_BACKEND) and not connection.psk
    found += ["CLIENT_ECC_DRIVER", "ECFIT_PSA_DRIVER_ENABLED"] if driver else []
    for curve in connection.curves:
        found.append(f"PSA_WANT_ECC_{PSA_CURVES[curve.name]}=1")
        found += [f"MBEDTLS_PSA_ACCEL_ECC_{PSA_CURVES[curve.name]}=1"] if driver else []
    return found


def _driver(client: Client, own: Configuration) -> Parts:
    """Our library and its driver."""
    first, *others = client.connection.curves
    more = [(curve, _own(client, curve.name)) for curve in others]
    ops = [op for op in OPS if client.connection.ecdsa or op in ("keygen", "ecdh")]
    parts = own_parts(own, first.name, ops, more, ("COMPRESS",))
    return msgspec.structs.replace(
        parts,
        sources=(*parts.sources, PSA / "ecfit_psa.c"),
        include=(*parts.include, PSA),
        roots=(),  # the driver calls what it needs
    )


@cache
def declaring(library: Path) -> dict[str, str]:
    """Files of Mbed TLS for runs that follow secrets, by name. They say what is public though it
    was computed from secrets: what a record held, once it is authenticated, so that parsing
    a certificate counts as no leak of the traffic keys; a public key; and a signature, which
    the server is given. Errors: BuildError.
    """
    texts: dict[str, str] = {}
    for name, start, place, call in _PUBLIC:
        text = texts.get(name) or (library / name).read_text("utf-8")
        begin = text.find(start)
        at = text.find(place, begin)
        if not 0 <= begin < at:
            raise BuildError(f"{name} of Mbed TLS is not as expected")
        prototype = "\nvoid bench_public(const void *bytes, size_t size);\n"
        texts[name] = text[:begin] + prototype + text[begin:at] + call + text[at:]
    return texts


@cache
def merged(library: Path) -> dict[str, str]:
    """Mbed TLS's driver wrappers with our driver in them, by name. Errors: BuildError."""
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, str(PSA / "merge.py"), str(library), name]
        toolchain.run(command, "the driver wrappers of Mbed TLS", Path(name))
        return {file: Path(name, file).read_text("utf-8") for file in WRAPPERS}
