# The kinds of faults behind the reference cases, with inputs of our own: missing data, budgets, chips, drift and order,
# heat, counts, empty cells; and how baselines, odd runs, history and policy decide.

# frames BUILD DEVICE SCENE RUN COUNT MS [COLUMN=VALUE...]: CSV of one run; every 50th frame is 4 ms longer.
frames() {
    awk -v build="$1" -v device="$2" -v scene="$3" -v run="$4" -v count="$5" -v ms="$6" -v extra="${*:7}" 'BEGIN {
        header = "timestamp_ms,frame_time_ms,build_id,device_model,scene,quality_level,run_id"; row = ""
        fields = split(extra, pairs, " ")
        for (f = 1; f <= fields; f++) { split(pairs[f], pair, "="); header = header "," pair[1]; row = row "," pair[2] }
        print header
        for (i = 1; i <= count; i++) {
            time = ms + (i % 3) / 10 + (i % 50 == 0) * 4; stamp += time
            printf "%.1f,%.1f,%s,%s,%s,High,%s%s\n", stamp, time, build, device, scene, run, row
        }
    }' >"$work/run.csv"
    take "$work/run.csv" || result "$1 $2 $3 $4 is imported" no "$(cat "$work/report")"
}
# call STATUS ARGUMENT...: what it prints is in $work/text.
call() {
    local status=$1 got
    shift
    "$program" "$@" >"$work/text" 2>&1 </dev/null
    got=$?
    result "$* exits $status" "$([ $got -eq "$status" ] && echo yes)" "exit $got: $(cat "$work/text")"
}
prints() {
    local regex
    for regex in "$@"; do
        result "it prints $regex" "$(grep -Eq -- "$regex" "$work/text" && echo yes)" "$(cat "$work/text")"
    done
}
p95() { # BUILD EXPRESSION EXPECTED [OPTIONS]
    figures "--build $1 ${4-}" compare "$1" ".rows | map(select(.figure == \"p95_ms\")) | $2" "$3"
}
export STUTTERSCOPE_USER=hana

# ---- missing: a device that sent nothing, a scene that is gone, a new one ----
fresh
for device in A B; do for scene in Forest Cave; do for run in 1 2; do frames 1.0 $device $scene $device-$run 200 16; done; done; done
for scene in Forest Sky; do for run in 1 2; do frames 1.1 A $scene A1-$run 200 16; done; done
call 3 gate --build 1.1
prints INCOMPLETE 'compared 1 .*missing 3 .*new 1'
figures "--build 1.1" compare "missing cells" '.rows | map(select(.verdict == "missing") | [.device, .scene]) | sort' '[["A","Cave"],["B","Cave"],["B","Forest"]]'
figures "--build 1.1" heatmap "empty is null" '.rows | map(select(.scene == "Cave") | [.value, .p95_ms]) | unique' '[[null,null]]'
call 0 heatmap --build 1.1 --csv
prints '^B,,Forest,,severity,,missing,,,,,,'

# ---- budget: 90 Hz falls to 60 Hz within a run; 24 frames a second are a cap ----
fresh
# One frame of 25 ms in each part: over two budgets of 11.1 ms, and within two of 16.7 ms.
awk -v OFS=, 'BEGIN {
    print "timestamp_ms,frame_time_ms,build_id,device_model,scene,quality_level,run_id,refresh_hz"
    for (i = 1; i <= 1200; i++) {
        hz = i <= 900 ? 90 : 60
        time = i == 450 || i == 1050 ? 25 : (hz == 90 ? 11 : 16.6) + i % 3 / 10
        stamp += time
        print sprintf("%.1f", stamp), sprintf("%.1f", time), "1.0", "Phone", "Lake", "High", "r", hz
    }
}' >"$work/both.csv"
take "$work/both.csv" || result "90 to 60 Hz is imported" no "$(cat "$work/report")"
figures "" windows "90 to 60 Hz" '.rows | map([.peak_frame_ms, .start_ms < 9000, .threshold_ms])' '[[25,true,22.222222]]'
group "90 to 60 Hz" true frames=1200 over_budget_frames=1
fresh
frames 1.0 Film Lake r 300 41.6 refresh_hz=24
group "24 Hz" true over_budget_frames=0 windows=0
fresh
frames 1.0 Phone Lake a 300 16 refresh_hz=60
frames 1.1 Phone Lake b 300 8 refresh_hz=120
p95 1.1 'map(.verdict) | unique' '["none"]'
p95 1.1 '.[0].reason | test("refresh rate")' true

# ---- two chips, no model code: the mix changes, nothing else ----
fresh
for n in 1 2 3; do frames 1.0 Tab Hill s$n 100 12 soc=X1; done; frames 1.0 Tab Hill t1 100 30 soc=Y2
for n in 1 2 3; do frames 1.1 Tab Hill v$n 100 30 soc=Y2; done; frames 1.1 Tab Hill u1 100 12 soc=X1
figures "--build 1.1" heatmap "two chips" '.rows | map(.chip) | sort' '["X1","Y2"]'
figures "--build 1.1" compare "two chips" '.rows | map(.verdict) | unique' '["same"]'

