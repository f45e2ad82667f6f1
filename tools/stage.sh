#!/bin/sh
# stage.sh NAME COMMAND..: runs the command, and adds a line "MILLISECONDS NAME" to .cache/stages,
# which `make test` prints at its end (tests/conftest.py). The stage `set-up` begins anew.
# A stage "lint: .." that fails shows what the command printed, and the next one runs all the same:
# `stage.sh verdict` names those that failed, and ends with 1.
set -eu
name=$1
shift
mkdir -p .cache
failed=.cache/lint-failed
if [ "$name" = verdict ]; then
	[ -s $failed ] || exit 0
	echo "failed: $(paste -sd, $failed | sed 's/,/, /g')" >&2
	exit 1
fi
[ "$name" != set-up ] || { : > .cache/stages; : > $failed; }
begin=$(date +%s%3N)
case $name in
"lint: "*)
	said=.cache/lint.$$
	"$@" > $said 2>&1 || { cat $said >&2; echo "$name" >> $failed; }
	rm -f $said ;;
*) "$@" ;;
esac
echo "$(($(date +%s%3N) - begin)) $name" >> .cache/stages
