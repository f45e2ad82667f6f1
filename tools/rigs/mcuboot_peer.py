#!/usr/bin/env python3
"""Runs MCUboot's code on compat/mcuboot. MCUboot is a checkout of yours.

tools/rigs/mcuboot_peer.py --peer-dir mcuboot=PATH flips    bytes of nine images changed
tools/rigs/mcuboot_peer.py --peer-dir mcuboot=PATH sim      MCUboot's own simulator, in four modes
tools/rigs/mcuboot_peer.py --peer-dir mcuboot=PATH zephyr   its menu and port for Zephyr, booted

Exit code 1 where a changed image is taken, or where a test of the simulator fails.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import kconfiglib
from secureboot import ALGORITHMS, make_key, pem, sign_again

from ecfit.paths import ROOT
from tools.docs import example_table

COMPAT = ROOT / "compat" / "mcuboot"
PORT = ROOT / "examples" / "mcuboot"
MACROS = {"ecdsa-p256": "EC256", "ecdsa-p384": "EC384", "ed25519": "ED25519"}
SETS = {
    "ecdsa-p256": "HASH_STREAM=own,DER=strict,SHA256=own",
    "ecdsa-p384": "HASH_STREAM=own,DER=strict,SHA512=own",
    "ed25519": "HASH_STREAM=own,SHA256=own,SHA512=own",
}
SIZES = (1, 300, 2000)
# What MCUboot's menu takes of Zephyr: functions on its devicetree, and the menu of its modules.
FUNCTIONS = """\
def no(kconfig, name, *words):
    return "n"


names = ("dt_nodelabel_enabled", "dt_chosen_enabled", "dt_chosen_path", "dt_chosen_reg_addr_hex",
         "dt_chosen_reg_size_int")
