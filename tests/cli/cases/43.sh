# Large files are streams: 1 000 000 rows in bounded memory, from a pipe too; one endless line is refused.
if ! command -v python3 >/dev/null; then
    result "large files # SKIP python3 is not there to make them" yes
    return 0
fi
make_rows() { python3 "$folder/make_huge.py" "$@"; }
(cd "$work" && make_rows 1000000 >"$work/made" 2>&1) || true
file=$(find "$work" -maxdepth 1 -name '*.csv' -size +10M | head -n 1)
[ -n "$file" ] || file=$work/made
fresh
# A sanitizer reserves more than the limit allows: then there is none.
limit=1500000
bash -c 'ulimit -v "$1"; exec env ASAN_OPTIONS= "$2" --version' - $limit "$program" >/dev/null 2>&1 || limit=unlimited
bash -c 'ulimit -v "$1"; shift; exec "$@"' - $limit "$program" import "$file" >"$work/report" 2>&1 </dev/null
result "a million rows in bounded memory" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/report")"
group "a million rows" true frames=1000000 duration_ms=16133966.6 mean_ms=16.134 p95_ms=16.3 p99_ms=16.3 max_ms=100 windows=1000
fresh
# shellcheck disable=SC2002
cat "$file" | "$program" import - >"$work/report" 2>&1
result "the same from a pipe" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/report")"
group "from a pipe" true frames=1000000 duration_ms=16133966.6 max_ms=100 windows=1000
fresh
head -c 100000000 /dev/zero | tr '\0' x >"$work/line.csv"
take "$work/line.csv" --build b --device d --scene s
result "one line of 100 MB is refused" "$([ $? -eq 2 ] && echo yes)" "$(cat "$work/report")"
