#!/bin/sh
# The library's tests on the host, with every preset of every curve,
# under the address and undefined-behaviour sanitizers of gcc and of clang, side by side.
set -eu
cd "$(dirname "$0")/.."
log=.cache/sanitize-clang.log
mkdir -p .cache
echo "sanitize: gcc and clang, -fsanitize=address,undefined"
.venv/bin/python workshop/library/sanitize.py clang "$@" > $log 2>&1 &
clang=$! code=0
.venv/bin/python workshop/library/sanitize.py gcc "$@" || code=$?
wait $clang || code=$?
echo "sanitize: clang"
cat $log
exit $code
