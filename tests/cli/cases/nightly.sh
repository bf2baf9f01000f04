# What a night brings beside full logs of frames: allocations, memory by scene, spikes only, stalls by snapshots, heat.

# 40 frames of 16 ms; 21 of them say what they allocated, 25 000 bytes in all (twice that in b2). A snapshot stalls the
# game with two more frames, of which the second only follows it.
awk 'BEGIN {
    print "build_id,device_model,run_id,scene,timestamp_ms,frame_time_ms,gc_alloc_bytes,event_name,screenshot"
    for (b = 1; b <= 2; b++) {
        at = 0
        for (i = 0; i < 40; i++) {
            at += 16
            printf "b%d,Pixel 8,r1,Lobby,%d,16,%s,,\n", b, at, i < 20 ? 1000 * b : i == 20 ? 5000 * b : ""
        }
        at += 400; printf "b%d,Pixel 8,r1,Lobby,%d,400,9000000,memory_snapshot,\n", b, at
        at += 120; printf "b%d,Pixel 8,r1,Lobby,%d,120,8000000,,\n", b, at
        for (i = 0; i < 40; i++) { at += 16; printf "b%d,Pixel 8,r1,Lobby,%d,16,,,\n", b, at }
        at += 90; printf "b%d,Pixel 8,r1,Lobby,%d,90,,shop_open,shots/shop.png\n", b, at
        for (i = 0; i < 10; i++) { at += 16; printf "b%d,Pixel 8,r1,Lobby,%d,16,,,\n", b, at }
    }
}' >"$work/frames.csv"
cat >"$work/snapshots.csv" <<'EOF'
build_id,device_model,run_id,scene,category,bytes,snapshot.profiler
b1,Pixel 8,m1,Lobby,Textures,100000000,
b1,Pixel 8,m1,Lobby,Meshes,40000000,
b2,Pixel 8,m1,Lobby,Textures,130000000,
b2,Pixel 8,m1,Lobby,Meshes,41000000,
b2,Pixel 8,m1,Lobby,Textures,900000000,Memory Profiler
b1,Pixel 8,m1,Cave,Total memory,70000000,
b1,Pixel 8,m1,Cave,Textures,20000000,
b2,Pixel 8,m1,Cave,Total memory,60000000,
b2,Pixel 8,m1,Cave,Textures,25000000,
EOF
fresh
take "$work/frames.csv"
take "$work/snapshots.csv"

# 50 000 / 21 against 25 000 / 21.
row "heatmap --metric gc" "allocations of gameplay frames" '.scene == "Lobby"' 'metric="gc"' value=2380.952381 delta=1190.47619
row "heatmap --metric memory" "the sum of the categories, without what a profiler saw" '.scene == "Lobby"' value=171000000 delta=31000000
row "heatmap --metric memory" "a total is the total" '.scene == "Cave"' value=60000000 delta=-10000000

# The 400 and the 120 ms behind it are interference; the shop opening is none.
figures "--build b2" windows "a stall by a snapshot is interference" '.rows | map([.label, .event, .peak_frame_ms])' \
    '[["interference","memory_snapshot",400],["gameplay","shop_open",90]]'
row stats "and in no distribution" '.build == "b2"' frames=91 max_ms=90 labelled.interference.frames=2 labelled.interference.ms=520

# Spikes only: over 300 ms, or 2 MB or more of allocations; nobody declared it.
cat >"$work/spikes.csv" <<'EOF'
build_id,device_model,run_id,scene,timestamp_ms,frame_time_ms,gc_alloc_bytes,event_name
b1,Pixel 8,r1,Raid,1200,412.5,100,
b1,Pixel 8,r1,Raid,5300,305,0,boss_spawn
b1,Pixel 8,r1,Raid,9100,40,2600000,gacha
b1,Pixel 8,r1,Raid,14000,16,2000000,
EOF
fresh
take "$work/spikes.csv"
says "spikes" "only over 300 ms"
says "spikes" "no percentiles"
row stats "spikes have no distribution" 'true' frames=0 median_ms=null p99_ms=null windows=3 'flags=["spikes only"]'
figures "" windows "and have windows" '.rows | map(.peak_frame_ms)' '[412.5,305,40]'
figures "--build b1" coverage "and are counted" '.rows | map(select(.scene == null)) | .[0].spike_only_runs' 1
# One ordinary frame among them: a log with holes, whose first three frames are its start-up.
{ cat "$work/spikes.csv"; echo "b1,Pixel 8,r1,Raid,20000,16.7,10,"; } >"$work/ordinary.csv"
fresh
take "$work/ordinary.csv"
row stats "one ordinary frame makes it a log" 'true' frames=2 max_ms=16.7 max_ms=16.7
# All of them there, one after the other: a bad run, no capture of spikes.
cat >"$work/slow.csv" <<'EOF'
build_id,device_model,run_id,scene,timestamp_ms,frame_time_ms
b1,Pixel 8,r1,Raid,400,400
b1,Pixel 8,r1,Raid,800,400
b1,Pixel 8,r1,Raid,1200,400
b1,Pixel 8,r1,Raid,1600,400
EOF
fresh
take "$work/slow.csv"
row runs "slow frames without holes are a run" 'true' 'sampling="full"'

# Four quarters of 90 frames, each with a majority of its own; the state holds until another one is said.
awk 'BEGIN {
    print "build_id,device_model,run_id,scene,timestamp_ms,frame_time_ms,thermal_state"
    split("100 120 80 60", count); split("12 10 15 20", ms)
    for (q = 1; q <= 4; q++)
        for (i = 1; i <= count[q]; i++) {
            at += ms[q]
            printf "b1,Pixel 8,r1,Raid,%d,%d,%s\n", at, ms[q], q == 1 && i == 1 ? "nominal" : q == 4 && i == 60 ? "serious" : ""
        }
}' >"$work/heat.csv"
fresh
take "$work/heat.csv"
row runs "heat by quarter" 'true' 'quarter_median_ms=[12,10,15,20]' 'quarter_thermal_state=["nominal","nominal","nominal","serious"]'
"$program" runs >"$work/report" 2>&1
says "heat in words" "12 10 15 20 nominal > serious"
"$program" runs --csv >"$work/report" 2>&1
says "heat in CSV" '"?\[12,10,15,20\]"?'
# What the import said stays to be seen.
printf 'timestamp_ms,frame_time_ms,mood\n16,16,a\n32,-,b\n48,16,c\n' >"$work/said.csv"
fresh
take "$work/said.csv" --build b1 --device P --scene S
says "one new run" "2 frames in 1 run, 2 frames new"
figures "" coverage "the import report" '.imports[0].report | .frames, .rejected_rows' '2' '.imports[0].report.left_out' '["mood"]' \
    '.imports[0].report.rejected | keys | length' 1
"$program" coverage >"$work/report" 2>&1
says "remarks of the import" "1 file: left out: 1 "
says "remarks of the import" "1 file: unknown columns left out: mood"
no_nan "nightly"
