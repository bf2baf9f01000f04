# P99, the mean of the slowest percent and the maximum are three figures.
takes thousand_frames.csv
row_options="--percentiles 99.9"
group "low" true frames=1000 duration_ms=10760 mean_ms=10.76 median_ms=10 p95_ms=10 p99_ms=10 min_ms=10 max_ms=500 \
    fps=92.937 low1_ms=86 windows=10
figures "" windows "low" 'gameplay | length' 10
figures "--gap 990" windows "gap of 990 ms" 'gameplay | length' 1
figures "--gap 989" windows "gap of 989 ms" 'gameplay | length' 10
