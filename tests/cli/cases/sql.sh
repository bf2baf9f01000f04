# SELECT over the frames of the sample, against the files themselves, and what must not be possible.
fresh
"$program" import "$data"/sample/nightly-*.csv >"$work/report" 2>&1
ask_sql() { "$program" sql --csv "$1" 2>"$work/trouble" | tail -n +2; }
same() { # WHAT GOT WANTED
    result "$1" "$([ "$2" = "$3" ] && echo yes)" "found: $2
wanted: $3
$(cat "$work/trouble")"
}
# Columns of the files by name: device (with a point for the comma in it), scene, build, frame time, event.
from_files() {
    sed -E 's/"(iPhone[0-9]+),([0-9])"/\1.\2/' "$data"/sample/nightly-*.csv | awk -F, -v want="$1" '
        /^timestamp_ms/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        want == "count" { n[$at["build_id"] "," $at["device_model"] "," $at["scene"]]++ }
        want == "max" && $at["scene"] == "Battle_03" { v = $at["frame_time_ms"] + 0; if (v > m[$at["build_id"]]) m[$at["build_id"]] = v }
        want == "events" && $at["event_name"] != "" { n[$at["event_name"]]++ }
        END { for (k in n) print k "," n[k]; for (k in m) print k "," m[k] }' | LC_ALL=C sort
}
same "frames per group" "$(ask_sql 'SELECT build, replace(device, char(44), char(46)), scene, count(*) FROM frame GROUP BY 1, 2, 3' | LC_ALL=C sort)" "$(from_files count)"
same "longest frames of a scene" "$(ask_sql "SELECT build, max(frame_time_ms) FROM frame WHERE scene = 'Battle_03' GROUP BY 1" | LC_ALL=C sort)" \
    "$(from_files max)"
same "events" "$(ask_sql 'SELECT event, count(*) FROM frame WHERE event IS NOT NULL GROUP BY 1' | LC_ALL=C sort)" "$(from_files events)"
same "looked up or looked through, the frames are the same" \
    "$(ask_sql "SELECT count(*), sum(frame_time_ns) FROM frame WHERE device = 'Pixel 6a' AND quality = 'Low' AND build = '1.7.9(418)'")" \
    "$(ask_sql "SELECT count(*), sum(frame_time_ns) FROM frame WHERE device || '' = 'Pixel 6a' AND quality || '' = 'Low' AND build || '' = '1.7.9(418)'")"
same "no case by request" "$(ask_sql "SELECT count(*) > 0 FROM frame WHERE device = 'PIXEL 6A' COLLATE NOCASE")" 1
same "nothing equals NULL" "$(ask_sql "SELECT count(*) FROM frame WHERE run = NULL")" 0
same "numbers go on over visits" "$(ask_sql "SELECT count(*) FROM (SELECT run_id, max(number) n, count(*) c FROM frame GROUP BY 1) WHERE n <> c")" 0
same "joined with the tables of the store" "$(ask_sql "SELECT count(*) FROM frame f JOIN run r ON r.id = f.run_id WHERE r.series <> 'nightly'")" 0
before=$(sha256sum <"$STUTTERSCOPE_STORE")
for statement in "DELETE FROM run" "INSERT INTO setting VALUES ('a', 'b')" "UPDATE frame SET run = 'x'" "DROP TABLE run" "CREATE TEMP TABLE t (a)" \
    "ATTACH '$work/other.db' AS other" "VACUUM INTO '$work/copy.db'" "PRAGMA user_version = 9" "BEGIN" "SELECT load_extension('x')" \
    "SELECT 1; DROP TABLE run" "WITH a AS (SELECT 1) DELETE FROM run" "" "SELECT nothing FROM frame"; do
    "$program" sql "$statement" >"$work/report" 2>&1
    result "refused: ${statement%% $work*}" "$([ $? -eq 2 ] && [ -s "$work/report" ] && echo yes)" "$(cat "$work/report")"
done
same "the store is as it was" "$(sha256sum <"$STUTTERSCOPE_STORE")" "$before"
result "no other file was made" "$([ ! -e "$work/copy.db" ] && [ ! -e "$work/other.db" ] && echo yes)"
