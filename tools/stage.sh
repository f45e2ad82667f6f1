#!/bin/sh
# stage.sh NAME COMMAND..: runs the command, and adds a line "MILLISECONDS NAME" to .cache/stages,
# which `make test` prints at its end (tests/conftest.py). The stage `set-up` begins anew.
set -eu
name=$1
shift
mkdir -p .cache
[ "$name" != set-up ] || : > .cache/stages
begin=$(date +%s%3N)
"$@"
echo "$(($(date +%s%3N) - begin)) $name" >> .cache/stages
