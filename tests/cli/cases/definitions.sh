# The examples that stand in the definitions.

# Four frames, two windows.
{
    echo timestamp_ms,frame_time_ms,build_id,device_model,scene,target_fps
    for frame in 0,17 100,40 300,55 900,50; do echo "$frame,b1,Pixel 8,Forest,60"; done
} >"$work/four_frames.csv"
takes "$work/four_frames.csv"
figures "--rule budget" windows "four frames" '.rows | sort_by(.start_ms) | map([.start_ms, .end_ms, .peak_frame_ms, .over_budget_frames])' \
    '[[60,300,55,2],[850,900,50,1]]'

# A hitch in four of five runs that the build before did not have: play RUN BUILD PEAK CPU GPU.
play() {
    awk -v run="$1" -v build="$2" -v peak="$3" -v cpu="$4" -v gpu="$5" 'BEGIN {
        for (i = 1; i <= 300; i++) {
            time = i % 2 ? 16.6 : 16.7; c = 9.5; g = 11; event = ""
            if (i == 150) { time = peak; c = cpu; g = gpu; event = "boss_spawn" }
            stamp += time
            printf "%.1f,%.1f,%.1f,%.1f,%s,%s,SM-S918N,Battle_03,High,%s\n", stamp, time, c, g, event, build, run
        }
    }'
}
{
    echo timestamp_ms,frame_time_ms,cpu_frame_ms,gpu_frame_ms,event_name,build_id,device_model,scene,quality_level,run_id
    play 1 "1.7.9(418)" 24.1 12 14; play 2 "1.7.9(418)" 31.6 12 14; play 3 "1.7.9(418)" 18.9 12 14
    play 1 "1.8.0(421)" 92.4 76.2 14.8; play 2 "1.8.0(421)" 71.0 58.1 14.1; play 3 "1.8.0(421)" 29.3 20 14
    play 4 "1.8.0(421)" 88.2 70.9 15.2; play 5 "1.8.0(421)" 64.9 51.3 13.7
} >"$work/worked_example.csv"
takes "$work/worked_example.csv"
printf 'device_model,name,tier,target_fps,weight\nSM-S918N,Galaxy S23 Ultra,high,60,1.4\n' >"$work/devices.csv"
"$program" devices --load "$work/devices.csv" >"$work/report" 2>&1
result "devices are loaded" "$([ $? -eq 0 ] && echo yes)" "$(cat "$work/report")"
row_options="--build 1.8.0(421) --baseline 1.7.9(418)"
row stutters "worked example" '.event == "boss_spawn" and .label == "gameplay"' 'device="SM-S918N"' 'scene="Battle_03"' \
    'quality="High"' peak_frame_ms=92.4 runs_hit=4 runs=5 occurrence=0.8 weight=1.4 severity=103.488 'verdict="new"' \
    'baseline_build="1.7.9(418)"' baseline_peak_ms=31.6 delta_peak_ms=60.8 seen=5 'causes|tostring|test("CPU-bound")=true'
figures "--build 1.8.0(421)" windows "worked example" 'gameplay | map(.peak_frame_ms)|sort' '[64.9,71,88.2,92.4]' \
    'gameplay | map(select(.peak_frame_ms == 92.4)) | .[0].cpu_frame_ms_peak' 76.2 \
    'gameplay | map(select(.peak_frame_ms == 92.4)) | .[0].gpu_frame_ms_peak' 14.8

row_options=

# Where stamps fall: stamps FROM-FRAME SHIFT-MS writes 100 frames of 16.6 and 16.7 ms; from that frame on the clock is
# shifted, or starts again (SHIFT "again").
stamps() {
    awk -v from="$1" -v shift_ms="$2" -v begin="$3" 'BEGIN {
        print "timestamp_ms,frame_time_ms,build_id,device_model,scene"
        stamp = begin
        for (i = 1; i <= 100; i++) {
            time = i % 2 ? 16.6 : 16.7
            if (i == from) stamp = shift_ms == "again" ? 0 : stamp + shift_ms
            stamp += time
            printf "%.1f,%.1f,b1,Pixel 8,Forest\n", stamp, time
        }
    }' >"$work/$4.csv"
}
stamps 90 -300 0 step
takes "$work/step.csv"
says "clock step" "clock step"
figures "" runs "clock step" '.rows | map([.frames, .clock_steps, .gaps])' '[[100,1,0]]'
stamps 40 again 0 restart
takes "$work/restart.csv"
figures "" runs "restart" '.rows | map(.frames) | sort' '[39,61]'
stamps 40 -4294967296 4294966900 wrap
takes "$work/wrap.csv"
figures "" runs "wrapped counter" '.rows | map([.frames, .clock_steps, .gaps])' '[[100,0,0]]'
stamps 40 700 0 hole
takes "$work/hole.csv"
figures "" runs "hole" '.rows | map([.frames, .gaps, .gap_ms])' '[[100,1,700]]'
stamps 40 490 0 small_hole
takes "$work/small_hole.csv"
figures "" runs "hole of 490 ms" '.rows | map([.frames, .gaps])' '[[100,0]]'

