#!/bin/sh
# fuzz.sh NAME PROGRAM SECONDS [OPTION..]: runs a libFuzzer program for that time,
# from the corpus that earlier runs have left in .cache/fuzz/NAME. Prints one line;
# or what was found, with the input that it needs beside the corpus, and exits 1.
set -eu
name=$1 program=$2 seconds=$3
shift 3
corpus=.cache/fuzz/$name
mkdir -p "$corpus"
if ! "$program" "$corpus" -max_total_time="$seconds" -timeout=10 \
    -artifact_prefix=".cache/fuzz/$name-" "$@" > ".cache/fuzz/$name.log" 2>&1; then
    echo "fuzz: $name: found something (.cache/fuzz/$name.log):" >&2
    grep -v '^#[0-9]' ".cache/fuzz/$name.log" | tail -40 >&2
    exit 1
fi
done=$(tail -1 ".cache/fuzz/$name.log" | sed 's/^Done //')
echo "fuzz: $name: $done, nothing found, corpus of $(ls "$corpus" | wc -l)"
