#!/bin/bash
# Figures on the command line: run.sh PROGRAM CASE.  A case is the script CASE.sh beside this file.  Those named by a
# number take the files of $STUTTERSCOPE_REFERENCE/cases/NN-* and compare figures that stand in the script.
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 2 ] || { sed -n '2,3s/^# //p' "$0"; exit 2; }
program=$(realpath "$1")
reference=${STUTTERSCOPE_REFERENCE-}
if [[ $2 == [0-9]* || $2 == reference ]] && { [ -z "$reference" ] || [ ! -d "$reference/cases" ]; }; then
    echo "1..0 # SKIP skipped: STUTTERSCOPE_REFERENCE names no folder with reference cases"
    exit 0
fi
if ! command -v jq >/dev/null; then
    echo "1..0 # SKIP skipped: jq is not installed"
    exit 0
fi
case_name=$2
source "$here/lib.sh"
source "$here/$2.sh"
finish
