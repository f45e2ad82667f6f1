#!/bin/sh
# The library's operations on secrets under valgrind, every preset and backend, with the secrets undefined.
set -eu
cd "$(dirname "$0")/.."
ECFIT_TEST_SCALE=full exec .venv/bin/python -m pytest -v tests/lib/test_constant_time.py tests/lib/test_rfc_constant_time.py "$@"
