"""The client of EDHOC: the crate lakers, built by cargo, with this library and Mbed TLS's AES."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec

from ecfit.build.fetch import code_folder, package_digest
from ecfit.build.parts import Parts, contents, own_parts
from ecfit.build.toolchain import run
from ecfit.choices.peers import Peer
from ecfit.choices.targets import Target
from ecfit.errors import MissingToolError, UsageError
from ecfit.model import Configuration, digest
from ecfit.paths import FIRMWARE, cache_dir, is_kept, make_folder, private_folder, write_atomic
from ecfit_lab.tls.configs import MBEDTLS

CLIENT, PORT = FIRMWARE / "edhoc", FIRMWARE / "tls"
RUST = {  # targets of rustc, by core
    "cortex-m0": "thumbv6m-none-eabi",
    "cortex-m0plus": "thumbv6m-none-eabi",
    "cortex-m3": "thumbv7m-none-eabi",
    "cortex-m4": "thumbv7em-none-eabi",
    "cortex-m7": "thumbv7em-none-eabi",
    "cortex-m33": "thumbv7m-none-eabi",  # which it runs as well
    "esp32-c3": "riscv32imc-unknown-none-elf",
}
_AES = ("aes", "block_cipher", "ccm", "constant_time", "platform_util")


def archive(target: Target) -> Path:
    """The library of a core, built once. Errors: BuildError, MissingToolError, UsageError."""
    if target.core not in RUST:
        raise UsageError(f"edhoc: lakers is built for {', '.join(RUST)}, not for {target.core}")
    rust = RUST[target.core]
    if shutil.which("cargo") is None:
        raise MissingToolError("cargo is not installed: it builds lakers for the client of EDHOC")
    about = [run(["rustc", *words], "rustc") for words in (("-V",), ("--print", "sysroot"))]
    if not Path(about[1].strip(), "lib", "rustlib", rust).is_dir():
        raise MissingToolError(f"Rust's core library is missing: run 'rustup target add {rust}'")
    kept = cache_dir() / "edhoc" / f"{digest([contents(CLIENT), about[0], rust])[:16]}.a"
    if not is_kept(kept):
        with private_folder("ecfit-edhoc-") as folder:
            command = ["cargo", "build", "--quiet", "--locked", "--release", "--target", rust]
            run([*command, "--target-dir", str(folder)], "lakers", CLIENT)
            make_folder(kept.parent)
            write_atomic(kept, (folder / rust / "release" / "libedhoc.a").read_bytes(), 0o644)
    return kept


def parts(target: Target, own: Configuration, peers: Mapping[str, Peer]) -> Parts:
    """What the client brings to its image. Errors: MissingToolError, PackageError, UsageError."""
    ours, peer = own_parts(own, "secp256r1", ("keygen", "ecdh"), (), ("COMPRESS",)), peers[MBEDTLS]
    folder, library = code_folder(peer) / "mbedtls", archive(target)
    return msgspec.structs.replace(
        ours,
        adapter=CLIENT / "client.c",
        identity=["edhoc", library.name, contents(CLIENT), contents(PORT), ours.identity,
                  peer.package and package_digest(code_folder(peer))],
        sources=(*ours.sources, *(folder / "library" / f"{name}.c" for name in _AES)),
        include=(*ours.include, PORT, CLIENT, folder / "include", folder / "library"),
        defines=("MBEDTLS_CONFIG_FILE=<aes_config.h>",),
        link=(str(library),),
        roots=(),
        glue=(PORT / "port_sim.c",),
    )  # fmt: skip
