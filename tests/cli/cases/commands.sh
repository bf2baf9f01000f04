# What holds for every verb: output that does not arrive is no success, an option that does nothing is refused, files are
# written whole or not at all, and what only looks is known.
sample() {
    fresh
    "$program" import --quiet "$data"/sample/nightly-*.csv >"$work/report" 2>&1 || result "the sample is imported" no "$(cat "$work/report")"
    "$program" devices --load "$data/sample/devices.csv" >/dev/null
}
# call ARGUMENT...: text in out, remarks in said, the status in $status.
call() {
    "$program" "$@" >"$work/out" 2>"$work/said" </dev/null
    status=$?
}
ends() {
    result "$1: status $2" "$([ $status -eq "$2" ] && echo yes)" "status $status: $(cat "$work/said")"
}
has() {
    result "$1" "$(grep -Fq -- "$3" "$work/$2" && echo yes)" "$(cat "$work/$2")"
}
sample
cd "$work" || exit 2

# ---- output that does not arrive
id=$("$program" stutters --json | jq -r '.rows[0].id')
"$program" ticket "$id" --payload >"$work/payload.json"
"$program" ticket "$("$program" stutters --build '1.8.0(420)' --json | jq -r '.rows[0].id')" --payload >"$work/older.json"
printf '{{build}}\n' >"$work/some.mustache"
while read -r line; do
    eval "set -- $line"
    "$program" "$@" >/dev/full 2>"$work/said" </dev/null
    status=$?
    result "$1 to a full device fails" "$([ $status -eq 2 ] && grep -Eq 'No space left|disk full' "$work/said" && echo yes)" "status $status: $line: $(cat "$work/said")"
done <<END
--help
--version
import --help
import --formats
import '$data/sample/nightly-418.csv'
builds
devices
runs
stats --json
heatmap --csv
stutters
windows
frames --run 1 --limit 5
compare
trend --device SM-S918N --scene Battle_03
coverage
findings
status
status --json
gate
triage --log
triage --summary
triage '$id' known --note x
verify '$work/older.json'
verify '$work/older.json' --template github
ticket '$id'
ticket '$id' --payload
ticket --regressions
ticket --list-templates
ticket --list-names
ticket --show-template
template '$work/some.mustache' --data '$work/payload.json'
events
samples
snapshots
sql 'SELECT 1'
check
export
heatmap --svg -
view map
view queue --json
view ticket --svg -
--print-table verbs
END
tested=$("$program" --print-table verbs | cut -f 1 | grep -vx demo | while read -r verb; do
    grep -q "^$verb\b" "$here/commands.sh" || echo "$verb"
done)
result "every verb was tried" "$([ -z "$tested" ] && echo yes)" "$tested"
# More than a pipe holds, so that it is written to after the reader has gone.
"$program" frames --run 1 --limit 0 --json >"$work/out" 2>"$work/said"
result "it is more than a pipe holds" "$([ "$(stat -c %s "$work/out")" -gt 65536 ] && echo yes)" "$(stat -c %s "$work/out") bytes"
"$program" frames --run 1 --limit 0 --json 2>"$work/said" | head -n 1 >"$work/out"
status=("${PIPESTATUS[@]}")
result "a reader that has seen enough is no failure" "$([ "${status[0]}" -eq 0 ] && [ ! -s "$work/said" ] && [ -s "$work/out" ] && echo yes)" \
    "status ${status[0]}: $(cat "$work/said")"

# ---- options that do nothing
while IFS='|' read -r line words; do
    eval "set -- $line"
    call "$@"
    ends "$line" 2
    has "$line: it is said" said "$words"
