#include "recorder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS NS_PER_MS
#define HEADER                                                                                               \
    "timestamp_ms,frame_time_ms,cpu_frame_ms,gpu_frame_ms,device_model,os_version,build_id,scene,event_"     \
    "name,quality_level\n"

static int64_t value(const struct recorder *recorder, enum frame_column column, size_t frame)
{
    size_t count;
    int64_t *values = recorded_column(recorder, SIZE_MAX, column, &count), result = values[frame];

    cr_assert_lt(frame, count);
    free(values);
    return result;
}

Test(csv, values_and_contexts)
{
    struct recorder *recorder =
        record_text(HEADER "16.5,16.5,3.25,0,Pixel 8,Android 14,b1,Forest,,High\n"
                           "33,16.5,,11.000001,Pixel 8,Android 14,b1,Forest,boss_spawn,High\n"
                           "49.5,16.5,NA,2,Pixel 8,Android 14,b1,Harbor,,Low\n",
                    NULL);
    const char *event;

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), 3);
    cr_assert_eq(recorder->runs.count, 1);
    cr_assert_eq(recorder->segments.count, 2);
    cr_assert_str_eq(recorder->runs.items[0].os, "Android 14");
    cr_assert_eq(recorder->runs.items[0].name, NULL);
    cr_assert_eq(value(recorder, COLUMN_STAMP, 1), 33 * MS);
    cr_assert_eq(value(recorder, COLUMN_CPU, 0), 3250000);
    cr_assert_eq(value(recorder, COLUMN_CPU, 1), VALUE_UNKNOWN);
    cr_assert_eq(value(recorder, COLUMN_CPU, 2), VALUE_UNKNOWN);
    cr_assert_eq(value(recorder, COLUMN_GPU, 0), 0);
    cr_assert_eq(value(recorder, COLUMN_GPU, 1), 11000001);
    cr_assert_eq(value(recorder, COLUMN_EVENT, 0), VALUE_UNKNOWN);
    event = dictionary_text(recorder->texts, (uint32_t)value(recorder, COLUMN_EVENT, 1));
    cr_assert_str_eq(event, "boss_spawn");
    cr_assert_eq(recorder->segments.items[1].visit, 1);
    cr_assert_str_eq(recorder->segments.items[1].scene, "Harbor");
    cr_assert_str_eq(recorder->segments.items[1].quality, "Low");
    cr_assert_eq(recorder->segments.items[1].columns.values[COLUMN_EVENT], NULL); /* no value: no column */
    cr_assert_eq(recorder->segments.items[1].columns.values[COLUMN_CPU], NULL);
    recorder_free(recorder);
}

Test(csv, decimal_commas_and_separators_give_the_same)
{
    static const char *const texts[] = {
        "timestamp_ms,frame_time_ms,device_model,build_id,scene\n1016.125,16,P,b,S\n1032.325,16.2,P,b,S\n",
        "timestamp_ms;frame_time_ms;device_model;build_id;scene\n1016,125;16;P;b;S\n1032,325;16,2;P;b;S\n",
        "sep=;\ntimestamp_ms;frame_time_ms;device_model;build_id;scene\n1016,125;16;P;b;S\n1032,325;16,2;P;b;"
        "S\n",
        "timestamp_ms,frame_time_ms,device_model,build_id,scene\n\"1016,125\",16,P,b,S\n\"1032,325\",\"16,"
        "2\",P,b,S\n",
        "timestamp_ms\tframe_time_ms\tdevice_model\tbuild_id\tscene\n1016.125\t16\tP\tb\tS\n1032.325\t16."
        "2\tP\tb\tS\n",
        " Timestamp_MS |FRAME_TIME_MS|device_model|Build_Id|scene\n1016.125|16|P|b|S\n1032.325|16.2|P|b|S\n",
        "scene,build_id,device_model,frame_time_ms,timestamp_ms\nS,b,P,16,1016.125\nS,b,P,16.2,1032.325\n",
    };
    struct recorder *first = record_text(texts[0], NULL);

    cr_assert(first->fine, "%s", first->error.text);
    cr_assert_eq(value(first, COLUMN_STAMP, 0), 1016125000);
    cr_assert_eq(value(first, COLUMN_FRAME_TIME, 1), 16200000);
    for (size_t i = 1; i < sizeof texts / sizeof *texts; i++) {
        struct recorder *recorder = record_text(texts[i], NULL);

        cr_assert(recorder->fine, "%zu: %s", i, recorder->error.text);
        cr_assert_str_eq(recorder->fingerprint, first->fingerprint, "%zu", i);
        recorder_free(recorder);
    }
    recorder_free(first);
}

