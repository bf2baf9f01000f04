CREATE TABLE frames_local
(
    timestamp_ns Int64,
    frame_time_ns Int64,
    cpu_frame_ns Nullable(Int64),
    gpu_frame_ns Nullable(Int64),
    gc_alloc_bytes Nullable(Int64),
    event_name String,
    device_model String,
    build_id String,
    run_id String,
    scene String,
    quality_level String,
    soc String,
    model_code String,
    sample_every Nullable(Int32),
    kept_over_ns Nullable(Int64),
    os_version String,
    started_at String,
    commit_hash String,
    ci_run_id String,
    built_at String,
    log_url String,
    target_fps Nullable(Float64),
    refresh_hz Nullable(Float64)
)
ENGINE = MergeTree
PARTITION BY build_id
ORDER BY (build_id, device_model, run_id, timestamp_ns)
