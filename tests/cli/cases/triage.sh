# What is decided about a stutter goes on from build to build, and what does not report is not passed over.

# night BUILD DATE DEVICE RUNS PEAK...: runs of 1200 frames in one scene; the boss comes once for each PEAK (ms), far apart.
night() {
    awk -v build="$1" -v date="$2" -v device="$3" -v runs="$4" -v peaks="${*:5}" -v series="${series-}" 'BEGIN {
        count = split(peaks, peak, " ")
        print "timestamp_ms,frame_time_ms,event_name,build_id,device_model,scene,quality_level,run_id,started_at,series"
        for (run = 1; run <= runs; run++) {
            stamp = 0
            for (i = 1; i <= 1200; i++) {
                time = 16.5 + (i % 3) / 10
                event = ""
                for (p = 1; p <= count; p++) if (i == 200 * p) { time = peak[p]; event = "boss_spawn" }
                stamp += time
                printf "%.1f,%.1f,%s,%s,%s,Battle_03,High,%s-%s-%d,%sT02:0%d:00Z,%s\n", stamp, time, event, build, device, build, device, run, date, run, series
            }
        }
    }' >"$work/night.csv"
    take "$work/night.csv" || result "$1 of $3 is imported" no "$(cat "$work/report")"
}
# call STATUS ARGUMENT...: what it prints is in $work/text; it reads $input.
call() {
    local status=$1 got
    shift
    "$program" "$@" >"$work/text" 2>&1 <"${input-/dev/null}"
    got=$?
    result "$* exits $status" "$([ $got -eq "$status" ] && echo yes)" "exit $got: $(cat "$work/text")"
}
# prints REGEX...: the last call did.
prints() {
    local regex
    for regex in "$@"; do
        result "it prints $regex" "$(grep -Eq -- "$regex" "$work/text" && echo yes)" "$(cat "$work/text")"
    done
}
id_of() {
    "$program" findings --json | jq -r '.rows[] | select(.kind == "'"$1"'") | .id' | head -n 1
}
export STUTTERSCOPE_USER=hana

# ---- filed, gone, back ----
fresh
night 1.0 2025-11-01 "Pixel 8" 3 20 20
night 1.1 2025-11-02 "Pixel 8" 3 80 80
call 1 gate --today 2025-11-03
figures "--build 1.1" findings "new" '.rows | map([.kind, .verdict, .state, .before, .after])' '[["hitch","new","undecided",20,80]]' .to_decide 1 .to_verify 0
call 2 triage nonsense filed
call 2 triage "$(id_of hitch)" nonsense
prints 'undecided, investigating, filed'
call 0 triage "$(id_of hitch)" filed --ticket MG-1211 --owner minho --note "boss assets"
prints 'filed MG-1211' 'boss_spawn · Battle_03 · Pixel 8'
"$program" ticket "$(id_of hitch)" --payload >"$work/payload.json"
figures "--build 1.1" findings "filed" .to_decide 0 '.rows[0] | [.state, .ticket, .owner, .note]' '["filed","MG-1211","minho","boss assets"]'
figures "--build 1.1 --state filed" stutters "filed" '.rows | map([.event, .state, .owner, .ticket])' '[["boss_spawn","filed","minho","MG-1211"]]'
figures "--build 1.1 --state undecided" stutters "filed" '.rows | length' 0
figures "--build 1.1" heatmap "filed" '.rows | map(.mark)' '["#"]'
call 1 gate --today 2025-11-03

