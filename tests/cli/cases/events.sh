# Event lift: 11 boss spawns in 2 runs, 9 of them followed by a window at once; coins drop often and nothing follows.
fresh
awk 'BEGIN {
    print "timestamp_ms,frame_time_ms,event_name,build_id,device_model,scene,quality_level,run_id"
    for (run = 1; run <= 2; run++) {
        stamp = 0
        for (i = 1; i <= 6600; i++) {
            time = 16; event = ""
            if (i % 1000 == 500 && i < (run == 1 ? 6000 : 5500)) { event = "boss_spawn"; spawn++; if (spawn != 4 && spawn != 8) time = 80 }
            if (i % 1000 == 100 || i % 1000 == 800) event = "coin_drop"
            stamp += time
            printf "%d,%d,%s,1.0,Pixel 8,Arena,High,r%d\n", stamp, time, event, run
        }
    }
}' >"$work/events.csv"
take "$work/events.csv" || result "the runs are imported" no "$(cat "$work/report")"
figures "" windows "the windows" 'gameplay | length' 9
# A window is followed within 2 s: 9 stretches of 2 s of 2 x 6600 x 16 + 9 x 64 ms = 211776 ms are 8.5 %; 11 x that is 0.93.
row events "boss" '.event == "boss_spawn"' occurrences=11 followed=9 expected=0.93495 base_percent=8.49955 share_percent=81.81818 'stands_out=true'
row events "coins" '.event == "coin_drop"' occurrences=26 followed=0 'stands_out=false'
figures "" events "the answer" '.answer | test("boss_spawn stands out: 9 of 11 followed by a window within 2 s, 0.9 expected")' true .within_ms 2000
row_options="--within 10000" row events "further" '.event == "coin_drop"' occurrences=26
"$program" events --scene Arena --csv >"$work/text"
result "CSV" "$(head -n 1 "$work/text" | grep -q '^build,device,.*stands_out' && [ "$(wc -l <"$work/text")" -eq 3 ] && echo yes)" "$(cat "$work/text")"
"$program" events >"$work/text"
result "text" "$(grep -q 'boss_spawn stands out' "$work/text" && echo yes)" "$(cat "$work/text")"
# Without windows there is nothing to stand out, and that is said.
fresh
sed 's/,80,/,16,/' "$work/events.csv" >"$work/calm.csv"
take "$work/calm.csv"
figures "" events "calm" .answer '"no event stands out"' '.rows | map(.stands_out) | unique' '[false]' '.rows | map(.lift) | unique' '[null]'
"$program" events >"$work/text"
result "no event stands out is said" "$(grep -q 'no event stands out' "$work/text" && echo yes)" "$(cat "$work/text")"
