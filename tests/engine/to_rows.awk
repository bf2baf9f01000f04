# Canonical CSV to the tab-separated rows of schema.sql: times as whole nanoseconds, nothing as \N.
# -v shard=N -v shards=N: only the runs of this shard.
function split_line(line,    n, i, c, quoted, text) {
    if (!index(line, "\""))
        return split(line, value, ",")
    n = 1
    text = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"" && quoted && substr(line, i + 1, 1) == "\"") {
            text = text c
            i++
        } else if (c == "\"") {
            quoted = !quoted
        } else if (c == "," && !quoted) {
            value[n++] = text
            text = ""
        } else {
            text = text c
        }
    }
    value[n] = text
    return n
}
function field(name) { return name in at ? value[at[name]] : "" }
function number(name) { return field(name) == "" ? "\\N" : field(name) }
function ns(name,    text, point) { # by digits: a stamp in ns has more than a double can hold
    text = field(name)
    if (text == "")
        return "\\N"
    point = index(text, ".")
    if (!point)
        return text "000000"
    return substr(text, 1, point - 1) substr(substr(text, point + 1) "000000", 1, 6)
}
BEGIN {
    OFS = "\t"
}
{ count = split_line($0) }
FNR == 1 {
    delete at
    for (i = 1; i <= count; i++)
        at[value[i]] = i
    next
}
{
    key = field("build_id") field("device_model") field("run_id")
    if (!(key in shard_of))
        shard_of[key] = seen++ % shards
    if (shard_of[key] != shard)
        next
    print ns("timestamp_ms"), ns("frame_time_ms"), ns("cpu_frame_ms"), ns("gpu_frame_ms"), number("gc_alloc_bytes"),
        field("event_name"), field("device_model"), field("build_id"), field("run_id"), field("scene"), field("quality_level"),
        field("soc"), field("model_code"), number("sample_every"), ns("kept_over_ms"), field("os_version"), field("started_at"),
        field("commit_hash"), field("ci_run_id"), field("built_at"), field("log_url"),
        number("target_fps"), number("refresh_hz")
}
