#!/bin/sh
# All tests of the library that run on the host, under the address and undefined-behaviour sanitizers of gcc and of clang.
set -eu
cd "$(dirname "$0")/.."
for compiler in gcc clang; do
    echo "sanitize: $compiler, -fsanitize=address,undefined"
    .venv/bin/python tests/lib/lib_sanitize.py "$compiler" "$@"
done
