#!/bin/sh
# run.sh [NAME..]: fuzzes what reads bytes that others wrote, all of it or these, each for EACH
# seconds (30). A target has its name in both lists below.
set -eu
cd "$(dirname "$0")/../.."
python=.venv/bin/python
LIB="lib-keys lib-ecdh lib-ecdsa lib-der lib-steps lib-exchange lib-eddsa lib-hash"
[ $# -gt 0 ] || set -- json cbor coap elf trace gateway exchanges \
    sim-instructions sim-machine boot $LIB
EACH=${EACH:-30}

for name in "$@"; do
    case $name in
    json | cbor) $python tools/fuzz/fuzz_messages.py "$name" "$EACH" ;;
    elf | trace | gateway | exchanges) $python "tools/fuzz/fuzz_$name.py" "$EACH" ;;
    coap)
        mkdir -p .cache/fuzz
        clang -std=c11 -g1 -O1 -Wall -Wextra -Werror \
            -fsanitize=address,undefined,fuzzer -fno-sanitize-recover=all -Ifirmware/net \
            tests/board/fuzz_coap.c firmware/net/coap.c -o .cache/fuzz/coap.program
        tools/fuzz/fuzz.sh coap .cache/fuzz/coap.program "$EACH" -max_len=600
        ;;
    sim-instructions | sim-machine)
        make --no-print-directory -s -C sim "build/fuzz/${name#sim-}"
        tools/fuzz/fuzz.sh "$name" "sim/build/fuzz/${name#sim-}" "$EACH" -max_len=400
        ;;
    boot)
        program=$($python tools/fuzz/fuzz_boot.py)
        tools/fuzz/fuzz.sh boot "$program" "$EACH" -max_len=1200
        ;;
    lib-*)
        program=$($python tools/fuzz/fuzz_lib.py "${name#lib-}")
        tools/fuzz/fuzz.sh "$name" "$program" "$EACH" -max_len=400
        ;;
    *)
        echo "fuzz: $name: no such target" >&2
        exit 2
        ;;
    esac
done
