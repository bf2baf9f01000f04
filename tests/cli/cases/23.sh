# A log with one frame in six: figures of the samples, no windows, no verdict.
takes c_sampled_canonical.csv
group "sampled" true frames=480 p99_ms=16.3 max_ms=16.3 logged_share=0.1586 windows=null \
    'flags|index("sampled")|type="number"' 'gaps|many=0'
figures "" windows "sampled" '.rows | length' 0
figures "" heatmap "sampled" '.rows | map(.state)' '["sampled"]'

# The same session with every frame; the overlay's log is rewritten here, its stamps are nanoseconds of "elapsed".
awk -F, 'NR == 3 { for (i = 1; i <= NF; i++) at[$i] = i; print "timestamp_ms,frame_time_ms,device_model,build_id,scene" }
    NR > 3 { printf "%.6f,%s,Steam Deck,b100,Forest\n", $at["elapsed"] / 1e6, $at["frametime"] }' \
    "$folder/b_every_frame.csv" >"$work/every_frame.csv"
takes "$work/every_frame.csv"
group "every frame" true frames=3000 duration_ms=48669.6 mean_ms=16.2232 median_ms=16.1 p95_ms=16.3 p99_ms=16.3 \
    min_ms=15.8 max_ms=120 windows=5 'logged_share|.*1000|round=1000' 'flags|index("sampled")=null'
figures "" windows "every frame" 'gameplay | length' 5
