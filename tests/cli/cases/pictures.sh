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
