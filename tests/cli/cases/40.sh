# Stores of a newer version and databases of other programs: refused by every verb, and left as they are.

# unchanged FILE SUM: no byte of it changed, and nothing lies beside it.
unchanged() {
    result "$1 keeps its content" "$([ "$(sha256sum <"$work/$1" | cut -d ' ' -f 1)" = "$2" ] && echo yes)"
    result "nothing lies beside $1" "$(! ls "$work/$1"-* >/dev/null 2>&1 && echo yes)" "$(ls "$work")"
}

# every FILE REGEX: each verb refuses the store with these words.
every() {
    local file=$1 words=$2 verb status
    while read -r verb; do
        # shellcheck disable=SC2086
        "$program" $verb --store "$work/$file" >"$work/report" 2>&1 </dev/null
        status=$?
        result "$file: $verb ends with 2" "$([ $status -eq 2 ] && echo yes)" "status $status: $(cat "$work/report")"
        says "$file: $verb" "$words"
    done <<END
import $folder/run_small.csv
builds
builds --bad b1
devices
runs
stats
heatmap
stutters
windows
frames --run 1
compare
trend
coverage
findings
status
gate
triage 12345678 known
verify $folder/expected.txt
ticket 12345678
samples
snapshots
sql SELECT(1)
check
check --repair
export
END
}

cp "$folder/foreign.db" "$work/foreign.db"
chmod u+w "$work/foreign.db"
every foreign.db "of another program|ticket payload"
unchanged foreign.db 958cbe67bf445813c77af22cf296306466a1a8d5d8a29a439c02439c622614e9

cp "$folder/newer.db" "$work/newer.db"
chmod u+w "$work/newer.db"
# Bytes 68 to 71 of an SQLite file say whose it is: "Stsc" here.
printf '\x53\x74\x73\x63' | dd of="$work/newer.db" bs=1 seek=68 conv=notrunc status=none
sum=$(sha256sum <"$work/newer.db" | cut -d ' ' -f 1)
every newer.db "9999|ticket payload"
unchanged newer.db "$sum"

mkdir "$work/readable"
cp "$work/newer.db" "$work/readable/newer.db"
chmod 444 "$work/readable/newer.db"
"$program" stats --store "$work/readable/newer.db" >"$work/report" 2>&1
says "read-only" 9999
