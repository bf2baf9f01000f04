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
fresh
take b_string_and_duplicate_key.ndjson
status=$?
result "a number as text, a name twice: one rule, no crash" "$([ $status -eq 0 ] || [ $status -eq 2 ] && echo yes)" "$(cat "$work/report")"
takes c_array.json
group "array" true frames=50 p99_ms=16.7
fresh
if take d_array_cut.json; then
    says "cut array" "cut|breaks off"
    group "cut array" true frames=30
else
    says "cut array" "line|byte|cut"
fi
takes e_object_with_frames.json
group "object" true frames=20
fresh
begin=$SECONDS
take f_deep_nesting.json
result "deep nesting is refused at once" "$([ $? -eq 2 ] && [ $((SECONDS - begin)) -lt 20 ] && echo yes)" "$(cat "$work/report")"

