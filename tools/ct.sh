#!/bin/sh
# The library's operations on secrets under valgrind, every preset and backend, with the secrets undefined.
set -eu
cd "$(dirname "$0")/.."
exec .venv/bin/python -m pytest -v tests/lib/test_constant_time.py "$@"
