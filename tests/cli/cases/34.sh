# Headers that come again, change, double or differ in case.
run_1='frames=100 duration_ms=1649.1 mean_ms=16.491 median_ms=16.1 p95_ms=16.3 p99_ms=16.3 min_ms=15.8 max_ms=60'
takes a_header_repeated.csv
group "repeated" true frames=200 rejected=0
figures "" runs "repeated" '.rows | length' 2 '.rows | map(.max_ms) | sort' '[60,61]'
row runs "repeated, run 1" '.max_ms == 60' $run_1
row runs "repeated, run 2" '.max_ms == 61' frames=100 duration_ms=1650.1 mean_ms=16.501 median_ms=16.1 p95_ms=16.3 \
    p99_ms=16.3 min_ms=15.8

takes b_header_changes_order.csv
figures "" stats "other order" '[.rows[].frames] | add' 200
row stats "other order" '.build == "b100"' $run_1
row stats "other order" '.build == "b101"' max_ms=61 p95_ms=16.3

fresh
if take c_duplicate_column.csv; then
    says "doubled" "frame_time_ms"
    group "doubled" true $run_1
else
    says "doubled" "frame_time_ms"
    says "doubled" "(^|[^0-9])2([^0-9]|\$)"
    says "doubled" "(^|[^0-9])11([^0-9]|\$)"
fi
fresh
if take d_header_case_blanks.csv; then
    group "case and blanks" true $run_1
else
    says "case and blanks" "timestamp_ms"
fi
refuses e_required_column_missing.csv frame_time_ms frame_ms
