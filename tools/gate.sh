#!/bin/sh
# The figures of a project in its CI: measures, compares with the kept ones, writes a summary.
#
#   tools/gate.sh FIGURES.json LIMIT bench|size|measure OPTION..
#
# FIGURES.json is a file of the project, written by its first run. Then a figure may grow by LIMIT,
# as 1%, and no more: exit code 7. The summary is in summary.md, and in $GITHUB_STEP_SUMMARY where
# that is set. Sets ecfit up in its own folder unless there is a command `ecfit`.
# action.yml, templates/gate.yml and the Containerfile call it.
set -eu
usage="usage: gate.sh FIGURES.json LIMIT bench|size|measure OPTION.."
[ $# -ge 3 ] || { echo "$usage" >&2; exit 2; }
figures=$1 limit=$2 command=$3
shift 3
case $command in
bench | size | measure) ;;
*) echo "gate.sh: bench, size or measure, not '$command'" >&2; exit 2 ;;
esac
if command -v ecfit > /dev/null; then
    ecfit=ecfit
else
    home=$(cd "$(dirname "$0")/.." && pwd)
    "$home/tools/setup.sh" bench
    ecfit=$home/.venv/bin/ecfit
fi
new=$(mktemp)
trap 'rm -f "$new"' EXIT
quiet=--quiet
[ "$command" != measure ] || quiet="" # it has no progress
# shellcheck disable=SC2086  # nothing, or an option
"$ecfit" "$command" "$@" $quiet --format json -o "$new"
if [ ! -f "$figures" ]; then
    cp "$new" "$figures"
    echo "gate.sh: wrote $figures: commit it, and the next run compares with it" >&2
    exit 0
fi
code=0
"$ecfit" compare "$figures" "$new" --fail-on "$limit" --format md -o summary.md || code=$?
cat summary.md
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat summary.md >> "$GITHUB_STEP_SUMMARY"
exit $code