night 1.2 2025-11-03 "Pixel 8" 3 20 20
figures "--build 1.2" findings "gone" .to_decide 0 .to_verify 1 '.verify[0] | [.verdict, .seen, .ticket, .then_peak_ms, .luck, .needed]' '["gone",6,"MG-1211",80,0,0]'
figures "--build 1.2" status "gone" .to_verify 1 '.gone | map([.event, .ticket])' '[["boss_spawn","MG-1211"]]' .counts.gone 1 .result '"clean"'
call 0 verify "$work/payload.json" --build 1.2
prints 'result gone'
call 0 verify MG-1211 --build 1.2
call 0 verify MG-1211 --build 1.2 --template plain-en
prints 'Result: gone' 'boss_spawn'
# A text that has room for one of three stutters: what it does not carry cannot be gone.
jq '.stutter_count = 3' "$work/payload.json" >"$work/part.json"
call 3 verify "$work/part.json" --build 1.2
prints 'result not enough' '2 more stutters: the text of the ticket has no room for them' ' gone'
"$program" verify "$work/part.json" --build 1.2 --json >"$work/text"
result "what is left out is told" "$(jq -r 'if [.result, .left_out, (.rows | map(.result))] == ["not enough", 2, ["gone", "not enough"]] then "yes" else "no" end' "$work/text")" "$(cat "$work/text")"
call 3 verify "$work/part.json" --build 1.2 --template github-en
prints 'Not compared: 2 more of the ticket' 'Result: not enough'
call 2 verify "$work/part.json" --build 1.1
prints 'about build 1.1; 1.1 is the same build'
call 2 verify MG-1211 --build 1.0 --template plain-en
prints 'about build 1.1; 1.0 is older'
input=$work/payload.json call 0 verify - --build 1.2
call 2 verify MG-0000 --build 1.2
prints 'neither a file nor a filed ticket "MG-0000"'
jq '.stutters[0].build = "0.9"' "$work/payload.json" >"$work/strange.json"
call 1 verify "$work/strange.json" --build 1.1

night 1.3 2025-11-04 "Pixel 8" 3 81 81
figures "--build 1.3" findings "back" .to_decide 1 .to_verify 0 '.rows[0] | [.verdict, .state, .reopened_from, .ticket]' '["back","undecided","filed","MG-1211"]' \
    '.rows[0].reason | test("gone in 1.2")' true
call 1 gate --build 1.3 --today 2025-11-05
prints 'REGRESSION: 1' 'back'
call 1 verify "$work/payload.json" --build 1.3
call 0 triage "$(id_of hitch)" investigating
call 0 triage --log
prints 'state +- +filed +boss_spawn' 'state +filed +investigating +boss_spawn'
call 0 triage --summary
prints '0 to decide' 'investigating MG-1211: boss_spawn · Battle_03 · Pixel 8'
call 0 triage --undo
figures "--build 1.3" findings "undone" .to_decide 1 '.rows[0].state' '"undecided"'
call 0 triage --redo
figures "--build 1.3" findings "again" .to_decide 0 '.rows[0].state' '"investigating"'
STUTTERSCOPE_USER=minho call 2 triage --undo
prints 'minho has decided nothing'

# The decisions survive importing the same night again, and losing everything that is derived.
night 1.3 2025-11-04 "Pixel 8" 3 81 81
call 0 check --repair
figures "--build 1.3" findings "imported again" '.rows[0].state' '"investigating"'
call 0 triage --rename Battle_03=Colosseum --scene
call 2 triage --rename Battle_03=Colosseum
call 2 triage --rename Colosseum=Battle_03 --scene

# ---- the event too rarely seen: 2 hits in 12 spawns of a run, then 5 spawns without ----
fresh
night 1.0 2025-11-01 "Pixel 8" 4 20 20 20
night 1.1 2025-11-02 "Pixel 8" 4 80 20 20
"$program" ticket "$("$program" stutters --json | jq -r '.rows[0].id')" --payload >"$work/rare.json"
night 1.2 2025-11-03 "Pixel 8" 2 20
call 3 verify "$work/rare.json" --build 1.2
# hit rate 4 of 12; (2/3)^2 = 44 %; 8 are needed for (2/3)^8 = 3.9 %
prints 'not enough' 'needs 6 more'
"$program" verify "$work/rare.json" --build 1.2 --json >"$work/text"
result "luck is (2/3)^2" "$(jq '.rows[0] | (.luck_percent - 400 / 9 | fabs) < 0.001 and .seen == 2 and .needed == 6' "$work/text" | sed 's/true/yes/')" "$(cat "$work/text")"
{ echo "# Ticket"; echo '```json'; cat "$work/rare.json"; echo '```'; } >"$work/ticket.md"
call 3 verify "$work/ticket.md" --build 1.2
echo "no payload {here}" >"$work/ticket.md"
call 2 verify "$work/ticket.md" --build 1.2
night 1.3 2025-11-04 "Pixel 8" 3 20 20 20
call 0 verify "$work/rare.json" --build 1.3

