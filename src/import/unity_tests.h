/*
 * Results of Unity's Performance Testing: unity_tests.c makes frames of sample groups, unity_json.c finds
 * them in JSON, unity_nunit.c in the output of NUnit XML. There is no clock and no order between the groups:
 * a distribution only.
 */
#ifndef IMPORT_UNITY_TESTS_H
#define IMPORT_UNITY_TESTS_H

#include "flat_json.h"
#include "reading.h"

struct unity_tests {
    const struct import_reader *reader;
    struct frame_batch batch;
    struct import_context context; /* of the run: device, system */
    const char *version;           /* of the layout; NULL: facts not told yet */
    int64_t runs, results, groups, groups_left_out, samples;
};

void unity_tests_init(struct unity_tests *tests, const struct import_reader *reader);
void unity_tests_free(struct unity_tests *tests);
/* Device, system and time of a run object, in its old (PlayerSystemInfo) or new form (Hardware, Player). */
void unity_tests_take_run(struct unity_tests *tests, const struct flat_value *run);
/* One test: {"Name": …, "SampleGroups": […]}. line: for messages. */
bool unity_tests_take_result(struct unity_tests *tests, const struct flat_value *result, int64_t line,
                             struct error *error);
/* false when there was no frame time at all: the error says what there is. */
bool unity_tests_finish(struct unity_tests *tests, struct error *error);

#endif
