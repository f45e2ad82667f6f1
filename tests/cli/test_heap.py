"""RAM on the command line: the heap of the harness (bench_calloc, bench_free in
firmware/bench_main.c) and its mark in records; where a stack is deepest; a stack in another bank.
"""

from __future__ import annotations

import json
from typing import Any

from ecfit.paths import PEERS
from workshop.cli.run import Ecfit, MakePeer

# An ECDH that is right, so that there is a record: that of p256-m.
MORE = f"""
[package]
registry = "cargo"
name = "mbedtls-rs-sys"
version = "0.3.1"
sha256 = "ed3d6fe75492994df511a63da8de669a0c59938ada3345e3d4756aec095d2ffb"
[build]
sources = ["mbedtls/3rdparty/p256-m/p256-m/p256-m.c", "mbedtls/library/platform_util.c"]
include = [
    "mbedtls/include", "mbedtls/library", "mbedtls/3rdparty/p256-m/p256-m", "{PEERS / "p256-m"}"
]
defines = ["MBEDTLS_CONFIG_FILE=<mbedtls_p256m.h>"]
"""
HEAD = """
#include "p256-m.h"
int psa_generate_random(uint8_t *out, size_t size);
int psa_generate_random(uint8_t *out, size_t size) { return bench_random(out, size); }
static int all(const uint8_t *block, size_t size, int value)
{
    for (size_t i = 0; i < size; i++)
        if (block[i] != value)
            return 0;
    return 1;
}
static void fill(uint8_t *block, size_t size, int value)
{
    for (size_t i = 0; i < size; i++)
        block[i] = (uint8_t)value;
}
"""
RESULT = "return p256_ecdh_shared_secret(out, in, in + 33);"


def measured(ecfit: Ecfit, peer: MakePeer, body: str, *more: str) -> dict[str, object]:
    """The record of an ECDH that runs `body` first."""
    mine = peer(body + RESULT, HEAD, MORE)
    done = ecfit("bench", "--lib", "mine", "--op", "ecdh", "--peer-dir", mine, "--quiet",
                 "--format", "json", *more)  # fmt: skip
    (record,) = json.loads(done.out)
    assert isinstance(record, dict)
    return record


def test_without_allocation_the_mark_is_zero(ecfit: Ecfit, peer: MakePeer) -> None:
    record = measured(ecfit, peer, "")
    assert (record["status"], record["heap_bytes"]) == ("ok", 0)


def test_the_mark_is_what_was_given_out_at_one_time(ecfit: Ecfit, peer: MakePeer) -> None:
    """100 and 60 bytes together, 104 + 64; the free ones in between are used again,
    joined where they touch.
    """
    body = """
        uint8_t *a = bench_calloc(10, 10), *b = bench_calloc(1, 60);
        if (a == NULL || b == NULL || ((uintptr_t)a | (uintptr_t)b) % 8 != 0) return 11;
        if (!all(a, 100, 0) || !all(b, 60, 0)) return 12;
        fill(a, 100, 1); fill(b, 60, 2);
        if (!all(a, 100, 1)) return 13;
        bench_free(a);
        uint8_t *c = bench_calloc(1, 32), *d = bench_calloc(1, 32);
        if (c != a || d <= c || d >= b) return 14; /* in the place of a */
        if (!all(c, 32, 0) || !all(d, 32, 0) || !all(b, 60, 2)) return 15;
        bench_free(d); bench_free(c); bench_free(b);
        if (bench_calloc(1, 160) != a) return 16; /* all three joined */
        bench_free(NULL);
    """
    record = measured(ecfit, peer, body)
    assert (record["status"], record["detail"], record["heap_bytes"]) == ("ok", None, 168)
    assert record["ram_bytes"] == 168 + int(str(record["stack_bytes"])) + int(
        str(record["static_ram_bytes"])
    )


def test_too_much_is_refused(ecfit: Ecfit, peer: MakePeer) -> None:
    """The LPC1114 has 8 KiB of RAM; a count that overflows is no small block."""
    body = """
        if (bench_calloc(1, 9000) != NULL || bench_calloc(0x10000, 0x10001) != NULL) return 11;
        if (bench_calloc(1, 3000) == NULL) return 12;
    """
    record = measured(ecfit, peer, body)
    assert (record["status"], record["heap_bytes"]) == ("ok", 3000)


