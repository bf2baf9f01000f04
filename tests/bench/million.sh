#!/bin/sh
# Import and analysis of a million frames, rows of the runs together and interleaved: million.sh MAKE_TELEMETRY STEPS
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM
for order in "" --interleaved; do
    "$1" --rows 1000000 --builds 4 $order >"$scratch/frames.csv"
    echo "${order:-together}:"
    "$2" import "$scratch/store.db" "$scratch/frames.csv"
    "$2" analyse "$scratch/store.db"
    rm -f "$scratch"/store.db*
done
