# Screens as files: self-contained, well-formed, with what the screen says.
fresh
"$program" import "$data"/sample/nightly-*.csv >"$work/report" 2>&1 </dev/null
"$program" devices --load "$data/sample/devices.csv" >>"$work/report" 2>&1 </dev/null
result "the sample is there" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/report")"

# picture FILE TEXT ARGUMENT...: the call writes FILE, which contains TEXT.
picture() {
    local file=$1 text=$2
    shift 2
    rm -f "$work/$file"
    "$program" "$@" >"$work/text" 2>&1 </dev/null
    result "$* ends well" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/text")"
    result "$file has \"$text\"" "$(grep -qF -- "$text" "$work/$file" && echo yes)" "$(head -c 500 "$work/$file")"
}
picture map.svg '5 TO DECIDE' heatmap --svg "$work/map.svg"
picture map.html '5 TO DECIDE' heatmap --html "$work/map.html" --theme light
picture trend.svg 'boss_spawn' trend --device SM-S918N --scene Battle_03 --event boss_spawn --svg "$work/trend.svg" --size 100x30
result "as wide as was wanted" "$(grep -q '^<svg [^>]*width="900" height="540"' "$work/trend.svg" && echo yes)" "$(head -n 1 "$work/trend.svg")"
if command -v xmllint >/dev/null; then
    xmllint --noout "$work/map.svg" "$work/trend.svg" 2>"$work/text"
    result "well-formed" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/text")"
else
    skip "well-formed" "xmllint is not installed"
fi
"$program" heatmap --svg - --size wide >"$work/text" 2>&1 </dev/null
result "a size that is none is refused" "$([ $? -eq 2 ] && grep -q '120x40' "$work/text" && echo yes)" "$(cat "$work/text")"
"$program" heatmap --svg - 2>"$work/report" >"$work/text" </dev/null
result "- is standard output" "$(grep -q '^</svg>' "$work/text" && echo yes)" "$(cat "$work/report")"

# Every screen by its key: as text, as data, as both kinds of pictures.
printf '%s\n' build_id,device_model,run_id,scene,category,bytes '1.8.0(420),SM-S918N,1,Lobby,Textures,100000000' \
    '1.8.0(421),SM-S918N,1,Lobby,Textures,150000000' >"$work/snapshots.csv"
take "$work/snapshots.csv"
picture memory.svg '+50.0' snapshots --device SM-S918N --svg "$work/memory.svg"
picture memory.html 'Textures' snapshots --html "$work/memory.html"
shows() {
    local key=$1 text=$2 member=$3
    picture view.svg "$text" view "$key" --svg "$work/view.svg"
    picture view.html "$text" view "$key" --html "$work/view.html"
    "$program" view "$key" --size 100x30 >"$work/text" 2>&1 </dev/null
    result "$key as text" "$([ $? -eq 0 ] && grep -qF -- "$text" "$work/text" && [ "$(wc -l <"$work/text")" = 30 ] && echo yes)" "$(cat "$work/text")"
    "$program" view "$key" --json >"$work/text" 2>&1 </dev/null
    result "$key as JSON" "$([ $? -eq 0 ] && jq -e "$member" "$work/text" >/dev/null && echo yes)" "$(cat "$work/text")"
    "$program" view "$key" --csv >"$work/text" 2>&1 </dev/null
    result "$key as CSV" "$([ $? -eq 0 ] && [ "$(wc -l <"$work/text")" -gt 1 ] && echo yes)" "$(cat "$work/text")"
}
shows 'map?rows=tiers' 'rows are tiers' '.schema == "stutterscope.heatmap/1"'
shows queue 'boss_spawn' '.rows | length > 0'
shows frames '92.4 ms' '.rows[0].peak_frame_ms > 33'
shows trend 'boss_spawn' '.rows | map(.build) == ["1.7.9(418)", "1.8.0(420)", "1.8.0(421)"]'
shows cover '22 OF 26 RUNS' '.runs == 22'
shows ticket 'READY' '.stutter_count == 3'
shows 'tune?set.factor=3' 'FACTOR 2' '.settings.factor == {"value": "3", "store": "2"}'
shows 'frames?show=distribution' 'Distribution' '.rows[0] | .max_ms == 92.4 and .frames_over_100 == 0'
shows memory:SM-S918N 'Textures' '.rows | length > 0'
"$program" view 'map?quality=nobody' >"$work/text" 2>&1 </dev/null
result "a view that is none is refused" "$([ $? -eq 2 ] && grep -q nobody "$work/text" && echo yes)" "$(cat "$work/text")"

# Two shades for one number would tell nothing: the legend's bounds are all different, whatever they are rounded to.
for metric in severity peak p95 p99 max median hitch_ratio rate lost; do
    "$program" view "map?metric=$metric" --size 100x30 2>&1 </dev/null | grep -F ' * new  ^ worse' | grep -oE '[░▒▓█][0-9.]+' >"$work/text"
    result "bounds of $metric" "$([ -s "$work/text" ] && [ -z "$(sed 's/^[^0-9]*//' "$work/text" | sort | uniq -d)" ] && echo yes)" "$(cat "$work/text")"
done
