# Missing data is never a pass.

# gate STATUS WHAT OPTIONS (JQ-EXPRESSION EXPECTED)...
gate() {
    local status=$1 what=$2 options=$3 got
    shift 3
    # shellcheck disable=SC2086
    "$program" gate --json $options >"$work/gate" 2>"$work/trouble" </dev/null
    got=$?
    result "$what: gate exits $status" "$([ $got -eq "$status" ] && echo yes)" "exit $got $(cat "$work/gate" "$work/trouble")"
    while [ $# -gt 0 ]; do
        got=$(jq -c "$1" "$work/gate" 2>&1)
        result "$what: gate $1 = $2" "$([ "$got" = "$2" ] && echo yes)" "found $got"
        shift 2
    done
}
# tells WHAT OPTIONS REGEX: the gate's text says so.
tells() {
    # shellcheck disable=SC2086
    "$program" gate $2 >"$work/text" 2>&1 </dev/null
    result "$1: gate says $3" "$(grep -Eq -- "$3" "$work/text" && echo yes)" "$(cat "$work/text")"
}

takes baseline_b100.csv
take candidate_b101_harbor_missing.csv
gate 3 b101 "--build b101 --baseline b100" .result '"incomplete"' .cells.compared 2 .cells.missing 1 .cells.new 0 \
    '.missing | map([.device, .scene])' '[["Pixel 8","Harbor"]]' .counts.missing 1 .baseline '"b100"' .regressions 0
tells b101 "--build b101" 'compared 2 .*missing 1 .*new 0'
tells b101 "--build b101" 'INCOMPLETE'
figures "--build b101 --baseline b100" compare "b101" \
    '.rows | map(select(.scene == "Forest" or .scene == "Cave")) | map(.verdict) | unique' '["same"]' \
    '.rows | map(select(.scene == "Forest" or .scene == "Cave") | .delta_percent) | unique' '[0]' \
    '.rows | map(select(.scene == "Harbor") | .verdict)' '["missing"]'
figures "--build b101" stats "b101" '.rows | map([.frames, .mean_ms, .median_ms, .p95_ms, .p99_ms, .min_ms, .max_ms]) | unique' \
    '[[200,16.2485,16.1,16.3,24,15.8,24]]'
figures "--build b101" heatmap "b101" '.rows | map(select(.scene == "Harbor")) | map([.value, .p95_ms, .state])' '[[null,null,"missing"]]'

# No file at all: the store has never heard of the build; declared, it is known and has no data.
gate 3 b102 "--build b102 --baseline b100" .result '"incomplete"' .cells.compared 0 .cells.missing 3 .cells.new 0 .build '"b102"'
tells b102 "--build b102" 'no data for build b102'
"$program" stats --build b102 >"$work/text" 2>&1
result "asking stats for an unknown build is an error" "$([ $? -eq 2 ] && echo yes)" "$(cat "$work/text")"
printf 'build,commit\nb102,c0ffee\n' >"$work/builds.csv"
"$program" builds --load "$work/builds.csv" >"$work/report" 2>&1
result "builds are loaded" "$(grep -q c0ffee "$work/report" && echo yes)" "$(cat "$work/report")"
gate 3 "b102 declared" "--build b102 --baseline b100" .cells.compared 0 .cells.missing 3 .cells.new 0

# A header and no rows.
take candidate_b103_header_only.csv
result "b103 is refused" "$([ $? -eq 2 ] && echo yes)" "$(cat "$work/report")"
says b103 "no frames"
gate 3 b103 "--build b103 --baseline b100" .cells.compared 0 .cells.missing 3 .result '"incomplete"'

# A scene that is new is no pass either, and does not make the build incomplete unless that is wanted.
take candidate_b104_new_scene.csv
gate 0 b104 "--build b104 --baseline b100" .result '"clean"' .cells.compared 3 .cells.missing 0 .cells.new 1 \
    '.no_baseline | map([.device, .scene])' '[["Pixel 8","Arena"]]'
gate 3 "b104 strictly" "--build b104 --baseline b100 --strict" .result '"incomplete"'
tells b104 "--build b104 --baseline b100" 'new .*Arena .*no baseline'
