#!/bin/bash
# The long run of a delivery: long_run.sh FOLDER SECONDS [TARGET...]
#
# Each target runs for SECONDS, one after the other, at low priority. Prints the rows of RUNS.md (target, date,
# executions, result) as they come; FOLDER and what a finding leaves there: see run.sh.
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$1 seconds=$2
shift 2
bad=0
targets=("$@")
if [ $# -eq 0 ]; then
    for program in "$folder"/tests/fuzz/fuzz_*; do
        [ ! -f "$program" ] || [ ! -x "$program" ] || targets+=("${program##*/fuzz_}")
    done
fi
for name in "${targets[@]}"; do
    read -r word rest <<<"$(nice -n 5 "$here/run.sh" "$folder" "$seconds" 1 "$name")"
    if [ "$word" = ok ]; then
        echo "| $name | $(date -u +%Y-%m-%d) | $seconds | ${rest##* } | no finding |"
    else
        echo "| $name | $(date -u +%Y-%m-%d) | $seconds | | $rest |"
        bad=1
    fi
done
exit $bad
