# Seconds, milliseconds, microseconds, nanoseconds: the same run.
given=(--build b100 --device 'Pixel 8' --scene Forest)
same_run() {
    group "$1" true frames=480 duration_ms=8003.6 mean_ms=16.6742 median_ms=16.1 p95_ms=16.3 p99_ms=66 min_ms=15.8 max_ms=66 fps=59.973 windows=6
    result "$1: about 8 s long" "$([ "$("$program" sql --csv 'SELECT abs(max(timestamp_ms) - min(timestamp_ms) - 7987.6) < 1 FROM frame' |
        tail -n 1)" = 1 ] && echo yes)" "$("$program" sql 'SELECT min(timestamp_ms), max(timestamp_ms) FROM frame')"
}
for file in a_ms.csv b_epoch_s.ndjson c_epoch_us.ndjson d_epoch_ns.ndjson; do
    takes $file
    same_run $file
    result "$file: the first stamp" "$([ "$("$program" sql --csv 'SELECT min(timestamp_ns) FROM frame' | tail -n 1)" = 1772452800016000000 ] &&
        echo yes)" "$("$program" sql 'SELECT min(timestamp_ns) FROM frame')"
done
for file in e_mangohud_old_us.csv f_mangohud_new_ms.csv; do
    takes $file "${given[@]}"
    same_run $file
done
takes g_mislabelled_seconds.csv
same_run g_mislabelled_seconds.csv
says "g: the unit is wrong by 1000" "1000"
