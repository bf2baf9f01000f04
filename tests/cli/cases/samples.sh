# Values beside frames and memory snapshots: import, once each, comparison by build, like with like.
cat >"$work/samples.csv" <<'EOF'
build_id,device_model,run_id,scene,timestamp_ms,sample_name,unit,value
b1,Pixel 8,r1,Lobby,1000,start_up,ms,900
b1,Pixel 8,r1,Lobby,2000,start_up,ms,1100
b1,Pixel 8,r2,Lobby,1000,start_up,ms,1200
b1,Pixel 8,r3,Lobby,1000,start_up,ms,4000
b1,Pixel 8,r1,,,install_size,MB,100
b1,Pixel 8,r1,,,broken,MB,n/a
b2,Pixel 8,r1,Lobby,1000,start_up,ms,1500
b2,Pixel 8,r1,,,install_size,MB,90
b2,Pixel 8,r1,Lobby,1000,start_up,s,1.5
EOF
cat >"$work/mixed.ndjson" <<'EOF'
{"build_id":"b2","device_model":"Pixel 8","run_id":"r1","scene":"Lobby","timestamp_ms":16,"frame_time_ms":16}
{"build_id":"b2","device_model":"Pixel 8","run_id":"r1","scene":"Lobby","timestamp_ms":20,"sample_name":"memory","unit":"MB","value":512.5}
{"build_id":"b2","device_model":"Pixel 8","run_id":"r1","scene":"Lobby","timestamp_ms":33,"frame_time_ms":17}
EOF
cat >"$work/snapshots.csv" <<'EOF'
build_id,device_model,run_id,scene,category,bytes,snapshot.profiler
b1,Pixel 8,r1,Lobby,Textures,100000000,
b1,Pixel 8,r1,Lobby,Textures,150000000,Memory Profiler
b1,Pixel 8,r1,Cave,Textures,70000000,
b2,Pixel 8,r1,Lobby,Textures,110000000,
b2,Pixel 8,r1,Cave,Textures,-5,
EOF
fresh
take "$work/samples.csv"
says "samples" "8 samples in 4 runs, no frames"
says "samples" "no stutter windows"
take "$work/mixed.ndjson"
take "$work/snapshots.csv"
says "snapshots" "negative"
before=$("$program" sql --csv 'SELECT (SELECT count(*) FROM sample), (SELECT count(*) FROM snapshot)' | tail -n 1)
result "all stored once" "$([ "$before" = 9,4 ] && echo yes)" "$before"
take "$work/samples.csv"
says "again" "already imported"
sed 's/$/ /' "$work/mixed.ndjson" | grep sample_name >"$work/again.ndjson"
take "$work/again.ndjson"
result "in another file: once too" "$([ "$("$program" sql --csv 'SELECT count(*) FROM sample' | tail -n 1)" = 9 ] && echo yes)" "$(cat "$work/report")"

# The median over runs of the run's median: 1000, 1200, 4000.
row samples "before" '.build == "b1" and .name == "start_up"' runs=3 values=4 median=1200 min=900 max=4000 delta=null baseline_build=null
row samples "after" '.build == "b2" and .name == "start_up" and .unit == "ms"' median=1500 'baseline_build="b1"' baseline_median=1200 delta=300 \
    delta_percent=25
row samples "of the run as a whole" '.build == "b2" and .name == "install_size"' scene=null delta=-10 delta_percent=-10
row samples "another unit is another value" '.unit == "s"' median=1.5 delta=null
figures "--name mem*" samples "by name" '.rows | map(.name)' '["memory"]'
row snapshots "like with like" '.build == "b2" and .scene == "Lobby"' median_bytes=110000000 baseline_bytes=100000000 delta_bytes=10000000 \
    delta_percent=10 profiler=null
row snapshots "a profiler ran" '.profiler != null' 'build="b1"' delta_bytes=null
figures "" stats "frames are only frames" '.rows | map(.frames)' '[2]'
figures "--build b1" coverage "runs of samples count" '.rows | map(select(.scene == null)) | .[0].runs' 3
"$program" check >"$work/report" 2>&1
result "the store is sound" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/report")"
no_nan "samples"

# Nothing but snapshots: the newest build is the newest with runs.
fresh
take "$work/snapshots.csv"
"$program" snapshots >"$work/report" 2>&1
says "no frames at all: snapshots" "^build b2$"
"$program" view memory >"$work/report" 2>&1
says "no frames at all: the screen Memory" "grew \\+10 MB"