# Holes before more than half of the frames, each longer than half of the frame: the log is sampled. every N.
every() {
    awk -v n="$1" 'BEGIN {
        print "timestamp_ms,frame_time_ms,build_id,device_model,scene,sample_every,kept_over_ms"
        for (i = 1; i <= 300; i++) {
            time = i == 150 ? 90 : 16
            stamp += time
            if (i % n == 0 || time > 30)
                printf "%d,%d,b1,Pixel 8,Forest,%s\n", stamp, time, "'"$2"'"
        }
    }' >"$work/every.csv"
}
every 5 ","
takes "$work/every.csv"
group "undeclared sampling" true frames=60 windows=null 'flags|index("sampled")|type="number"'
every 5 "5,30"
takes "$work/every.csv"
group "declared sampling" true frames=296 frames_kept=60 duration_ms=4810 p99_ms=16 max_ms=90 windows=1

# A change of quality is a change of group and of visit.
awk 'BEGIN {
    print "timestamp_ms,frame_time_ms,build_id,device_model,scene,quality_level"
    for (i = 1; i <= 100; i++)
        printf "%d,%d,b1,Pixel 8,Forest,%s\n", stamp += (i > 58 && i < 63 ? 50 : 16), (i > 58 && i < 63 ? 50 : 16), i <= 60 ? "Low" : "High"
}' >"$work/quality.csv"
takes "$work/quality.csv"
figures "" stats "quality" '.rows | map([.quality, .frames]) | sort' '[["High",40],["Low",60]]'
figures "" windows "quality" '.rows | map([.quality, .over_budget_frames]) | sort' '[["High",2],["Low",2]]'

# Over is strictly greater: at 50 FPS the threshold is 40 ms.  Late is over 1.05 times the budget.
awk 'BEGIN {
    print "timestamp_ms,frame_time_ms,build_id,device_model,scene,target_fps"
    for (i = 1; i <= 60; i++) {
        time = i == 20 ? 40 : i == 40 ? 40.001 : i == 50 ? 21 : 20
        printf "%.3f,%s,b1,Pixel 8,Forest,50\n", stamp += time, time
    }
}' >"$work/equal.csv"
takes "$work/equal.csv"
group "equal to the threshold" true over_budget_frames=1 late_frames=2 windows=1
row windows "equal to the threshold" true peak_frame_ms=40.001

# One name, two chips: two devices.  The chip is the soc, else the model code.
for code in SM-1 SM-2; do
    printf 'timestamp_ms,frame_time_ms,build_id,device_model,scene,model_code\n16,16,b1,Pixel 8,Forest,%s\n' $code >"$work/$code.csv"
done
takes "$work/SM-1.csv"
take "$work/SM-2.csv"
figures "" devices "two chips" '.rows | map([.device, .chip]) | sort' '[["Pixel 8","SM-1"],["Pixel 8","SM-2"]]'

# The same run with other frames at the same stamps: refused, both files are named, nothing changes.
for file in first:16 other:15; do
    awk -v time="${file#*:}" 'BEGIN {
        print "timestamp_ms,frame_time_ms,build_id,device_model,scene,run_id"
        for (i = 1; i <= 40; i++) printf "%d,%d,b1,Pixel 8,Forest,r1\n", i * 16, time
    }' >"$work/${file%:*}.csv"
done
takes "$work/first.csv"
take "$work/other.csv"
result "other frames of a stored run: status 2" "$([ $? -eq 2 ] && echo yes)" "$(cat "$work/report")"
says "other frames of a stored run" "first\.csv"
says "other frames of a stored run" "other\.csv"
figures "" stats "other frames of a stored run" '.rows | map([.frames, .max_ms])' '[[40,16]]'
