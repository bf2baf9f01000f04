#!/bin/bash
# Runs fuzz targets: run.sh FOLDER SECONDS [JOBS [TARGET...]]
#
# FOLDER is a build folder made with CC=clang and -Dfuzz=true (ninja fuzzers). SECONDS are those of each target, or with
# a "=" before them ("=60") those of the whole. JOBS targets run at a time (1). Without names all targets run.
# One line a target: "ok NAME EXECUTIONS" or "not ok NAME REASON"; the bytes of a finding and the words of the sanitizer
# are left in FOLDER/fuzz/. Exit status 0 only without a finding.
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$(realpath "$1") seconds=$2 jobs=${3-1}
shift $(($# < 3 ? $# : 3))
targets=("$@")
if [ $# -eq 0 ]; then
    for program in "$folder"/tests/fuzz/fuzz_*; do
        [ ! -f "$program" ] || [ ! -x "$program" ] || targets+=("${program##*/fuzz_}")
    done
fi
[ ${#targets[@]} -gt 0 ] || { echo "not ok no targets in $folder/tests/fuzz: build them with ninja fuzzers"; exit 1; }
if [[ $seconds == =* ]]; then
    seconds=$((${seconds#=} * jobs / ${#targets[@]}))
    [ $seconds -gt 0 ] || seconds=1
fi
mkdir -p "$folder/fuzz"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# What leaks inside libraries at exit is none of ours to find here; what readers leak is.
run_target() {
    local name=$1 log=$folder/fuzz/$1.log status executions
    mkdir "$scratch/$name"
    rm -f "$folder/fuzz/$name-"*
    # Each program looks after its own time; timeout is for one that does not come back.
    timeout $((seconds + 120)) "$folder/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$folder/fuzz/$name-" "$scratch/$name" "$here/corpus/$name" >"$log" 2>&1 </dev/null
    status=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    if [ $status -eq 0 ] && [ "${executions:-0}" -gt 0 ]; then
        echo "ok $name $executions"
        rm -f "$log"
    else
        echo "not ok $name $(grep -m 1 -E 'ERROR: |runtime error|broken promise|SUMMARY' "$log" || echo "ended with status $status"), see $log"
        touch "$scratch/failed"
    fi
    rm -rf "${scratch:?}/$name"
}

for name in "${targets[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
        wait -n
    done
    run_target "$name" &
done
wait
[ ! -e "$scratch/failed" ]