Test(csv, comma_for_both_is_refused_with_the_cause)
{
    struct recorder *recorder = record_text(
        "timestamp_ms,frame_time_ms,device_model,build_id,scene\n1016,125,16,P,b,S\n1032,325,16,2,P,b,S\n",
        NULL);

    cr_assert(!recorder->fine);
    cr_assert(strstr(recorder->error.text, "6 fields, expected 5"), "%s", recorder->error.text);
    cr_assert(strstr(recorder->error.text, "line 2"), "%s", recorder->error.text);
    cr_assert(recorded_note(recorder, "decimal mark"));
    recorder_free(recorder);
}

Test(csv, what_is_no_frame_time_is_rejected_by_reason)
{
    static const char *const bad[] = {"NaN", "-Infinity", "1e400",  "-16.6", "0",     "-0.0",
                                      "",    "N/A",       "16.6ms", "0x10",  "1e-320"};
    static const enum reject_reason reasons[] = {
        REJECT_NOT_FINITE,    REJECT_NOT_FINITE,  REJECT_NOT_FINITE, REJECT_NEGATIVE,
        REJECT_ZERO,          REJECT_ZERO,        REJECT_EMPTY,      REJECT_NOT_A_NUMBER,
        REJECT_TRAILING_TEXT, REJECT_HEXADECIMAL, REJECT_ZERO};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[512];
        struct recorder *recorder;

        snprintf(text, sizeof text, "%s10,10,1,1,P,,b,S,,\n20,%s,1,1,P,,b,S,,\n30,10,1,1,P,,b,S,,\n", HEADER,
                 bad[i]);
        recorder = record_text(text, NULL);
        cr_assert(recorder->fine, "%s", recorder->error.text);
        cr_assert_eq(recorded_frames(recorder), 2);
        cr_assert_eq(recorded_rejects(recorder, reasons[i]), 1, "%s", bad[i]);
        cr_assert_eq(recorder->reading.log->rejects[reasons[i]].lines[0], 3);
        cr_assert_eq(recorder->runs.items[0].measures.rejected, 1);
        recorder_free(recorder);
    }
}

Test(csv, header_again_in_another_order)
{
    struct recorder *recorder =
        record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene,gc_alloc_bytes\n"
                    "16,16,P,b1,S,7\n32,16,P,b1,S,7\n"
                    "scene,frame_time_ms,timestamp_ms,device_model,build_id\n"
                    "S,16,16,P,b2\nS,61,77,P,b2\n",
                    NULL);
    struct recorded_figures second;

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), 4);
    cr_assert_eq(recorder->runs.count, 2);
    second = recorded_figures(recorder, 1);
    cr_assert_eq(second.max, 61 * MS);
    cr_assert_eq(value(recorder, COLUMN_GC, 1), 7);
    cr_assert_eq(value(recorder, COLUMN_GC, 2), VALUE_UNKNOWN);
    recorder_free(recorder);
}

Test(csv, duplicate_and_missing_columns)
{
    struct recorder *recorder = record_text(
        "frame_time_ms,timestamp_ms,device_model,build_id,scene,Frame_Time_ms\n1,1,P,b,S,8\n", NULL);

    cr_assert(!recorder->fine);
    cr_assert(strstr(recorder->error.text, "1") && strstr(recorder->error.text, "6"), "%s",
              recorder->error.text);
    recorder_free(recorder);
    recorder = record_text("timestamp_ms,frame_ms,device_model,build_id,scene\n1,1,P,b,S\n", NULL);
    cr_assert(!recorder->fine);
    cr_assert(strstr(recorder->error.text, "frame_time_ms is missing"), "%s", recorder->error.text);
    cr_assert(strstr(recorder->error.text, "timestamp_ms, frame_ms, device_model"), "%s",
              recorder->error.text);
    cr_assert(strstr(recorder->error.text, "test.txt: line 1"), "%s", recorder->error.text);
    recorder_free(recorder);
}

Test(csv, maps_name_foreign_columns)
{
    static const char *const maps[] = {"frame_time_s=Dauer", "timestamp_ms=none"};
    struct import_options options = some_context;
    struct recorder *recorder;
    size_t count;
    int64_t *stamps;

    options.maps = maps;
    options.map_count = 2;
    recorder = record_text("Bild;Dauer;timestamp_ms\n1;0,016;99\n2;0,020;98\n", &options);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert(!recorder->runs.items[0].facts.has_clock);
    stamps = recorded_column(recorder, 0, COLUMN_STAMP, &count);
    cr_assert_eq(stamps[0], 16 * MS);
    cr_assert_eq(stamps[1], 36 * MS);
    cr_assert_eq(value(recorder, COLUMN_FLAGS, 1), FRAME_ORDER_ONLY);
    cr_assert_eq(recorder->runs.items[0].measures.holes_tested, 0);
    free(stamps);
    recorder_free(recorder);
}

