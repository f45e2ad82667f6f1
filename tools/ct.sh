#!/bin/sh
# Constant time. First the library's operations on secrets under valgrind, every preset and backend, with the secrets undefined;
# then images for four cores, the secrets followed on their instructions: both compilers, each level of optimisation, every curve.
set -eu
cd "$(dirname "$0")/.."
ECFIT_TEST_SCALE=full .venv/bin/python -m pytest -v tests/lib/test_constant_time.py tests/lib/test_rfc_constant_time.py "$@"

check() {
    echo "ecfit ct $*"
    .venv/bin/ecfit ct --quiet --format csv -o .cache/ct.csv "$@"
}

mkdir -p .cache
presets="--preset tiny,balanced"
check $presets --target lpc1114,cc2538,nrf52840,ibex --curve secp256r1
for compiler in "gcc --opt O2" "gcc --opt O3" "clang --opt Os" "clang --opt O2" "clang --opt O3"; do
    check $presets --target lpc1114,cc2538,nrf52840,ibex --n 2 --toolchain $compiler
done
for compiler in gcc clang; do
    check $presets --target lpc1114 --curve all --n 2 --toolchain $compiler
done
