#!/bin/sh
# The figures of a project in its CI: measures, compares with the kept ones, writes a summary.
#
#   tools/gate.sh FIGURES.json LIMIT bench|size|measure OPTION..
#
# FIGURES.json is a file of the project, written by the first run, which is not that of CI: there
# ($CI is set) a missing file is exit code 2. Then a figure may grow by LIMIT, as 1%, and no more,
# and nothing may begin to leak or to fail: exit code 7. The summary is in summary.md, and in
# $GITHUB_STEP_SUMMARY where that is set. Sets ecfit up in its own folder unless there is a command
# `ecfit`. action.yml, templates/gate.yml and the Containerfile call it.
set -eu
usage="usage: gate.sh FIGURES.json LIMIT bench|size|measure OPTION.."
[ $# -ge 3 ] || { echo "$usage" >&2; exit 2; }
figures=$1 limit=$2 command=$3
shift 3
case $command in
bench | size | measure) ;;
*) echo "gate.sh: bench, size or measure, not '$command'" >&2; exit 2 ;;
esac
case $limit in
*[!0-9.%]* | [!0-9]* | *[!%]) echo "LIMIT is per cent, as 1%, not '$limit'" >&2; exit 2 ;;
esac
if [ ! -f "$figures" ] && [ -n "${CI:-}" ]; then
    echo "gate.sh: $figures is not there: run gate.sh on your machine and commit what it writes" >&2
    exit 2
fi
if command -v ecfit > /dev/null; then
    ecfit=ecfit
else
    home=$(cd "$(dirname "$0")/.." && pwd)
    "$home/tools/setup.sh" bench
    ecfit=$home/.venv/bin/ecfit
fi
rm -f summary.md
new=$(mktemp)
trap 'rm -f "$new"' EXIT
quiet=--quiet
[ "$command" != measure ] || quiet="" # it has no progress
code=0
# shellcheck disable=SC2086  # nothing, or an option
"$ecfit" "$command" "$@" $quiet --format json -o "$new" || code=$?
[ -s "$new" ] || exit $code # what leaks or fails has a record, too
if [ ! -f "$figures" ]; then
    cat "$new" > "$figures"
    echo "gate.sh: wrote $figures: commit it, and the next run compares with it" >&2
    exit $code
fi
code=0
"$ecfit" compare "$figures" "$new" --fail-on "$limit" --format md -o summary.md || code=$?
[ ! -f summary.md ] || cat summary.md
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat summary.md >> "$GITHUB_STEP_SUMMARY"
[ $code != 7 ] ||
    echo "gate.sh: if that is meant, and no leak, remove $figures, run again, and commit it" >&2
exit $code
