# The budget belongs to the frame: refresh rates that change, caps, 50 Hz, variable refresh.
for file in a_switch_with_column.csv b_switch_no_column.csv; do
    takes $file
    figures "" windows "$file" '.rows | map([.peak_frame_ms, .over_budget_frames, .label])' '[[41.7,1,"gameplay"],[50,1,"gameplay"]]'
    group "$file" true frames=900 duration_ms=10034.25 mean_ms=11.149167 median_ms=8.31 p95_ms=16.65 p99_ms=16.65 min_ms=8.28 max_ms=50 \
        over_budget_frames=2
done
takes a_switch_with_column.csv
figures "" windows "each with its own budget" '.rows | map(.threshold_ms)' '[16.666666,33.333333]'
group "of the 60 Hz part no steady frame is late" true late_frames=2
takes c_low_power_cap.csv
figures "" windows "capped" '.rows | length' 0
group "capped" true frames=300 duration_ms=9990 median_ms=33.3 p95_ms=33.4 p99_ms=33.4 min_ms=33.2 max_ms=33.4 late_frames=300
figures "" stats "capped: slow, no stutter" '.rows[0].flags' '["slow"]'
takes c_baseline_uncapped.csv
group "uncapped" true median_ms=16.05
take c_low_power_cap.csv
figures "--build b101" compare "another power state" '.rows | map(.verdict) | unique' '["none"]' \
    '.rows | map(.reason | test("power state")) | unique' '[true]'
figures "--build b101" findings "no plain regression" '.rows | map(select(.kind == "hitch" or .kind == "drift")) | length' 0
takes d_50hz_tv.csv
figures "" windows "50 Hz" '.rows | length' 0
group "50 Hz" true frames=300 duration_ms=6000 median_ms=20 p95_ms=20.1 max_ms=20.1 over_budget_frames=0 late_frames=0
takes e_vrr.csv
figures "" windows "variable refresh" '.rows | length' 0
