#include "stutterscope/import/sink.h"

const struct context_field_info context_fields[CONTEXT_COUNT] = {
    [CONTEXT_BUILD] = {"build_id", "--build", "build of the game"},
    [CONTEXT_DEVICE] = {"device_model", "--device", "device model"},
    [CONTEXT_SCENE] = {"scene", "--scene", "scene, level or test"},
    [CONTEXT_QUALITY] = {"quality_level", "--quality", "quality level"},
    [CONTEXT_RUN] = {"run_id", "--run", "run id"},
    [CONTEXT_OS] = {"os_version", "--os", "operating system with version"},
    [CONTEXT_SERIES] = {"series", "--series", "series of runs; nightly unless said"},
    [CONTEXT_SCENARIO] = {"scenario", "--scenario", "automated scenario"},
    [CONTEXT_SOC] = {"soc", "--soc", "chip"},
    [CONTEXT_MODEL_CODE] = {"model_code", "--model-code", "model code, where it tells the chip"},
    [CONTEXT_GPU_NAME] = {"gpu_name", "--gpu", "name of the GPU"},
    [CONTEXT_COMMIT] = {"commit_hash", "--commit", "commit of the build"},
    [CONTEXT_CI_RUN] = {"ci_run_id", "--ci-run", "CI run that made the build"},
    [CONTEXT_BUILT_AT] = {"built_at", "--built-at", "time of the build"},
    [CONTEXT_STARTED_AT] = {"started_at", "--started-at", "start time of the run"},
    [CONTEXT_LOG_URL] = {"log_url", "--log-url", "link to the log"},
    [CONTEXT_OUTCOME] = {"run_outcome", "--outcome", "how the run ended"},
    [CONTEXT_STATION] = {"station", "--station", "test station"},
    [CONTEXT_SAMPLE_EVERY] = {"sample_every", "--sample-every", "every N-th frame was kept"},
    [CONTEXT_KEPT_OVER_MS] = {"kept_over_ms", "--kept-over", "frames over T ms were all kept"},
    [CONTEXT_TARGET_FPS] = {"target_fps", "--fps", "target FPS"},
    [CONTEXT_REFRESH_HZ] = {"refresh_hz", "--refresh", "refresh rate in Hz"},
};

const char *const reject_reason_names[REJECT_COUNT] = {
    [REJECT_EMPTY] = "empty",
    [REJECT_NOT_A_NUMBER] = "not a number",
    [REJECT_HEXADECIMAL] = "hexadecimal",
    [REJECT_TRAILING_TEXT] = "trailing text",
    [REJECT_NOT_FINITE] = "not finite",
    [REJECT_NEGATIVE] = "negative",
    [REJECT_ZERO] = "zero (below 1 µs)",
    [REJECT_TOO_LARGE] = "too large",
    [REJECT_BAD_STAMP] = "bad time stamp",
    [REJECT_SHORT_ROW] = "cut or too short",
    [REJECT_LONG_ROW] = "more fields than columns",
    [REJECT_UNFINISHED] = "unfinished",
    [REJECT_GENERATED] = "generated",
    [REJECT_REPEATED] = "repeated",
    [REJECT_NOT_DISPLAYED] = "not displayed",
    [REJECT_OTHER_STREAM] = "other stream",
    [REJECT_OUTSIDE] = "marked as not to be counted",
    [REJECT_MALFORMED] = "malformed",
    [REJECT_DUPLICATE] = "seen before",
    [REJECT_NO_CONTEXT] = "no build, device or scene",
};

enum reject_reason reject_reason_of(enum number_fault fault)
{
    static const enum reject_reason reasons[] = {
        [NUMBER_OK] = REJECT_ZERO,
        [NUMBER_EMPTY] = REJECT_EMPTY,
        [NUMBER_NOT_A_NUMBER] = REJECT_NOT_A_NUMBER,
        [NUMBER_HEXADECIMAL] = REJECT_HEXADECIMAL,
        [NUMBER_TRAILING_TEXT] = REJECT_TRAILING_TEXT,
        [NUMBER_NOT_FINITE] = REJECT_NOT_FINITE,
        [NUMBER_TOO_LARGE] = REJECT_TOO_LARGE,
    };

    return reasons[fault];
}
