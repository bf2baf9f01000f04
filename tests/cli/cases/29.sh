# The same recording is stored once, however often and in whatever dress it comes.
stored() {
    figures "" runs "$1" '.rows | length' "$2"
    figures "" stats "$1" '[.rows[].frames] | add' "$3"
}
takes a_run.csv
stored "a" 1 480
group "a" true frames=480 duration_ms=7955.6 mean_ms=16.5742 median_ms=16.1 p95_ms=16.3 p99_ms=58 min_ms=15.8 max_ms=58 \
    windows=6
take a_run.csv
stored "a, a" 1 480
says "a, a" "already"
group "a, a" true windows=6
takes a_run.csv
take b_same_other_name_crlf.csv
stored "a, b" 1 480
takes a_run.csv
take c_grown.csv
stored "a, c" 1 600
group "a, c" true windows=6
takes a_run.csv
take d_same_numbers_other_scene.csv
stored "a, d" 2 960