# ---- a device that does not report: on the first, the second and the twelfth night ----
fresh
for n in 1 2 3; do
    night 1.$n 2025-11-0$n "Pixel 8" 3 20
    night 1.$n 2025-11-0$n "Pixel 6a" 3 20
done
call 0 gate --build 1.3 --today 2025-11-04
silent() { # BUILD NIGHTS
    figures "--build $1" coverage "night $2" '.rows | map(select(.device == "Pixel 6a") | [.state, .since])' '[["missing","1.4"],["missing","1.4"]]' \
        .runs 3 .expected_runs 6
    figures "--build $1" heatmap "night $2" '.rows | map(select(.device == "Pixel 6a") | [.state, .value])' '[["missing",null]]'
    figures "--build $1" status "night $2" '.missing | map([.device, .since, .last, .cells])' '[["Pixel 6a","1.4","1.3",1]]' .result '"incomplete"' \
        .to_decide 1 .uploads 1 .expected_uploads 2 .runs 3 .expected_runs 6
    figures "--build $1" findings "night $2" '.rows | map([.kind, .device, .verdict])' '[["silent","Pixel 6a","missing"]]'
    call 3 gate --build "$1"
    prints 'INCOMPLETE' 'Pixel 6a.*from 1.4 on'
    call 0 heatmap --build "$1"
    prints 'Pixel 6a .*missing'
    call 0 coverage --build "$1"
    prints 'Pixel 6a .*missing.*1\.4'
    call 0 status --build "$1"
    prints 'Pixel 6a'
}
night 1.4 2025-11-04 "Pixel 8" 3 20
silent 1.4 1
call 0 triage "$(id_of silent)" environment --note "hub C"
night 1.5 2025-11-05 "Pixel 8" 3 20
for n in 6 7 8 9 10 11 12 13 14 15; do night 1.$n "2025-11-$(printf %02d "$n")" "Pixel 8" 3 20; done
figures "--build 1.5" findings "decided" .to_decide 0 '.rows[0] | [.state, .note]' '["environment","hub C"]'
call 3 gate --build 1.5
call 0 triage --undo
silent 1.5 2
silent 1.15 12
series=fix night 1.15 2025-11-16 "Pixel 6a" 3 20
silent 1.15 "12 with a run of another series,"
call 0 coverage --skip "Pixel 6a" --build 1.15 --note "busy"
call 0 gate --build 1.15
night 1.16 2025-11-17 "Pixel 8" 3 20
call 3 gate --build 1.16
call 0 coverage --retire "Pixel 6a"
call 0 gate --build 1.16
figures "--build 1.16" status "retired" '.missing' '[]' .to_decide 0
figures "--build 1.16 --today 2025-11-20" coverage "nights" '.nights_without_upload' '["2025-11-16","2025-11-18","2025-11-19"]'
figures "--build 1.16 --today 2025-11-20 --series fix" coverage "nights of another series" '.nights_without_upload' '["2025-11-17","2025-11-18","2025-11-19"]'
call 0 coverage --today 2025-11-20
prints 'nights without upload 3: 2025-11-16, 2025-11-18 to 2025-11-19'

# ---- fewer runs than usual: said, and incomplete only strictly ----
night 1.17 2025-11-18 "Pixel 8" 1 20
figures "" findings "partial" '.rows | map([.kind, .before, .after])' '[["partial",3,1]]'
call 0 gate
prints 'partial .*1 of 3 runs'
call 3 gate --strict

# ---- links ----
printf 'build,commit,ci_run,built_at\n1.16,aaa111,7001,2025-11-17T01:00:00Z\n1.17,bbb222,7002,2025-11-18T01:00:00Z\n' >"$work/builds.csv"
call 0 builds --load "$work/builds.csv" --link 'compare=https://git.example/compare/{from}...{to}' --link 'ci=https://ci.example/{ci_run}'
prints 'bbb222 +7002 +2025-11-18T01:00:00Z'
figures "--build 1.17" status "links" '.links | [.commits, .ci_run]' '["https://git.example/compare/aaa111...bbb222","https://ci.example/7002"]'
call 2 builds --link 'ci=https://ci.example/'
