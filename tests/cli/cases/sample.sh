# What was put into the sample telemetry is found in it (data/sample/make_sample.c tells what that is).
fresh
"$program" import "$data"/sample/nightly-*.csv >"$work/report" 2>&1 </dev/null
result "is imported" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/report")"
"$program" devices --load "$data/sample/devices.csv" >"$work/report" 2>&1 </dev/null
result "devices are loaded" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/report")"

figures "" builds "nights" '.rows | map(.build)|sort' '["1.7.9(418)","1.8.0(420)","1.8.0(421)"]' \
    '.rows | map(.runs)|add' 70 '.rows | map(select(.build == "1.8.0(421)")) | .[0].commit' '"a1b2c3d"'
figures "" devices "fleet" '.rows | length' 8
figures "--build 1.8.0(421)" runs "newest night" '.rows | map([.device, .run]) | unique | length' 22 '.rows | length' 148 \
    '.rows | map(select(.device == "Pixel 6a")) | length' 0 \
    '.rows | map(select(.scene == "Login") | .labelled["start-up"].frames) | unique' '[3]' \
    '.rows | map(.os) | unique' '["Android 13","Android 14","iOS 16.7","iOS 17.6"]' \
    '.rows | map(.log_url != null) | unique' '[true]'
figures "" runs "all nights" '.rows | map(.rejected) | add' 0

newest="--build 1.8.0(421) --baseline 1.8.0(420)"
stutter() {
    local device=$1 event=$2
    shift 2
    row_options=$newest row stutters "$device $event" \
        ".device == \"$device\" and .event == \"$event\" and .label == \"gameplay\"" "$@"
}
stutter SM-S918N boss_spawn severity=103.488 runs_hit=4 runs=5 'verdict="new"' baseline_peak_ms=31.6 delta_peak_ms=60.8 \
    'scene="Battle_03"' 'causes|tostring|test("CPU-bound")=true'
stutter SM-F731N boss_spawn runs_hit=2 runs=3 'verdict="new"' peak_frame_ms=81.3 'severity|.*1000|round=59620'
stutter SM-A546B boss_spawn runs_hit=3 runs=3 'verdict="new"' peak_frame_ms=74.2 severity=89.04
stutter iPhone16,1 ultimate_fx 'verdict="same"' peak_frame_ms=41.2 'causes|tostring|test("GPU-bound")=true'
stutter SM-A546B stream_chunk 'verdict="same"' peak_frame_ms=60.2 'causes|tostring|test("asset loading")=true'
stutter SM-A536B stream_chunk 'verdict="same"' runs_hit=2 runs=3
stutter SM-F731N gacha_reveal 'verdict="worse"' peak_frame_ms=59.8 baseline_peak_ms=41.3 \
    'causes|tostring|test("GC")=true'
stutter SM-S918N portal_open 'verdict="gone"' severity=null seen=5
stutter iPhone16,1 gacha_bonus 'verdict="not exercised"' severity=null
stutter SM-F731N wave_1 'verdict="sporadic"' runs_hit=1 runs=3 peak_frame_ms=120.7
stutter iPhone14,6 shop_open runs_hit=1 runs=1 'causes|tostring|test("waiting")=true' peak_frame_ms=88.2
figures "--build 1.8.0(421)" windows "heat" \
    '.rows | map(select(.device == "Redmi Note 10" and .scene == "Raid_02" and (.causes | tostring | test("thermal")))) | map(.event) | unique' '["add_wave"]'

labelled() {
    local build=$1 device=$2 scene=$3
    shift 3
    row_options="--build $build" row stats "$device $scene" ".device == \"$device\" and .scene == \"$scene\"" "$@"
}
labelled "1.8.0(421)" SM-A546B Lobby labelled.interference.frames=1 labelled.interference.ms=181.5
labelled "1.8.0(420)" SM-F731N Lobby labelled.pause.frames=1 labelled.pause.ms=3240.6
labelled "1.8.0(421)" iPhone14,6 Raid_02 labelled.loading.frames=3
labelled "1.8.0(421)" iPhone14,6 Field_05 labelled.loading.frames=3 'labelled["scene change"].frames=null'
labelled "1.8.0(421)" iPhone14,6 Login frames=33
labelled "1.8.0(421)" SM-A536B Battle_03 'flags|index("slow")|type="number"' windows=0
labelled "1.8.0(421)" SM-A536B Battle_01 'gaps|many=1'
labelled "1.8.0(421)" SM-A546B Battle_03 'labelled["scene change"].frames=6'

cell() {
    local device=$1 scene=$2
    shift 2
    row_options=$newest row heatmap "$device × $scene" ".device == \"$device\" and .scene == \"$scene\"" "$@"
}
cell SM-S918N Battle_03 severity=103.488 'state="data"'
cell SM-S918N Field_05 'state="clean"'
cell SM-A536B Battle_03 'state="slow"'
cell "Pixel 6a" Battle_03 'state="missing"' severity=null
figures "$newest" heatmap "grid" '.rows | length' 56 '.rows | max_by(.severity) | [.device, .scene]' '["SM-S918N","Battle_03"]'

# Worse without a stutter, and only there.
figures "$newest" compare "drift" \
    '.rows | map(select(.device == "SM-A546B" and .scene == "Raid_02" and (.figure | test("p99"; "i")))) | .[0].verdict' '"worse"' \
    '.rows | map(select(.device == "SM-A536B" and .verdict == "worse")) | length' 0
figures "--build 1.8.0(421)" coverage "missing" \
    '.rows | map(select(.device == "Pixel 6a") | .state) | unique' '["missing"]' \
    '.rows | map(select(.device == "iPhone14,6") | .state) | unique' '["fewer"]' \
    '.rows | map(select(.device == "SM-S918N") | .state) | unique' '["ok"]'

# A device may be called what its model is called.
figures "--build 1.8.0(420) --device Note" stats "a part of a name" '.rows | map(.device) | unique' '["Redmi Note 10"]'
"$program" stats --build '1.8.0(420)' --device 'Pixel 6a' --csv >"$work/report" 2>&1
result "a device whose name is its model is found" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/report")"