def test_a_stack_that_meets_the_heap_is_a_fault(ecfit: Ecfit, peer: MakePeer) -> None:
    """The heap takes all but its margin of 256 bytes below the stack, which then grows by 600."""
    body = """
        size_t size = 7800;
        while (bench_calloc(1, size) == NULL) size -= 8;
    """
    assert measured(ecfit, peer, body)["status"] == "stack overflow into data"


def test_on_the_host_the_mark_is_absent_where_nobody_asks(ecfit: Ecfit, peer: MakePeer) -> None:
    record = measured(ecfit, peer, "", "--target", "host")
    assert (record["status"], record["heap_bytes"]) == ("ok", None)


def test_on_the_host_the_mark_is_the_same(ecfit: Ecfit, peer: MakePeer) -> None:
    body = """
        for (int i = 0; i < 3; i++) {
            uint8_t *a = bench_calloc(10, 10), *b = bench_calloc(1, 60);
            if (!all(a, 100, 0) || !all(b, 60, 0)) return 10;
            if (((uintptr_t)a | (uintptr_t)b) % 16 != 0) return 10;
            fill(a, 100, 1);
            fill(b, 60, 2);
            bench_free(a);
            bench_free(NULL);
            bench_free(b);
        }
        if (bench_calloc((size_t)-1, 2) != NULL) return 11;
    """
    record = measured(ecfit, peer, body, "--target", "host")
    assert (record["status"], record["heap_bytes"]) == ("ok", 104 + 64)


# ---- ecfit profile --stack -----------------------------------------------------------------------


def test_the_path_ends_where_the_run_was_deepest(ecfit: Ecfit) -> None:
    question = "--target samd20 --preset lowram --curve secp384r1 --op ecdh,verify"
    done = ecfit("profile", "--stack", *question.split(), "--format", "json")
    assert done.code == 0, done.err
    rows = json.loads(done.out)
    for op in ("ecdh", "verify"):
        frames = [row for row in rows if row["op"] == op]
        assert frames[0]["function"] == f"bench_{op}"
        assert sum(row["frame_bytes"] for row in frames) == frames[-1]["depth_bytes"]
        # nothing is called through a pointer there, and no call of the path is its function's last
        assert frames[-1]["depth_bytes"] == frames[-1]["stack_bytes"]


def test_a_picture_of_it_is_refused_in_one_line(ecfit: Ecfit) -> None:
    done = ecfit("profile", "--stack", "--target", "samd20", "--format", "svg")
    assert done.code == 2
    assert done.error == "ecfit: error: --stack has no picture: leave out --format svg"


# ---- --set STACK=BANK ----------------------------------------------------------------------------

ASK = ("bench", "--target", "stm32f407", "--op", "ecdh", "--mode", "zero-ws", "--format", "json")


def records(ecfit: Ecfit, *more: str) -> dict[str, dict[str, Any]]:
    done = ecfit(*ASK, "--curve", "x25519,secp256r1", *more)
    assert done.code == 0, done.err
    return {row["curve"]: row for row in json.loads(done.out)}


def test_a_bank_that_waits_costs_what_the_page_says(ecfit: Ecfit) -> None:
    here, there = records(ecfit), records(ecfit, "--set", "STACK=sram2")
    part = {curve: there[curve]["cycles"] / here[curve]["cycles"] - 1 for curve in here}
    assert f"{part['x25519']:.1%} {part['secp256r1']:.1%}" == "7.0% 10.1%"
    assert {row["changed"] for row in there.values()} == {"STACK=sram2"}
    for curve in here:
        assert there[curve]["instructions"] == here[curve]["instructions"]
        assert there[curve]["stack_bytes"] == here[curve]["stack_bytes"]


def test_the_first_bank_is_where_the_stack_lies_anyway(ecfit: Ecfit) -> None:
    assert records(ecfit, "--set", "stack=SRAM1") == records(ecfit)


def test_a_bank_that_the_chip_has_not(ecfit: Ecfit) -> None:
    done = ecfit(*ASK, "--curve", "x25519", "--set", "STACK=sram3")
    assert done.code == 2
    assert done.error == (
        "ecfit: error: STACK=sram3: stm32f407 has no such bank: its RAM is sram1, sram2, ccm"
    )