done <<END
export --json|export does nothing with --json; import, builds,
--csv export|export does nothing with --csv
ticket '$id' --csv|goes with --list-templates or --list-names
ticket '$id' --baseline '1.7.9(418)'|goes with --regressions
template some.mustache --store x|template does nothing with --store
stats --payload|stats does nothing with --payload; ticket does
ticket '$id' --payload --post|ticket does nothing with --post beside --payload
ticket '$id' --json --template plain|ticket does nothing with --template beside --json
ticket --list-templates --template plain|ticket does nothing with --template beside --list-templates
ticket --data '$work/payload.json' --fps 30|ticket does nothing with --fps beside --data
ticket --data '$work/payload.json' --regressions|ticket does nothing with --regressions beside --data
verify '$work/payload.json' --summary-command true|verify does nothing with --summary-command alone; it goes with --template, --language,
verify '$work/payload.json' --json --template plain|verify does nothing with --template beside --json
heatmap --svg x.svg --json|heatmap does nothing with --json beside --svg
trend --html x.html --limit 3|trend does nothing with --limit beside --html
heatmap --size 80x24|heatmap does nothing with --size alone; it goes with --svg or --html
triage '$id' noise --json|triage does nothing with --json alone; it goes with --log
triage --undo --note x|triage does nothing with --note beside --undo
builds --device X|builds does nothing with --device alone; it goes with --baseline
import x.csv --factor 3|import does nothing with --factor of files; it goes with the address of a server
import --formats --build x|import does nothing with --build beside --formats
import clickhouse://127.0.0.1:1/db --device X|--device says nothing about the table of a server
import clickhouse://127.0.0.1:1/db --encoding utf-8|--encoding is about files
stats --json --csv|--json and --csv exclude each other
--ascii --glyphs full|--ascii and --glyphs exclude each other
--limit 3|browsing (no verb) does nothing with --limit
stats --bulid x|did you mean --build?
stats --store ''|--store: expected a file, found nothing
ticket '$id' --output ''|--output: expected a file, found nothing
ticket '$id' --template ''|--template: expected a file, found nothing
stats --output /no/such/folder/x|--output: Cannot make a file for /no/such/folder/x: No such file or directory
ticket '$id' --template nothing|there is no template "nothing"; there are
END

