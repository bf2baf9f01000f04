# JSON and NDJSON with oddities: exact stamps, bad records, cut ends.
takes a_mixed.ndjson
group "mixed" true frames=120 p95_ms=33.333334 p99_ms=33.333334 max_ms=33.333334 duration_ms=2333.33334
result "stamps are exact" "$([ "$("$program" sql --csv 'SELECT min(timestamp_ns), max(timestamp_ns) FROM frame' | tail -n 1)" = \
    1772452800140123456,1772452802456790129 ] && echo yes)" "$("$program" sql 'SELECT min(timestamp_ns), max(timestamp_ns) FROM frame')"
for line in 62 63 65 66 67; do
    says "mixed: rejected" "line.*(^|[^0-9])$line([^0-9]|\$)"
done
says "mixed: the last one is cut" "cut"
no_nan "mixed"
# A number as text is one; a name twice leaves the line out.
takes b_string_and_duplicate_key.ndjson
says "a name twice" "left out: 1 malformed .*line 12.*frame_time_ns"
group "a number as text" true frames=11 max_ms=33.333334 median_ms=16.666667
takes c_array.json
group "array" true frames=50 p99_ms=16.7
takes d_array_cut.json
says "cut array" "breaks off in frame 31"
group "cut array" true frames=30
takes e_object_with_frames.json
group "object" true frames=20
fresh
begin=$SECONDS
take f_deep_nesting.json
status=$?
result "deep nesting is refused" "$([ $status -eq 2 ] && [ -s "$work/report" ] && echo yes)" "status $status: $(cat "$work/report")"
result "at once" "$([ $((SECONDS - begin)) -lt 20 ] && echo yes)" "$((SECONDS - begin)) s"

