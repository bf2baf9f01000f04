# Nothing, or one sample.
for file in a_zero_bytes.csv b_header_only.csv c_bom_only.csv d_blank_lines.csv e_empty_array.json f_empty.ndjson \
    i_all_rows_bad.csv; do
    refuses $file "$file"
    figures "" builds "$file left no build" '.rows | length' 0
done
says "all rows bad" "(^|[^0-9])10([^0-9]|\$)"
fresh
"$program" import "$folder/a_zero_bytes.csv" "$folder/g_one_frame.csv" >"$work/report" 2>&1
result "one bad file of two: status 2" "$([ $? -eq 2 ] && echo yes)"
says "one bad file of two" a_zero_bytes
group "one frame" true frames=1 mean_ms=16.6 median_ms=16.6 p95_ms=16.6 p99_ms=16.6 min_ms=16.6 max_ms=16.6 mad_ms=0 \
    windows=0 'flags|index("few")|type="number"' fps=60.241
no_nan "one frame"
takes h_two_frames.csv
group "two frames" true frames=2 mean_ms=33.3 p95_ms=50 max_ms=50 'flags|index("few")|type="number"'
no_nan "two frames"