Test(csv, wrong_map_is_a_usage_error)
{
    static const char *const maps[] = {"frame_time=Dauer"};
    struct import_options options = {.maps = maps, .map_count = 1};
    struct recorder *recorder = record_text("a,b\n1,2\n", &options);

    cr_assert(!recorder->fine);
    cr_assert_eq(recorder->error.code, ERROR_USAGE);
    recorder_free(recorder);
}

Test(csv, cut_last_line)
{
    struct recorder *recorder = record_text(HEADER "10,10,1,1,P,,b,S,,High\n20,10,1,1,P,,b", NULL);

    cr_assert(recorder->fine);
    cr_assert_eq(recorded_frames(recorder), 1);
    cr_assert_eq(recorded_rejects(recorder, REJECT_SHORT_ROW), 1);
    cr_assert(recorded_note(recorder, "cut"));
    recorder_free(recorder);
}

/* A last column that most rows leave out is no short row; a missing context is. */
Test(csv, ragged_rows)
{
    struct recorder *recorder =
        record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene,event_name\n"
                    "10,10,P,b,S\n20,10,P,b,S,jump\n30,10,P,b\n40,10,P,b,S,,,\n",
                    NULL);

    cr_assert(recorder->fine);
    cr_assert_eq(recorded_frames(recorder), 3);
    cr_assert_eq(recorded_rejects(recorder, REJECT_SHORT_ROW), 1);
    cr_assert_eq(recorder->reading.log->rejects[REJECT_SHORT_ROW].lines[0], 4);
    recorder_free(recorder);
}

Test(csv, quotes)
{
    struct recorder *recorder = record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene\n"
                                            "10,10,\"RX 7800, 16GB\",b,S\n"
                                            "20,10,\"RX 7800, 16GB\",b,S\n"
                                            "10,10,\"Ultra\nWide\",b,S\n"
                                            "10,10,\"Tab \"\"Lite\"\"\",b,S\n"
                                            "10,10,Pad 11\" Kids,b,S\n"
                                            "20,10,\"never closed,b,S\n"
                                            "30,10,Pad 11\" Kids,b,S\n",
                                            NULL);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorder->runs.count, 4);
    cr_assert_str_eq(recorder->runs.items[0].device, "RX 7800, 16GB");
    cr_assert_str_eq(recorder->runs.items[1].device, "Ultra↵Wide");
    cr_assert_str_eq(recorder->runs.items[2].device, "Tab \"Lite\"");
    cr_assert_str_eq(recorder->runs.items[3].device, "Pad 11\" Kids");
    cr_assert_eq(recorded_frames(recorder), 6);
    cr_assert_eq(recorded_rejects(recorder, REJECT_MALFORMED), 1);
    cr_assert_eq(recorder->reading.log->rejects[REJECT_MALFORMED].lines[0], 8);
    recorder_free(recorder);
}

Test(csv, quoted_texts_over_several_lines_come_again)
{
    struct recorder *recorder = record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene\n"
                                            "10,10,\"Ultra\nWide\",b,S\n"
                                            "20,10,\"Ultra\nWide\",b,S\n"
                                            "30,10,\"Ultra\nWide\",b,S\n"
                                            "40,10,\"Ultra\n\nWide, 4\",\"b\",S\n"
                                            "50,11,\"Ultra\n\nWide, 4\",\"b\",S\n"
                                            "60,oops,\"Ultra\n\nWide, 4\",\"b\",S\n"
                                            "70,10,\"Ultra\n\nWide, 4\",\"b\",S\n",
                                            NULL);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorder->runs.count, 2);
    cr_assert_str_eq(recorder->runs.items[0].device, "Ultra↵Wide");
    cr_assert_eq(recorded_frames(recorder), 6);
    cr_assert_eq(value(recorder, COLUMN_FRAME_TIME, 4), 11 * MS);
    cr_assert_eq(recorded_rejects(recorder, REJECT_NOT_A_NUMBER), 1);
    cr_assert_eq(recorder->reading.log->rejects[REJECT_NOT_A_NUMBER].lines[0], 14);
    recorder_free(recorder);
}

