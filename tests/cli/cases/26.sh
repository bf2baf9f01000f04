# A store that another program has locked: short locks are waited for, long ones end with a message and nothing stored,
# imports at the same moment both arrive, and readers see the old or the new.
if ! command -v python3 >/dev/null; then
    echo "1..0 # SKIP skipped: python3, which holds the lock, is not installed"
    exit 0
fi

# hold SECONDS: the store is locked from here on; its process is $holder.
hold() {
    rm -f "$work/locked"
    mkfifo "$work/locked"
    python3 "$folder/hold_lock.py" "$STUTTERSCOPE_STORE" "$1" >"$work/locked" &
    holder=$!
    head -n 1 <"$work/locked" >/dev/null
}

fresh
take "$folder/run_b.csv" || result "the store is made" no "$(cat "$work/report")"
hold 2
take run_a.csv
result "a lock of 2 s is waited for" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/report")"
wait $holder
figures "" runs "and the import is whole" '.rows | map(.frames) | sort' '[200,200]'

fresh
take run_b.csv
hold 60
take run_a.csv
status=$?
result "a lock of 60 s: status 2" "$([ $status -eq 2 ] && echo yes)" "status $status"
says "a lock of 60 s" "another program"
says "a lock of 60 s" "nothing was"
"$program" runs --json >"$work/out" 2>"$work/said"
result "readers do not wait for it" "$(jq -e '.rows | length == 1' "$work/out" >/dev/null && echo yes)" "$(cat "$work/said")"
kill $holder
wait $holder 2>/dev/null
figures "" runs "nothing of it was stored" '.rows | map(.frames)' '[200]'

good=0
: >"$work/failures"
for round in {1..20}; do
    fresh
    "$program" import --quiet "$folder/run_a.csv" >"$work/a" 2>&1 &
    first=$!
    "$program" import --quiet "$folder/run_b.csv" >"$work/b" 2>&1 &
    second=$!
    if wait $first && wait $second && stored=$(ask runs "" | jq -c '.rows | map(.frames)') && [ "$stored" = '[200,200]' ]; then
        good=$((good + 1))
    else
        cat "$work/a" "$work/b" >>"$work/failures"
    fi
done
result "two imports at the same moment both arrive, 20 times" "$([ $good -eq 20 ] && echo yes)" "$good of 20: $(cat "$work/failures")"
