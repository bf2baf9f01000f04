#!/bin/sh
# make_completion.sh PROGRAM SHELL: what the shell completes, on the standard output.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
"$1" --print-table verbs >"$work/verbs"
"$1" --print-table options >"$work/options"
awk -f "$(dirname "$0")/completions.awk" -v shell="$2" "$work/verbs" "$work/options"