Test(csv, personal_and_unknown_columns_are_left_out)
{
    struct recorder *recorder =
        record_text("timestamp_ms,frame_time_ms,User_ID,device_model,build_id,scene,ping_ms,player_email\n"
                    "10,10,u1,P,b,S,3,a@b.c\n20,10,u1,P,b,S,3,a@b.c\n",
                    NULL);
    const struct import_log *log = recorder->reading.log;

    cr_assert(recorder->fine);
    cr_assert_eq(log->personal.count, 2);
    cr_assert_str_eq(log->personal.items[0], "User_ID");
    cr_assert_str_eq(log->personal.items[1], "player_email");
    cr_assert_eq(log->left_out.count, 1);
    cr_assert_str_eq(log->left_out.items[0], "ping_ms");
    cr_assert_eq(dictionary_find(recorder->texts, "u1", 2), 0);
    cr_assert_eq(dictionary_find(recorder->texts, "a@b.c", 5), 0);
    recorder_free(recorder);
}

Test(csv, nothing_to_take_says_why)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "empty"},
        {"\xEF\xBB\xBF", "empty"},
        {"\n   \n", "empty"},
        {HEADER, "header but no rows"},
        {HEADER "10,NaN,1,1,P,,b,S,,\n20,NaN,1,1,P,,b,S,,\n", "2 rows, all rejected: 2 not finite"},
        {"hello world\n", "line 1"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct recorder *recorder = record_text(cases[i].text, NULL);

        cr_assert(!recorder->fine, "%zu", i);
        cr_assert(strstr(recorder->error.text, cases[i].words), "%zu: %s", i, recorder->error.text);
        cr_assert_eq(recorder->runs.count, 0);
        recorder_free(recorder);
    }
}

/* Stamps in microseconds since 1970 do not even fit into nanoseconds when they are taken for milliseconds. */
Test(csv, epoch_in_a_smaller_unit_than_the_header_says)
{
    struct recorder *recorder = record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene\n"
                                            "1772452800016000,16,P,b,S\n1772452800032000,16,P,b,S\n",
                                            NULL);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(value(recorder, COLUMN_STAMP, 0), 1772452800016000000);
    cr_assert_eq(recorder->runs.items[0].facts.started_at_ms, 1772452800000);
    cr_assert(recorded_note(recorder, "microseconds"));
    recorder_free(recorder);
}

/* Numbers of all lengths, read word by word, against the plain reader of the options. */
Test(csv, numbers_of_all_lengths)
{
    for (int digits = 1; digits <= 13; digits++) {
        for (int places = -1; places <= 7; places++) {
            char whole[32] = "", number[64], text[400];
            struct recorder *recorder;
            int64_t wanted;

            for (int i = 0; i < digits; i++)
                whole[i] = (char)('1' + (i * 7 + places + 1) % 9);
            strcpy(number, whole);
            if (places >= 0)
                strcat(number, ".");
            for (int i = 0; i < places; i++)
                sprintf(number + strlen(number), "%d", (i * 3 + digits) % 10);
            if (number_parse_scaled(number, strlen(number), MS, false, &wanted) != NUMBER_OK ||
                wanted > 4000000000000000000)
                continue;
            sprintf(text,
                    "timestamp_ms,frame_time_ms,cpu_frame_ms,device_model,build_id,scene\n%s,16,%s,P,b,S\n",
                    number, number);
            recorder = record_text(text, NULL);
            cr_assert(recorder->fine, "%s", recorder->error.text);
            cr_assert_eq(value(recorder, COLUMN_STAMP, 0), wanted, "%s", number);
            cr_assert_eq(value(recorder, COLUMN_CPU, 0), wanted, "%s", number);
            recorder_free(recorder);
        }
    }
}

Test(csv, what_is_nearly_a_number)
{
    static const char *const bad[] = {"1.2.3", "12a", "1 2",        "/5",           ":5",
                                      "1..",   ".",   "12345678x9", "123456789.1.2"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[400];
        struct recorder *recorder;

        sprintf(
            text,
            "timestamp_ms,frame_time_ms,device_model,build_id,scene\n1,16,P,b,S\n17,%s,P,b,S\n33,16,P,b,S\n",
            bad[i]);
        recorder = record_text(text, NULL);
        cr_assert(recorder->fine);
        cr_assert_eq(recorded_frames(recorder), 2, "%s", bad[i]);
        recorder_free(recorder);
    }
}

/* A context at the end of a short row ends with the line; the same context in a full row does not. */
Test(csv, short_and_full_rows_of_one_context)
{
    struct recorder *recorder =
        record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene,event_name\n"
                    "10,10,P,b,S\n20,10,P,b,S\n30,10,P,b,S,jump\n40,10,P,b,S\n50,10,P,b,S,\n",
                    NULL);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), 5);
    cr_assert_eq(recorder->segments.count, 1);
    cr_assert_neq(value(recorder, COLUMN_EVENT, 2), VALUE_UNKNOWN);
    cr_assert_eq(value(recorder, COLUMN_EVENT, 3), VALUE_UNKNOWN);
    recorder_free(recorder);
}
