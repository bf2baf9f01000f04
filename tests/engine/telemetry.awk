# Telemetry in which everything happens that decides about labels and windows: pauses, loading and interference with and
# without an end, gaps, slow starts, events that own what comes after, scenes visited again, runs that keep every third
# frame, frames missing everywhere, changing targets, a run that gets hot.
# -v builds=N -v devices=N -v runs=N -v frames=N -v seed=N
function random(n) {
    state = (state * 16807) % 2147483647
    return state % n
}
function start_visit() {
    scene = scenes[1 + random(3)]
    quality = random(4) ? "High" : "Low"
    left = 3 + random(random(3) ? 900 : 12)
    slow_start = random(3) == 0 ? 1 + random(13) : 0
}
function emit(frame, event) {
    stamp += frame
    cpu = random(5) ? sprintf("%.1f", frame * 7 / 10000) : ""
    gpu = sprintf("%.1f", frame * (2 + random(7)) / 10000)
    gc = random(40) ? "" : random(4000000)
    if (device == "Brick 2" && random(900) == 0)
        target = 90 - target
    printf("%.3f,%.3f,%s,%s,%s,%s,%s,b%d,%s,%s,%s,%s,%s,%s,%s,%s\n", stamp / 1000, frame / 1000, cpu, gpu, gc, event, device, build, run,
        scene, quality, (device == "Tile 3" ? "SoC" : ""), (every > 1 ? every : ""), (every > 1 ? "30" : ""),
        (device == "Brick 2" ? target : ""), (device == "Tile 3" ? 90 : ""))
}
BEGIN {
    state = seed
    scenes[1] = "Menu"; scenes[2] = "Battle_01"; scenes[3] = "\"Shop, \"\"late\"\"\""
    split("boss_spawn,skill_cast,asset_stream,door", names, ",")
    split("app_background,app_foreground,loading_start,loading_end,memory_snapshot_begin,memory_snapshot_end,screenshot,app_background,loading_start", labels, ",")
    print "timestamp_ms,frame_time_ms,cpu_frame_ms,gpu_frame_ms,gc_alloc_bytes,event_name,device_model,build_id,run_id,scene,quality_level,soc,sample_every,kept_over_ms,target_fps,refresh_hz"
    for (build = 1; build <= builds; build++)
        for (d = 1; d <= devices; d++) {
            device = (d % 3 == 1 ? "Slate " : d % 3 == 2 ? "Brick " : "Tile ") d
            for (r = 1; r <= runs; r++) {
                run = "run-" r
                stamp = random(2) ? 0 : 1700000000000000
                every = r % 5 == 4 ? 3 : 1
                target = 60
                holes = r % 7 == 6
                base = r % 3 == 2 ? 33333 : 16667
                left = 0
                for (f = 1; f <= frames; f++) {
                    if (left-- <= 0)
                        start_visit()
                    frame = base + random(3000) - 1500
                    if (r % 4 == 3 && f > frames * 3 / 4)
                        frame = frame * 13 / 10
                    if (slow_start > 0) {
                        frame = 70000 + random(200000)
                        slow_start--
                    }
                    if (random(60) == 0)
                        frame = 20000 + random(90000)
                    if (random(900) == 0)
                        frame = 200000 + random(14000000)
                    event = ""
                    if (random(150) == 0)
                        event = names[1 + random(4)]
                    if (random(500) == 0)
                        event = labels[1 + random(9)]
                    if (event == last && random(2))
                        event = ""
                    frame = int(frame)
                    if (random(400) == 0)
                        stamp += 400000 + random(300000)
                    if (holes)
                        stamp += base
                    if (every > 1 && frame <= 30000 && f % every)
                        stamp += frame
                    else
                        emit(frame, event)
                    last = event
                }
            }
        }
}
