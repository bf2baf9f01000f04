# Ten small steps against a fixed anchor; builds in the order of their numbers; a baseline that only people move.
export STUTTERSCOPE_USER=hana
takes ten_nights.csv
figures "" builds "order" '.rows | sort_by(.order) | map(.build)' \
    '["1.8.0","1.9.0","1.10.0","1.11.0","1.12.0","1.13.0","1.14.0","1.15.0","1.16.0","1.17.0"]'
"$program" stats --json >"$work/text"
result "the newest build is 1.17.0" "$(jq '.build == "1.17.0"' "$work/text" | sed 's/true/yes/')" "$(cat "$work/text")"
figures "--build 1.10.0" compare "the build before 1.10.0" '.baseline' '"1.9.0"'
"$program" builds --baseline 1.8.0 >"$work/text" 2>&1
result "the baseline is pinned" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/text")"
expected=(1.8.0 16.3 1.9.0 16.789 1.10.0 17.293 1.11.0 17.811 1.12.0 18.346 1.13.0 18.896 1.14.0 19.463 1.15.0 20.047 1.16.0 20.648 1.17.0 21.268)
for ((i = 2; i < ${#expected[@]}; i += 2)); do
    verdict=same
    [ $i -lt 8 ] || verdict=worse
    figures "--build ${expected[i]}" compare "${expected[i]}" '.rows | map(select(.figure == "p95_ms") | [.baseline_build, .before, .verdict])' \
        "[[\"1.8.0\",16.3,\"$verdict\"]]" '.rows[] | select(.figure == "p95_ms") | .after' "${expected[i + 1]}"
done
# Without the pin each night is compared with the one before: every step is small, and the slow rise is said all the same.
figures "--build 1.17.0 --baseline 1.16.0" compare "the last step alone" '.rows | map(.verdict) | unique' '["same"]'
"$program" trend --device "Pixel 8" --scene Forest --figure p95_ms --json >"$work/text"
result "the trend says the slow rise" "$(jq '.answer | test("rises slowly: 16.3 to 21.3 .*30 %.*1.8.0 to 1.17.0")' "$work/text" | sed 's/true/yes/')" "$(cat "$work/text")"
# A new night moves nothing.
sed 's/,1\.17\.0,/,1.18.0,/; s/night-2026-10-10/night-2026-10-11/' "$folder/ten_nights.csv" | awk 'NR == 1 || /,1\.18\.0,/' >"$work/night.csv"
take "$work/night.csv" || result "1.18.0 is imported" no "$(cat "$work/report")"
figures "--build 1.18.0" compare "after a new night" .baseline '"1.8.0"' '.rows | map(.baseline_build) | unique' '["1.8.0"]'
# Moving it is recorded: who, from, to.
"$program" builds --baseline 1.9.0 >"$work/text" 2>&1
"$program" triage --log >"$work/text" 2>&1
result "pinning and moving are in the log" "$(grep -Eq 'hana +baseline +- +1\.8\.0 +whole store' "$work/text" && grep -Eq 'hana +baseline +1\.8\.0 +1\.9\.0 +whole store' "$work/text" && echo yes)" "$(cat "$work/text")"
"$program" triage --undo >"$work/text" 2>&1
figures "--build 1.18.0" compare "after taking back" .baseline '"1.8.0"'
