# Frames locked to the display: MAD is next to nothing, and nothing is divided by it.
takes a_jitter_1us.csv
group "jitter" true frames=600 duration_ms=10033.533 mean_ms=16.7226 median_ms=16.667 p95_ms=16.668 p99_ms=16.668 \
    min_ms=16.666 max_ms=50 mad_ms=0.001 windows=1 over_budget_frames=1
figures "" stats "jitter" '.rows[0].mad_ms | . > 0.0005 and . < 0.0015' true
for settings in "--factor 1.05 --z 3" "--factor 1.05 --z 8" "--factor 2 --z 3" "--factor 2 --z 8" "--factor 1.5 --mad-floor 0"; do
    figures "$settings" windows "jitter $settings" 'gameplay | map(.peak_frame_ms)' '[50]'
done
no_nan "jitter"
takes b_constant.csv
group "constant" true frames=600 mad_ms=0 windows=0 over_budget_frames=0
no_nan "constant"
takes c_constant_three_hitches.csv
group "three hitches" true frames=600 duration_ms=10100.199 mean_ms=16.8337 median_ms=16.667 p95_ms=16.667 p99_ms=16.667 \
    min_ms=16.667 max_ms=50 mad_ms=0 windows=3 over_budget_frames=3
for settings in "--factor 1.05 --z 3" "--factor 2 --z 8" "--factor 2 --mad-floor 0"; do
    figures "$settings" windows "three hitches $settings" 'gameplay | length' 3
done
takes d_just_over_budget.csv
group "just over" true frames=600 mad_ms=0 windows=0 over_budget_frames=0
figures "--factor 1.05 --z 3" windows "just over" 'gameplay | length' 0