functions = {name: (no, 1, 2) for name in names}
"""
ZEPHYR = {
    "Kconfig.zephyr": f'source "{ROOT}/zephyr/Kconfig"\n',
    "kconfigfunctions.py": FUNCTIONS,
    "subsys/logging/Kconfig.template.log_config": "",
    "zephyr/devicetree.h": "",
    "os/os_malloc.h": "#include <stdlib.h>\n",
    "mcuboot_config/mcuboot_logging.h": (PORT / "mcuboot_config/mcuboot_logging.h").read_text(
        encoding="utf-8"
    ),
}
# How Zephyr's port updates: the symbol that chooses it, MCUboot's files that follow, and the slots.
BOOTS = {
    "overwrite": ("BOOT_UPGRADE_ONLY", ("loader", "swap_misc", "swap_scratch"), 2),
    "swap with scratch": ("BOOT_SWAP_USING_SCRATCH", ("loader", "swap_misc", "swap_scratch"), 2),
    "swap with move": ("BOOT_SWAP_USING_MOVE", ("loader", "swap_misc", "swap_move"), 2),
    "swap with offset": ("BOOT_SWAP_USING_OFFSET", ("loader", "swap_misc", "swap_offset"), 2),
    "one slot": ("SINGLE_APPLICATION_SLOT", ("../../zephyr/single_loader",), 1),
}
LOADS = ("bootutil_area", "bootutil_loader", "caps")
BOOT_C = ROOT / "tests" / "compat" / "mcuboot" / "boot.c"
SLOT, HEADER = 0x100000, 0x200  # of the emulated board's flash; of an image
# Without swaps, whose code needs more of a flash than flips.c has.
ECDSA = ("BOOT_UPGRADE_ONLY", "BOOT_SIGNATURE_TYPE_ECDSA_P256")
BOOTUTIL = ("image_validate", "tlv", "bootutil_find_key", "bootutil_img_hash", "bootutil_misc",
            "bootutil_public", "image_ecdsa", "image_ed25519",
            "fault_injection_hardening")  # fmt: skip
# The block of MCUboot's sim/mcuboot-sys/build.rs that names the cryptography of its own.
BLOCK = re.compile(
    r'conf\.conf\.include\("csupport/custom_crypto"\);.*?(?=// Encryption support)', re.DOTALL
)
# What encrypts there, and ours in its place, with AES of MCUboot's TinyCrypt.
ENCRYPTED = 'conf.file("csupport/custom_crypto/sim_custom_encrypted.c");'
AES = f"""\
conf.conf.define("ECFIT_MCUBOOT_AES", Some("\\"{PORT}/aes_ctr.h\\""));
conf.conf.include("../../ext/tinycrypt/lib/include");
conf.file("../../ext/tinycrypt/lib/source/aes_encrypt.c");
conf.file("../../ext/tinycrypt/lib/source/ctr_mode.c");
conf.file("../../ext/tinycrypt/lib/source/utils.c");
"""
# The simulator hands its heap to Mbed TLS, which is not linked: it is taken, and not used.
NO_HEAP = """\
int mbedtls_platform_set_calloc_free(void *calloc, void *free)
{
    (void)calloc;
    (void)free;
    return 0;
}
"""
PRIMARY, OVERWRITE, ENCRYPT = "validate-primary-slot", "overwrite-only", "custom-enc-crypto"
MODES = ((PRIMARY,), (PRIMARY, OVERWRITE), (PRIMARY, ENCRYPT), (PRIMARY, OVERWRITE, ENCRYPT))


def configured(
    algorithm: str, folder: Path, ops: str = "verify", target: str = "host"
) -> list[Path]:
    """Writes the configuration to a folder; the folders of headers."""
    command = [*example_table.ECFIT, "config", "--target", target, "--curve",
               ALGORITHMS[algorithm].curve, "--op", ops, "--set", SETS[algorithm],
               "-o", str(folder)]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    return [COMPAT, folder, ROOT / "lib" / "include", ROOT / "lib" / "src"]


def menu(peer: Path, folder: Path, *chosen: str) -> kconfiglib.Kconfig:
    """MCUboot's menu with the module's, and these symbols set; writes autoconf.h, and the headers
    that MCUboot has for Zephyr.
    """
    include = peer / "boot" / "zephyr" / "include"
    theirs = ("mcuboot_config/mcuboot_config.h", "watchdog.h")
    texts = ZEPHYR | {name: (include / name).read_text(encoding="utf-8") for name in theirs}
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "prj.conf").write_text(
        "".join(f"CONFIG_{name}=y\n" for name in chosen), encoding="utf-8"
    )
    os.environ |= {"srctree": str(folder), "KCONFIG_WARN_UNDEF": "n"}
    sys.path.insert(0, str(folder))
    try:
        found = kconfiglib.Kconfig(str(peer / "boot/zephyr/Kconfig"), warn_to_stderr=False)
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("kconfigfunctions", None)
    found.load_config(str(folder / "prj.conf"))
    found.write_autoconf(str(folder / "autoconf.h"))
    return found


def zephyr(peer: Path) -> int:
    """MCUboot's menu offers ecfit and keeps its default; with ecfit, its configuration for Zephyr,
    unchanged, boots an image and refuses each changed one.
    """
    with tempfile.TemporaryDirectory(prefix="mcuboot-zephyr-") as name:
        folder = Path(name)
        for chosen, expected in ((ECDSA, "TINYCRYPT"), ((*ECDSA, "BOOT_ECDSA_ECFIT"), "ECFIT")):
            found = menu(peer, folder, *chosen)
            picked = found.named_choices["BOOT_ECDSA_IMPLEMENTATION"].selection.name
            others = [
                name
                for name in ("BOOT_USE_TINYCRYPT", "BOOT_USE_MBEDTLS", "BOOT_USE_PSA_CRYPTO")
                if found.syms[name].str_value == "y"
            ]
            mine = [warning for warning in found.warnings if "ECFIT" in warning]
            print(f"{' '.join(chosen)}: {picked}; libraries: {' '.join(others) or 'none'}")
            if picked != f"BOOT_ECDSA_{expected}" or mine or (expected == "ECFIT" and others):
                print("\n".join(found.warnings))
                return 1
        for way in BOOTS:
            said, passed = boots(peer, way, folder / way.replace(" ", "-"))
            print(f"{way}: {said}", flush=True)
            if not passed:
                return 1
        return flips(peer, ("ecdsa-p256",), folder)


def boots(peer: Path, way: str, folder: Path) -> tuple[str, bool]:
    """Builds MCUboot for an emulated Cortex-M3 with its configuration for Zephyr, unchanged, and
    ecfit; gives it images of imgtool. What the board says, and whether the image ran and no changed
    one. Errors: CalledProcessError.
    """
    symbol, units, slots = BOOTS[way]
    menu(peer, folder, "BOOT_SIGNATURE_TYPE_ECDSA_P256", "BOOT_ECDSA_ECFIT", symbol)
    chosen = (folder / "autoconf.h").read_text(encoding="utf-8")
    if f"CONFIG_{symbol} 1" not in chosen or "CONFIG_BOOT_ECDSA_ECFIT 1" not in chosen:
        sys.exit(f"MCUboot's menu has no {symbol} with BOOT_ECDSA_ECFIT")
    board = ROOT / "examples" / "board"
    common: list[str | Path] = [
        *("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-Os", "-w", "-std=gnu11"),
        *("-ffunction-sections", "-Wl,--gc-sections", "--specs=nano.specs", "-nostartfiles"),
        *("-T", board / "cortexm.ld", f"-I{board}", BOOT_C),
        *(board / f"{name}.c" for name in ("mps2", "say", "start")),
        *("-Wl,--defsym=RAM=0x20000000", "-Wl,--defsym=RAM_SIZE=0x400000"),
    ]
    include = [folder, *configured("ecdsa-p256", folder, target="cc2538"), PORT,
               peer / "boot/bootutil/include", peer / "boot/bootutil/src"]  # fmt: skip
    key = make_key(ALGORITHMS["ecdsa-p256"], "mcuboot_peer")
    payload, loader = folder / "payload", folder / "loader"
    (folder / "key.pem").write_bytes(pem(key))
    imgtool = Path(sys.executable).with_name("imgtool")
    sign: list[str | Path] = [
        *(imgtool, "sign", "--key", folder / "key.pem", "--align", "4", "--header-size"),
        *(hex(HEADER), "--pad-header", "--slot-size", "0x8000", f"{payload}.bin"),
    ]
    commands: tuple[list[str | Path], ...] = (
        [*common, "-DPAYLOAD", f"-Wl,--defsym=FLASH={SLOT + HEADER}",
         "-Wl,--defsym=FLASH_SIZE=0x4000", "-o", payload],
        ["arm-none-eabi-objcopy", "-O", "binary", payload, f"{payload}.bin"],
        [*sign, "--version", "1.0.0", folder / "new.bin"],
        [*sign, "--version", "0.9.0", folder / "old.bin"],
    )  # fmt: skip
    for command in commands:
        subprocess.run(command, check=True, capture_output=True)
    public = subprocess.run([imgtool, "getpub", "--key", folder / "key.pem"], check=True,
                            capture_output=True, text=True)  # fmt: skip
    (folder / "key.c").write_text(public.stdout, encoding="utf-8")
    sources = [
        folder / "key.c",
        COMPAT / "ecfit_mcuboot.c",
        ROOT / "lib/src/ecfit.c",
        ROOT / "lib/src/ecfit_asm.S",
        *(peer / f"boot/bootutil/src/{unit}.c" for unit in (*BOOTUTIL, *LOADS, *units)),
    ]
    subprocess.run(
        [*common, "-imacros", folder / "autoconf.h", "-DMCUBOOT_USE_CUSTOM_CRYPTO", "-include",
         COMPAT / "ecfit_zephyr.h", *(f"-I{one}" for one in include), *sources,
         f'-DIMAGES="{folder}/"', f"-DSLOT={SLOT}", f"-DSLOTS={slots}",
         "-Wl,--defsym=FLASH=0", f"-Wl,--defsym=FLASH_SIZE={SLOT}", "-o", loader],
        check=True,
    )  # fmt: skip
    done = subprocess.run(
        ["qemu-system-arm", "-M", "mps2-an385", "-kernel", loader, "-display", "none",
         "-monitor", "none", "-serial", "stdio", "-semihosting", "-no-reboot"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1200, check=False,
    )  # fmt: skip
    return done.stdout.strip().replace("\n", "; "), done.returncode == 0


def flips(peer: Path, algorithms: Sequence[str], port: Path | None = None) -> int:
    """Each byte of three images changed in four ways, under AddressSanitizer, for each algorithm.

    port: what Zephyr includes; None: the port of examples/mcuboot.
    """
    worst = 0
    for algorithm in algorithms:
        found = ALGORITHMS[algorithm]
        if algorithm == "ed25519":  # MCUboot's default
            found = found._replace(sha=256)
        key = make_key(found, "mcuboot_peer")
        with tempfile.TemporaryDirectory(prefix="mcuboot-") as name:
            folder = Path(name)
            (folder / "key.pem").write_bytes(pem(key))
            imgtool = [str(Path(sys.executable).with_name("imgtool")), "getpub", "--key"]
            public = subprocess.run(
                [*imgtool, str(folder / "key.pem")], check=True, capture_output=True, text=True
            )
            (folder / "key.c").write_text(public.stdout, encoding="utf-8")
            include = [*configured(algorithm, folder), PORT, peer / "boot/bootutil/include"]
            sources = [ROOT / "tests/compat/mcuboot/flips.c", folder / "key.c",
                       COMPAT / "ecfit_mcuboot.c", ROOT / "lib/src/ecfit.c",
                       *(peer / f"boot/bootutil/src/{unit}.c" for unit in BOOTUTIL)]  # fmt: skip
            chosen = [f"-DMCUBOOT_SIGN_{MACROS[algorithm]}"]
            if port:  # what zephyr/CMakeLists.txt says
                chosen = ["-imacros", str(port / "autoconf.h"), "-DMCUBOOT_USE_CUSTOM_CRYPTO",
                          "-include", str(COMPAT / "ecfit_zephyr.h"), f"-I{port}"]  # fmt: skip
            command = ["cc", "-w", "-g1", "-O1", "-fsanitize=address", "-ffunction-sections",
                       "-Wl,--gc-sections", *chosen, *(f"-I{one}" for one in include),
                       *map(str, sources), "-o", str(folder / "flips")]  # fmt: skip
            subprocess.run(command, check=True)
            for size in SIZES:
                program = bytes(n % 251 for n in range(size))
                (folder / "image.bin").write_bytes(sign_again(found, program, key))
                done = subprocess.run(
                    [str(folder / "flips"), str(folder / "image.bin")],
                    capture_output=True, text=True, check=False,
                )  # fmt: skip
                worst = max(worst, abs(done.returncode))
                said = done.stdout.strip() or done.stderr.strip()[:2000]
                print(f"{algorithm}, {size} bytes: {said} (exit code {done.returncode})")
    return int(worst != 0)


def simulator(peer: Path) -> int:
    """MCUboot's simulator with its custom cryptography replaced by ours; P-256."""
    failed = 0
    with tempfile.TemporaryDirectory(prefix="mcuboot-sim-") as name:
        copy = Path(name) / "mcuboot"
        shutil.copytree(peer, copy, ignore=shutil.ignore_patterns(".git", "target"))
        for part in ("include", "library"):  # of a submodule, which is not needed
            (copy / "ext/mbedtls-3.6.0" / part).mkdir(parents=True, exist_ok=True)
        folders = configured("ecdsa-p256", Path(name) / "config", "verify,ecdh")
        lines = [f'conf.conf.include("{folder}");' for folder in folders]
        (Path(name) / "no_heap.c").write_text(NO_HEAP, encoding="utf-8")
        units = (
            "csupport/keys.c",
            Path(name) / "no_heap.c",
            COMPAT / "ecfit_mcuboot.c",
            ROOT / "lib/src/ecfit.c",
        )
        lines += [f'conf.file("{unit}");' for unit in units]
        build = copy / "sim/mcuboot-sys/build.rs"
        text, count = BLOCK.subn("\n".join(lines) + "\n", build.read_text(encoding="utf-8"))
        text = text.replace(ENCRYPTED, AES)
        if count != 1 or AES not in text:
            sys.exit(f"{build}: no block of custom cryptography; another version of MCUboot?")
        build.write_text(text, encoding="utf-8")
        for mode in MODES:
            features = ",".join(("custom-crypto", *mode))
            print(f"{features}:", flush=True)
            done = subprocess.Popen(
                ["cargo", "test", "--release", "--features", features], cwd=copy / "sim",
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )  # fmt: skip
            said = []
            for line in done.stdout or ():
                said.append(line)
                if re.match(r"test \w+ \.\.\. |test result: (?!.* 0 passed)", line):
                    print(line, end="", flush=True)  # a mode takes half an hour or longer
            if done.wait() != 0:
                print("".join(said[-40:]))
                failed = 1
    return failed


def main(words: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--peer-dir", required=True, metavar="mcuboot=PATH")
    parser.add_argument("what", choices=("flips", "sim", "zephyr"))
    found = parser.parse_args(words)
    name, _, path = found.peer_dir.partition("=")
    if name != "mcuboot" or not (Path(path) / "boot" / "bootutil").is_dir():
        parser.error(f"--peer-dir mcuboot=PATH: {found.peer_dir} is not a checkout of MCUboot")
    peer = Path(path).resolve()
    if found.what == "zephyr":
        return zephyr(peer)
    return flips(peer, tuple(MACROS)) if found.what == "flips" else simulator(peer)


if __name__ == "__main__":
    sys.exit(main())
