# Every real capture through the command line: imported or refused as it should be, and the figures of an independent
# script, stream by stream.  What differs because the definitions want it so stands in `differs`.
telemetry=$reference/telemetry
# Not telemetry of frames, or not usable: the advice is part of the test.
declare -A refused=(
    [presentmon_v1/cx_invalid_no_timeinseconds.csv]=TimeInSeconds
    [surfaceflinger/latency_surfaceview_all_zero_soloX249.txt]='all rows are zero'
    # Made by hand for a unit test of its tool: its frames take no time, and what is below 1 us is no frame.
    [perfetto/synth_frame_timeline_events.pb]='below 1'
)
declare -A differs=(
    # The first row of a MangoHud log counts from the start of the logger.
    ['mangohud/v0.8.2_logversioning_perframe_kcd1_head.csv|all']=yes
    # Frames that were late only by stuffing count with the interval on the screen.
    ['perfetto/pixel7pro_android13_nowinandroid_frametimeline.perfetto-trace|TX - com.google.samples.apps.nowinandroid.demo/com.google.samples.apps.nowinandroid.MainActivity#50010|pid9305']=yes
    # The same surface made again is one layer: its lives are joined.
    ['perfetto/pixel7pro_android13_nowinandroid_frametimeline.perfetto-trace|TX - Surface(name=WindowToken{2e93408 type=2019 android.os.BinderProxy@2875bfa})/@0xe430c5 - animation-leash of token_transform#50013|pid1265']=yes
    ['perfetto/pixel7pro_android13_nowinandroid_frametimeline.perfetto-trace|TX - Surface(name=WindowToken{2e93408 type=2019 android.os.BinderProxy@2875bfa})/@0xe430c5 - animation-leash of token_transform#50006|pid1265']=yes
    # Frames under 1 us are none.
    ['perfetto/synth_frame_timeline_events.pb|Layer1|pid1000']=yes
    ['perfetto/synth_frame_timeline_events.pb|Layer2|pid1000']=yes
)
context=(--build b1 --device D --scene S --run R)

while IFS=$'\t' read -r file _; do
    [ "$file" != file ] && [ -e "$telemetry/$file" ] || continue
    fresh
    take "$telemetry/$file" --build b1 --device D --scene S
    status=$?
    if [ -z "${refused[$file]-}" ]; then
        result "$file is imported" "$([ $status -eq 0 ] && echo yes)" "$(cat "$work/report")"
    else
        result "$file is refused" "$([ $status -eq 2 ] && echo yes)" "$(cat "$work/report")"
        says "$file" "${refused[$file]}"
    fi
done <"$telemetry/MANIFEST.tsv"

# One line a stream: file, stream, interval, figures.
streams=$(jq -r '.files[] | . as $f | select(.streams | type == "object") | .streams | to_entries[] |
    [$f.file, .key, (if $f.frame_time | test("^(MsBetweenDisplayChange|DisplayedTime)") then "display" else "present" end),
     .value.frames, .value.median_ms, .value.mad_ms, .value.p95_nearest_rank, .value.p99_nearest_rank, .value.max_ms] | @tsv' \
    "$telemetry/reference.json")
compared=0
while IFS=$'\t' read -r file stream interval frames median mad p95 p99 max; do
    [ -e "$telemetry/$file" ] && [ -z "${differs["$file|$stream"]-}" ] || continue
    chosen=(--stream "$stream" --interval "$interval")
    [ "$stream" != all ] || chosen=()
    case $stream in *'|pid'*) chosen[1]=${stream%|pid*}'|'${stream##*|pid} ;; esac # layer and process
    # Iterations of a benchmark are runs of one file.
    select=true
    case $stream in *'#iter'*) chosen=() select=".run | endswith(\" ${stream%#iter*} #${stream##*#iter}\")" ;; esac
    fresh
    if [ "$select" = true ]; then
        take "$telemetry/$file" "${context[@]}" "${chosen[@]}"
    else
        take "$telemetry/$file" --build b1
    fi
    got=$("$program" runs --json --build all --limit 0 --no-labels 2>&1 | jq -c "$comparing
        [.rows[] | select($select) | [.frames, .median_ms, .mad_ms, .p95_ms, .p99_ms, .max_ms]] as \$got |
        if (\$got | length) == 1 and ([\$got[0], [$frames, $median, $mad, $p95, $p99, $max]] | transpose | all(near(.[0]; .[1])))
        then \"yes\" else \$got end" 2>&1)
    result "$file, $stream, $interval" "$([ "$got" = '"yes"' ] && echo yes)" "found $got, wanted $frames $median $mad $p95 $p99 $max
$(cat "$work/report")"
    compared=$((compared + 1))
done <<<"$streams"
result "streams were compared ($compared)" "$([ $compared -gt 30 ] && echo yes)"
