# A clock that is set, a counter that wraps, a game that starts again.
for file in a_clock_back_250ms b_clock_forward_1h e_uint32_wrap; do
    takes $file.csv
    group $file true runs=1 frames=300 duration_ms=4815 mean_ms=16.05 median_ms=16.05 p95_ms=16.3 p99_ms=16.3 \
        min_ms=15.8 max_ms=16.3 windows=0
    figures "" windows $file '.rows | length' 0
    row runs $file true frames=300 duration_ms=4815
done
takes a_clock_back_250ms.csv
says "set back" "clock"
takes b_clock_forward_1h.csv
group "set forward" true 'gaps|many=1'
for file in c_restart_no_run_id d_restart_run_id; do
    takes $file.csv
    figures "" runs $file '.rows | length' 2 \
        '.rows | map(.frames) | sort' '[199,200]' \
        '.rows | map(select(.frames == 200)) | .[0].duration_ms' 3210.1 \
        '.rows | map(select(.frames == 199)) | .[0].duration_ms' 3194.1 \
        '.rows | map(.max_ms)' '[16.3,16.3]' \
        '.rows | map(select(.frames == 199)) | .[0].labelled["start-up"].frames' 1 \
        '.rows | map(select(.frames == 199)) | .[0].labelled["start-up"].ms' 900
    figures "" windows $file 'gameplay | length' 0 '.rows | map(select(.label == "start-up")) | length' 1
done
