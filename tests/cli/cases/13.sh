# Captures of Unreal's CSV profiler: stats that came later, the header at the end, a crash.
fresh
take a_complete.csv --device 'Test PC' --scene Menu
result "a_complete is imported" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/report")"
group "complete" true frames=480 duration_ms=7922.6 mean_ms=16.5054 median_ms=16.1 p95_ms=16.3 p99_ms=52.5 min_ms=15.8 max_ms=52.5 windows=6
row runs "complete" true 'build="b101"' 'os|test("Windows 11")=true'
says "complete" ShadowCacheUsageMB
result "three events" "$([ "$("$program" sql --csv "SELECT sum(length(event) - length(replace(event, ';', '')) + 1) FROM frame" | tail -n 1)" = 3 ] ||
    [ "$("$program" sql --csv 'SELECT count(*) FROM frame WHERE event IS NOT NULL' | tail -n 1)" = 3 ] && echo yes)" \
    "$("$program" sql 'SELECT number, event FROM frame WHERE event IS NOT NULL')"
fresh
take b_capture_not_finished.csv
result "an unfinished capture asks for what it does not know" "$([ $? -eq 2 ] && echo yes)" "$(cat "$work/report")"
says "unfinished" "--build|--device|--scene"
fresh
take b_capture_not_finished.csv --build b7 --device 'Test PC' --scene Menu
says "unfinished" "finish|broken off|cut|crash"
group "unfinished" true frames=300 duration_ms=4960.5 mean_ms=16.535 median_ms=16.1 p95_ms=16.3 p99_ms=52.5 min_ms=15.8 max_ms=52.5 windows=4
refuses c_zero_bytes.csv empty