# ---- drift: 3 % a night, names that sort wrongly as text; baselines are moved by people only ----
fresh
for n in 8 9 10 11 12 13; do frames "v$n" D S "r$n" 200 "$(awk "BEGIN { printf \"%.2f\", 20 * 1.03 ^ ($n - 8) }")"; done
figures "" builds "order" '.rows | sort_by(.order) | map(.build)' '["v8","v9","v10","v11","v12","v13"]'
p95 v13 '.[0] | [.baseline_build, .verdict]' '["v12","same"]'
call 0 builds --baseline v8
for n in 9:same 10:same 11:same 12:worse 13:worse; do p95 "v${n%:*}" '.[0] | [.baseline_build, .verdict]' "[\"v8\",\"${n#*:}\"]"; done
frames v14 D S r14 200 24
p95 v14 '.[0].baseline_build' '"v8"'
# A cell may have its own; a bad build is none; the same build is compared with what was before.
call 0 builds --baseline v12 --device D --scene S
p95 v14 '.[0].baseline_build' '"v12"'
call 2 builds --baseline v12 --device D
prints 'both --device and --scene'
call 0 builds --baseline none --device D --scene S
call 0 builds --baseline none
call 0 builds --bad v13
p95 v14 '.[0].baseline_build' '"v12"'
call 0 triage --log
prints 'hana +baseline +- +v8 +whole store' 'hana +baseline +- +v12 +D · S' 'hana +baseline +v12 +- +D · S'
p95 v8 '.[0] | [.baseline_build, .verdict, .before]' '[null,"none",null]'
p95 v8 '.[0].reason' '"no earlier build has runs here"'

# ---- a step that the baseline has already ----
fresh
for b in 1 2 3; do for r in 1 2 3; do frames 1.$b D S $b-$r 200 16; done; done
for b in 4 5; do for r in 1 2 3; do frames 1.$b D S $b-$r 200 24; done; done
p95 1.4 '.[0].verdict' '"worse"'
p95 1.4 '.[0].reason | test("3 of 3 runs above all 9 earlier")' true
p95 1.5 '.[0].verdict' '"same"'
p95 1.5 '.[0].reason | test("older than the baseline: 16.2 before 1.4")' true
p95 1.5 '.[0].verdict' '"worse"' "--baseline 1.3"

# ---- one odd run of five is named and decides nothing; four of five do ----
fresh
for b in 1 2; do for r in 1 2 3 4 5; do frames 1.$b D S $b-$r 200 16; done; done
for r in 1 2 3 4; do frames 1.3 D S 3-$r 200 16; done; frames 1.3 D S 3-odd 200 40
p95 1.3 '.[0].verdict' '"same"'
figures "--build 1.3" findings "one odd run" '.rows | length' 0
figures "--build 1.3 --device D --scene S --figure p95" trend "the odd run" '.rows | map(.odd_runs | select(length > 0))' '[["3-odd"]]'
for r in 1 2 3 4; do frames 1.4 D S 4-$r 200 40; done; frames 1.4 D S 4-odd 200 16
p95 1.4 '.[0].verdict' '"worse"'
p95 1.4 '.[0].reason | test("4 of 5 runs above")' false
p95 1.4 '.[0] | [.before, .after]' '[16.2,40.2]'

# ---- heat: half a run slower is no stutter, and a hot start says nothing about the build ----
fresh
frames 1.0 D S cold 400 14 thermal_state=nominal
frames 1.1 D S hot 400 21 thermal_state=critical
p95 1.1 '.[0].verdict' '"none"'
p95 1.1 '.[0].reason | test("thermal")' true
fresh
awk 'BEGIN { print "timestamp_ms,frame_time_ms,build_id,device_model,scene,run_id"; for (i = 1; i <= 800; i++) { t = 15 + i / 100; s += t; printf "%.2f,%.2f,1.0,D,S,r\n", s, t } }' >"$work/climb.csv"
take "$work/climb.csv"
# Rising from 15.01 to 23 ms within the run: the quarters rise with it.
figures "--build 1.0" runs "a climb" '.rows[0].quarter_median_ms | . == sort and .[0] > 15 and .[3] < 23 and .[3] / .[0] > 1.3' true '.rows[0].windows' 0

# ---- counts: three times the frames, the same share of slow ones ----
fresh
frames 1.0 D S short 300 16
frames 1.1 D S long 900 16
figures "--build 1.1" compare "longer runs" '.rows | map(.verdict) | unique' '["same"]'

# ---- policy: a low-end device is a finding when it breaks its tier's limits or gets worse, not for being slow ----
fresh
printf 'device_model,name,tier,target_fps,weight\nOld,Old Phone,low,30,0.2\nNew,New Phone,high,60,1\n' >"$work/devices.csv"
call 0 devices --load "$work/devices.csv"
for b in 0 1; do for r in 1 2 3; do frames 1.$b Old S o$b$r 200 38; frames 1.$b New S n$b$r 200 16; done; done
call 0 gate --build 1.1
row stats "its own budget: 38 ms are late at 30 FPS and not over" '.build == "1.1" and .device == "Old"' over_budget_frames=0 late_frames=600
call 0 devices --policy low:p95_ms=50 --policy high:p95_ms=15
figures "--build 1.1" findings "the high tier's limit" '.rows | map([.kind, .device, .figure, .before, .after])' '[["slow","New","p95_ms",15,16.2]]'
call 1 gate --build 1.1
call 0 devices --policy high:p95_ms=
call 0 gate --build 1.1
call 0 devices --policy low:p95_ms=38
figures "--build 1.1" findings "the low tier's limit" '.rows | map([.kind, .device, (.reason | test("over the limit 38.0 of tier low"))])' '[["slow","Old",true]]'
call 2 devices --policy low:median=3
call 0 devices --policy low:p95_ms=
for r in 1 2 3; do frames 1.2 Old S o2$r 200 48; frames 1.2 New S n2$r 200 16; done
figures "--build 1.2" findings "worse than its baseline" '.rows | map([.kind, .device, .verdict])' '[["drift","Old","worse"]]'
