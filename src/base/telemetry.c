#include "stutterscope/base/telemetry.h"

static const char *const label_names[LABEL_COUNT] = {
    [LABEL_GAMEPLAY] = "gameplay", [LABEL_PAUSE] = "pause",       [LABEL_INTERFERENCE] = "interference",
    [LABEL_LOADING] = "loading",   [LABEL_START_UP] = "start-up", [LABEL_SCENE_CHANGE] = "scene change",
};

const char *frame_label_name(enum frame_label label)
{
    return (unsigned)label < LABEL_COUNT ? label_names[label] : "unknown";
}
