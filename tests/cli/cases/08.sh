# The budget belongs to the frame: a display that switches, caps, 50 Hz, VRR.
both() {
    group "$1" true frames=900 duration_ms=10034.25 mean_ms=11.1492 median_ms=8.31 p95_ms=16.65 p99_ms=16.65 min_ms=8.28 max_ms=50 windows=2
    # Rows 301 and 751: the only two windows, one frame each.
    figures "" windows "$1" 'gameplay | map(.peak_frame_ms) | sort' '[41.7, 50]' 'gameplay | map(.over_budget_frames) | add' 2 \
        '.rows | length' 2
}
for file in a_switch_with_column.csv b_switch_no_column.csv; do
    takes $file
    both $file
done
takes a_switch_with_column.csv
figures "" windows "each over twice its own budget" 'gameplay | sort_by(.peak_frame_ms) | map(.threshold_ms)' '[16.666666, 33.333333]'
takes c_low_power_cap.csv
says "the cap" low_power_mode_on
group "capped" true frames=300 duration_ms=9990 mean_ms=33.3 median_ms=33.3 p95_ms=33.4 p99_ms=33.4 min_ms=33.2 max_ms=33.4 windows=0
# Steady, and over the budget of 60 FPS all the time: that is slow, no stutter, and every frame is counted as late.
row heatmap "capped" true 'state="slow"'
figures "" stats "capped" '.rows[0].late_frames' 300
fresh
take c_baseline_uncapped.csv && take c_low_power_cap.csv
result "the capped build beside the uncapped" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/report")"
figures "--build b101" compare "conditions are named, no plain regression" \
    '[.rows[] | select(.verdict != "none")] | length' 0 '[.rows[] | select(.reason | test("power state"))] | length > 0' true
figures "--build b100" stats "baseline" '.rows[0].median_ms' 16.05
takes d_50hz_tv.csv
group "50 Hz" true frames=300 duration_ms=6000 mean_ms=20 median_ms=20 p95_ms=20.1 p99_ms=20.1 min_ms=19.9 max_ms=20.1 windows=0
figures "" stats "50 Hz" '.rows[0].late_frames' 0 '.rows[0].over_budget_frames' 0
takes e_vrr.csv
group "VRR" true frames=600 duration_ms=9085.031 mean_ms=15.1417 median_ms=15.816 p95_ms=19.954 p99_ms=19.997 min_ms=9 max_ms=19.999 windows=0
