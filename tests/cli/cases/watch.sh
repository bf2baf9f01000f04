# A folder that is watched, presets, dry runs and folders on the command line.
row='build_id,device_model,scene,timestamp_ms,frame_time_ms
b1,Pixel 8,Forest,16,16
b1,Pixel 8,Forest,33,17'
until_true() { # COMMAND: with a deadline
    local end=$((SECONDS + 60))
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || return 1
        read -r -t 0.1 <> <(:) || true
    done
}
frames() { [ "$("$program" stats --json --build all --limit 0 2>/dev/null | jq '[.rows[].frames] | add')" = "$1" ]; }

fresh
mkdir -p "$work/drop/old"
printf '%s\n' "$row" >"$work/drop/old/a.csv"
printf '%s\n' "$row" >"$work/drop/.hidden.csv"
"$program" import --watch "$work/drop" >"$work/report" 2>&1 </dev/null &
watcher=$!
until_true frames 2
result "what lies there is taken" "$(frames 2 && echo yes)" "$(cat "$work/report")"
printf '%s\n' "$row" >"$work/drop/b.csv.part"
printf '%s\n' "$row" | sed 's/Forest/Cave/' >"$work/moved.csv"
mv "$work/moved.csv" "$work/drop/c.csv"
mkdir "$work/drop/new"
printf '%s\n' "$row" | sed 's/Forest/Harbor/' >"$work/drop/new/d.csv"
until_true frames 6
result "what is moved in, and what is in a new folder" "$(frames 6 && echo yes)" "$(cat "$work/report")"
{
    printf '%s\n' "$row" | sed 's/Forest/Slow/'
    until_true grep -q c.csv "$work/report" # while it is written nothing is taken
    echo 'b1,Pixel 8,Slow,50,17'
} >"$work/drop/e.csv"
until_true frames 9
result "a file is taken when it is whole" "$(frames 9 && echo yes)" "$(cat "$work/report")"
kill -INT $watcher
wait $watcher
result "Ctrl-C ends it with status 0" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/report")"
result "every file once" "$([ "$(grep -c ' frames new' "$work/report")" = 4 ] && echo yes)" "$(cat "$work/report")"
result "no unfinished, no hidden file" "$(grep -Eq 'part|hidden' "$work/report" || echo yes)" "$(cat "$work/report")"

fresh
"$program" import --dry-run "$work/drop/c.csv" >"$work/report" 2>&1
says "dry run" "would take 2 frames"
result "a dry run makes no store" "$([ ! -e "$STUTTERSCOPE_STORE" ] && echo yes)"

printf 'wann;dauer\n16;16\n33;17\n' >"$work/theirs.csv"
take "$work/theirs.csv" --build b1 --device 'Pixel 8' --scene Forest
result "names nobody knows are refused" "$([ $? -eq 2 ] && echo yes)" "$(cat "$work/report")"
"$program" import --save-preset ours --map timestamp_ms=wann --map frame_time_ms=dauer --device 'Pixel 8' >"$work/report" 2>&1
result "a preset is kept" "$([ $? -eq 0 ] && [ -e "$XDG_CONFIG_HOME/stutterscope/presets/ours.preset" ] && echo yes)" "$(cat "$work/report")"
takes "$work/theirs.csv" --preset ours --build b1 --scene Forest
row stats "preset" true frames=2 'device="Pixel 8"'
takes "$work/theirs.csv" --preset ours --build b1 --scene Forest --device Tab
row stats "the command line wins over the preset" true frames=2 'device="Tab"'
"$program" import --preset other "$work/theirs.csv" >"$work/report" 2>&1
result "a preset that is not there" "$([ $? -eq 2 ] && echo yes)" "$(cat "$work/report")"
says "a preset that is not there" "other.preset"
"$program" import --save-preset ../x --map frame_time_ms=a >"$work/report" 2>&1
result "a preset's name is no path" "$([ $? -eq 2 ] && echo yes)"

# A night's folder: captures of two devices, notes and a picture beside them.
mkdir -p "$work/night/Pixel 8/b1" "$work/night/Tab/b1"
printf 'timestamp_ms,frame_time_ms\n16,16\n33,17\n' | tee "$work/night/Pixel 8/b1/Forest.csv" >"$work/night/Tab/b1/Cave.csv"
gzip "$work/night/Tab/b1/Cave.csv"
printf '\211PNG\r\n\032\n' >"$work/night/Tab/b1/shot.png"
echo 'all fine tonight, no crash' >"$work/night/notes.txt"
takes "$work/night" --path-pattern '{device}/{build}/{scene}.csv'
figures "" stats "night" '.rows | map(.device + " " + .scene) | sort' '["Pixel 8 Forest","Tab Cave"]'
says "night" "notes.txt.*passed over"
tar -C "$work" -czf "$work/night.tgz" night
takes "$work/night.tgz" --path-pattern '{device}/{build}/{scene}.csv'
figures "" stats "night in an archive" '.rows | map(.device + " " + .scene) | sort' '["Pixel 8 Forest","Tab Cave"]'
