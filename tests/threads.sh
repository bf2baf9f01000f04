#!/bin/bash
# Import and analysis where they use threads, through the program; to be run with one that was built with the thread
# sanitizer, whose reports are the caller's to look at. What comes out is compared with what is known of the telemetry.
#
#   threads.sh PROGRAM DATA FOLDER
set -euo pipefail
program=$1 folder=$3
export STUTTERSCOPE_DATA=$2 LC_ALL=C.UTF-8 HOME=$folder
store=$folder/store.db

# Three devices of 200,000 frames each: more than threads begin with. Every 20,000th frame takes 100 ms, and is alone.
awk 'BEGIN {
    print "timestamp_ms,frame_time_ms,device_model,build_id,run_id,scene,quality_level"
    for (device = 1; device <= 3; device++) {
        now = 0
        for (frame = 1; frame <= 200000; frame++) {
            time = frame % 20000 ? 16 : 100
            now += time
            printf "%d,%d,Phone %d,b1,%d,Raid,High\n", now, time, device, device
        }
    }
}' >"$folder/frames.csv"
"$program" import --quiet --store "$store" "$folder/frames.csv"
"$program" stats --quiet --store "$store" --csv >"$folder/stats.csv"
"$program" windows --quiet --store "$store" --csv >"$folder/windows.csv"
frames=$("$program" sql --store "$store" --csv 'SELECT count(*) FROM frame' | tail -n 1)
windows=$(($(wc -l <"$folder/windows.csv") - 1)) groups=$(($(wc -l <"$folder/stats.csv") - 1))
echo "$frames frames, $groups groups, $windows windows"
[ "$frames" = 600000 ] && [ "$groups" = 3 ] && [ "$windows" = 30 ]