# ---- files: whole or not at all
"$program" export >"$work/whole.csv"
echo old >"$work/x.csv"
chmod 640 "$work/x.csv"
for verb in 'export --output x.csv' 'frames --run 1 --limit 0 --csv --output x.csv'; do
    # shellcheck disable=SC2086
    (ulimit -f 64 && exec "$program" $verb) >"$work/out" 2>"$work/said"
    status=$?
    ends "$verb on a full disk" 2
    has "$verb: the file is named" said "x.csv: File too large"
    result "$verb: the old content stays" "$([ "$(cat "$work/x.csv")" = old ] && echo yes)"
    result "$verb: nothing is left over" "$([ "$(echo "$work"/.[!.]* "$work"/*stutterscope-*)" = "$work/.[!.]* $work/*stutterscope-*" ] && echo yes)" "$(ls -A "$work")"
done
call export --output x.csv
ends "export --output" 0
result "it has what standard output has" "$(cmp -s "$work/x.csv" "$work/whole.csv" && echo yes)"
result "a file that is replaced keeps its mode" "$([ "$(stat -c %a "$work/x.csv")" = 640 ] && echo yes)" "$(stat -c %a "$work/x.csv")"
ln -s x.csv "$work/link.csv"
call export --output link.csv --build '1.8.0(421)'
result "a symbolic link stays one" "$([ -L "$work/link.csv" ] && ! cmp -s "$work/x.csv" "$work/whole.csv" && echo yes)"
call export --output /dev/full
ends "export --output /dev/full" 2
result "new stores are the user's only" "$([ "$(stat -c %a "$STUTTERSCOPE_STORE")" = 600 ] && echo yes)" "$(stat -c %a "$STUTTERSCOPE_STORE")"
call import --save-preset night --map frame_time_ms=Dauer
result "settings are the user's only" "$([ "$(find "$XDG_CONFIG_HOME" -type f -exec stat -c %a {} + | sort -u)" = 600 ] && echo yes)" "$(cat "$work/said"; find "$XDG_CONFIG_HOME" -type f -exec stat -c '%a %n' {} +)"

# ---- stores that are damaged, or only can be read
head -c 300000 "$STUTTERSCOPE_STORE" >"$work/cut.db"
call check --store "$work/cut.db"
result "check of a cut store finds damage" "$([ $status -ne 0 ] && grep -q damaged "$work/said" "$work/out" && echo yes)" "$(cat "$work/said")"
result "it does not send to itself" "$(grep -q 'stutterscope check' "$work/said" || echo yes)" "$(cat "$work/said")"
call stats --store "$work/cut.db"
has "other verbs send there" said "stutterscope check"
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    as_other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
else
    as_other=()
fi
mkdir "$work/shown"
"$program" stats >/dev/null
sqlite=$(command -v sqlite3) && sqlite3 "$STUTTERSCOPE_STORE" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
cp "$STUTTERSCOPE_STORE" "$work/shown/night.db"
chmod 755 "$work" "$work/shown"
chmod 444 "$work/shown/night.db"
[ ${#as_other[@]} -gt 0 ] || chmod 555 "$work/shown"
for verb in runs stutters builds check; do
    "${as_other[@]}" "$program" $verb --store "$work/shown/night.db" >"$work/out" 2>"$work/said" </dev/null
    status=$?
    ends "$verb of a store that only can be read" 0
    result "$verb: without complaints" "$([ ! -s "$work/said" ] && echo yes)" "$(cat "$work/said")"
done
"${as_other[@]}" "$program" builds --bad '1.7.9(418)' --store "$work/shown/night.db" >"$work/out" 2>"$work/said"
status=$?
ends "a change there" 2
chmod 755 "$work/shown"

# ---- context out of paths
mkdir -p "$work/night/phone/b1" "$work/elsewhere/tablet/b2"
awk 'BEGIN { print "timestamp_ms,frame_time_ms"; for (f = 1; f < 60; f++) print f * 20 ",20" }' >"$work/night/phone/b1/Arena.csv"
cp "$work/night/phone/b1/Arena.csv" "$work/elsewhere/tablet/b2/Field.csv"
# path PATH REGEX: what the report of an import says
path() {
    call import --dry-run --path-pattern '{device}/{build}/{scene}.csv' "$1"
    result "$1 is $2" "$(cat "$work/out" "$work/said" | grep -Eq -- "$2" && echo yes)" "$(cat "$work/out" "$work/said")"
}
cd "$work/night" || exit 2
path phone/b1/Arena.csv 'b1, phone, 59'
path ./phone//b1/./Arena.csv 'b1, phone, 59'
path ../night/phone/b1/Arena.csv 'b1, phone, 59'
path "$work/night/phone/b1/Arena.csv" 'b1, phone, 59'
path phone/b1/../b1/Arena.csv 'device would be ".."'
cd phone && path ./b1/Arena.csv 'does not fit'
cd ..
ln -s ../../../elsewhere/tablet/b2/Field.csv phone/b1/Linked.csv
path phone/b1/Linked.csv 'b1, phone, 59'
ln -s . phone/loop
ln -s /dev/zero phone/b1/Zero.csv
ln -s /no/such/file phone/b1/Nothing.csv
mkfifo phone/b1/Pipe.csv
call import --dry-run --path-pattern '{device}/{build}/{scene}.csv' phone
result "a folder with loops, devices and pipes ends" "$([ "$(grep -c '59 frames in 1 run' "$work/out")" = 2 ] && echo yes)" "status $status: $(cat "$work/out" "$work/said")"
cd "$work" || exit 2

# ---- formulas
awk 'BEGIN {
    print "timestamp_ms,frame_time_ms,device_model,build_id,scene,event_name"
    for (f = 1; f <= 40; f++)
        print f * 20 ",20,\"=cmd|'\''/C calc'\''!A0\",@SUM(1),+1+2," (f == 20 ? "-2+3" : "")
}' >"$work/formulas.csv"
fresh
take "$work/formulas.csv" || result "names that are formulas are imported" no "$(cat "$work/report")"
while read -r line; do
    eval "set -- $line"
    call "$@" --csv
    result "$1: no cell of its CSV is a formula" "$(grep -Eq '(^|,)"?[=+@]|(^|,)"?-[^0-9.,]' "$work/out" || echo yes)" "$(cat "$work/out")"
done <<END
builds
devices
runs
stats
heatmap
stutters
windows
frames --limit 0
compare
coverage
findings
gate
events
samples
sql 'SELECT name FROM device UNION ALL SELECT "=1+1"'
END
"$program" export >"$work/again.csv"
fresh
take "$work/again.csv"
figures "" runs "names that are formulas come back from an export" '.rows[0].device' "\"=cmd|'/C calc'!A0\"" '.rows[0].build' '"@SUM(1)"' '.rows[0].scene' '"+1+2"'

# ---- what only looks
reads=$("$program" --print-table reads | cut -f 1 | tr '\n' ' ')
for verb in stats trend samples snapshots sql export ticket; do
    result "$verb only looks" "$([[ " $reads" == *" $verb "* ]] && echo yes)" "$reads"
done
for verb in import triage verify gate; do
    result "$verb does not" "$([[ " $reads" == *" $verb "* ]] || echo yes)" "$reads"
done
