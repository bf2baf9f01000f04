# Spikes merge, a freeze is covered whole, the last frame closes its window.  The excess is over 16.667 ms.
takes windows.csv
group "merge" true frames=600 duration_ms=12115.8 mean_ms=20.193 median_ms=16.1 p95_ms=40 p99_ms=70 min_ms=15.8 \
    max_ms=1200 windows=4 over_budget_frames=47
figures "" windows "merge" 'gameplay | length' 4 \
    'gameplay | sort_by(.start_ms) | map(.start_ms)' '[1605,3479.6,6268.6,12025.8]' \
    'gameplay | sort_by(.start_ms) | map(.end_ms)' '[2018.9,4679.6,7868.6,12115.8]' \
    'gameplay | sort_by(.start_ms) | map(.duration_ms * 10 | round)' '[4139,12000,16000,900]' \
    'gameplay | sort_by(.start_ms) | map(.over_budget_frames)' '[5,1,40,1]' \
    'gameplay | sort_by(.start_ms) | map(.peak_frame_ms)' '[70,1200,40,90]' \
    'gameplay | sort_by(.start_ms) | .[0].excess_ms' 266.665 \
    'gameplay | sort_by(.start_ms) | .[1].excess_ms' 1183.333 \
    'gameplay | sort_by(.start_ms) | .[2].excess_ms' 933.32 \
    'gameplay | sort_by(.start_ms) | .[3].excess_ms' 73.333
