# 1500 windows: the worst ones, how many more, and no limit of a tracker is passed.
if ! command -v python3 >/dev/null; then
    echo "1..0 # SKIP skipped: python3 is not installed"
    exit 0
fi
python3 "$folder/make_many_windows.py" >"$work/many.csv"
takes "$work/many.csv"
figures "" stats stats '.rows[0].frames' 120000 '.rows[0].windows' 1500 '.rows[0].median_ms' 16.1 '.rows[0].p95_ms' 16.3 \
    '.rows[0].p99_ms' 87.9 '.rows[0].min_ms' 15.8 '.rows[0].max_ms' 159.9
id=$("$program" stutters --json | jq -r '.rows[0].id')
for format in github gitlab jira plain; do
    for language in en ko ja; do
        "$program" ticket --template $format-$language "$id" >"$work/ticket" 2>"$work/trouble"
        limit=32767
        length=$(wc -m <"$work/ticket")
        result "$format-$language is short enough" "$([ "$length" -le $limit ] && echo yes)" "$length"
        result "$format-$language names the worst and the rest" \
            "$(grep -q '159.9 ms.*159.8 ms.*159.8 ms.*159.7 ms.*159.7 ms.*1495.*' "$work/ticket" && grep -q 1500 "$work/ticket" && echo yes)" \
            "$(cat "$work/ticket")"
        result "$format-$language is whole" "$(iconv -f UTF-8 -t UTF-8 "$work/ticket" >/dev/null && grep -q 광장 "$work/ticket" && echo yes)"
        fences=$(grep -Ec '^(```|\{noformat\}$)' "$work/ticket")
        result "$format-$language closes its blocks" "$([ $((fences % 2)) -eq 0 ] && echo yes)" "$fences"
    done
done

# Long names in many stutters, where the text itself has to give way. Limits count UTF-16 units of the final text.
awk 'BEGIN {
    print "timestamp_ms,frame_time_ms,device_model,build_id,scene,event_name,quality_level,run_id"
    for (s = 0; s < 12; s++) {
        name = s "-"
        for (i = 0; i < 900; i++)
            name = name "광{|"
        t = 0
        for (f = 0; f < 60; f++) {
            v = f == 40 ? 90 : 16
            t += v
            print t "," v ",Pixel 8,b1,\"" name "\",,High,r" s
        }
    }
}' >"$work/long.csv"
takes "$work/long.csv"
mapfile -t ids < <("$program" stutters --json --limit 0 | jq -r '.rows[].id')
for format in github:65536 gitlab:1000000 jira:32767 plain:65535; do
    "$program" ticket --template "${format%:*}" "${ids[@]}" >"$work/ticket" 2>"$work/trouble"
    length=$(($(iconv -f UTF-8 -t UTF-16LE "$work/ticket" | wc -c) / 2))
    result "${format%:*}: $length of ${format#*:}" "$([ "$length" -le "${format#*:}" ] && [ "$length" -gt 500 ] && echo yes)" "$(cat "$work/trouble")"
    fences=$(grep -Ec '^(```|\{noformat\}$)' "$work/ticket")
    result "${format%:*} closes its blocks" "$([ $((fences % 2)) -eq 0 ] && echo yes)" "$fences"
    result "${format%:*} has its end" "$(grep -q 'stutterscope.*--open' "$work/ticket" && echo yes)"
done

