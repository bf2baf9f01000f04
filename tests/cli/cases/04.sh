# A pause is no frame of the game, a hole in the stamps is no stutter, a freeze is one.
takes a_marked_pause.csv
group "pause" true frames=600 duration_ms=9630 mean_ms=16.05 median_ms=16.05 p95_ms=16.3 p99_ms=16.3 min_ms=15.8 \
    max_ms=16.3 windows=0 labelled.pause.frames=1 labelled.pause.ms=45016.4
figures "" windows "pause" '.rows | length' 0

takes b_timestamp_hole.csv
group "hole" true frames=600 duration_ms=9630 mean_ms=16.05 median_ms=16.05 p95_ms=16.3 p99_ms=16.3 max_ms=16.3 \
    windows=0 'gaps|many=1' logged_share=0.176035
figures "" windows "hole" '.rows | length' 0

takes c_real_freeze.csv
group "freeze" true frames=601 duration_ms=13830 mean_ms=23.0116 median_ms=16.1 p95_ms=16.3 p99_ms=16.3 min_ms=15.8 \
    max_ms=4200 windows=1
row windows "freeze" true peak_frame_ms=4200 over_budget_frames=1 'label="gameplay"'
