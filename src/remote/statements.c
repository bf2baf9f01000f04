/*
 * 18.16 forgets columns of a subquery that only a lambda uses: they are made where they are used, or used beside it, too.
 * Names that begin with ss_ are ours, so that they meet no column of the table. ANY joins mean different things in old
 * and new versions: only ALL INNER JOIN is used, and GLOBAL with it, which distributed tables need.
 */
#include "statements.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/telemetry.h"
#include <inttypes.h>
#include <stdlib.h>

/* The same bounds as for files. */
#define SHORTEST_FRAME "1000"
#define LONGEST_FRAME  "100000000000000"
#define LARGEST_STAMP  "4000000000000000000"
#define GAP            "500000000"
#define LEADING        "11" /* frames that decide about start-up and scene change, and one more */

#define T(name) {name, ANSWER_TEXT}
#define N(name) {name, ANSWER_INTEGER}
const struct answer_column build_columns[BUILD_COLUMNS] = {T("ss_b"), N("ss_n"), T("ss_h")};
const struct answer_column run_columns[RUN_COLUMNS] = {
    T("ss_dev"), T("ss_soc"), T("ss_code"), T("ss_r"), N("ss_n"), N("ss_bad"), N("ss_sum"), N("ss_first"), N("ss_last"), N("ss_tf"),
    N("ss_rf"), N("ss_every"), N("ss_over"), T("ss_os"), T("ss_gpu"), T("ss_series"), T("ss_scenario"), T("ss_commit"), T("ss_ci"),
    T("ss_built"), T("ss_started"), T("ss_log"), T("ss_outcome"), T("ss_station")};
const struct answer_column kept_columns[KEPT_COLUMNS] = {
    T("ss_r"), N("ss_n"), N("ss_wide"), N("ss_gaps"), N("ss_gap_ns"), N("ss_i"), N("ss_v"), N("ss_t"), N("ss_x"), T("ss_sc"), T("ss_q"),
    T("ss_e"), N("ss_c"), N("ss_g"), N("ss_gc"), N("ss_dc"), N("ss_tf"), N("ss_rf")};
const struct answer_column inside_columns[INSIDE_COLUMNS] = {T("ss_r"), N("ss_t"), N("ss_x"), T("ss_sc"), T("ss_q"), T("ss_e"),
                                                             N("ss_c"), N("ss_g"), N("ss_gc"), N("ss_dc"), N("ss_tf"), N("ss_rf")};
const struct answer_column figure_columns[FIGURE_COLUMNS] = {
    T("ss_r"), T("ss_s"), T("ss_sc"), T("ss_q"), N("ss_n"), N("ss_k"), N("ss_d"), N("ss_late"), N("ss_over"), N("ss_slow"), N("ss_ex"),
    N("ss_med2"), N("ss_mad4"), N("ss_p95"), N("ss_p99"), N("ss_min"), N("ss_max"), N("ss_low"), N("ss_hot"), N("ss_half")};
const struct answer_column labelled_columns[LABELLED_COLUMNS] = {T("ss_r"), T("ss_sc"), T("ss_q"), N("ss_l"), N("ss_n"), N("ss_d"), N("ss_over")};
const struct answer_column peak_columns[PEAK_COLUMNS] = {T("ss_r"), T("ss_sc"), T("ss_q"), N("ss_o"), N("ss_max")};

/* ---- parts ---- */

static void add_table(struct text_buffer *sql, const struct remote_address *address)
{
    text_add(sql, " FROM "); /* of the database that goes with the question */
    remote_add_name(sql, address->table);
}

static void add_equal(struct text_buffer *sql, const char *expression, const char *text)
{
    text_add_print(sql, "%s=", expression);
    remote_add_text(sql, text);
}

static void add_sound(struct text_buffer *sql, const struct remote_columns *columns)
{
    const char *frame = columns->expression[REMOTE_FRAME], *stamp = columns->expression[REMOTE_STAMP];

    text_add_print(sql, "%s>=" SHORTEST_FRAME " AND %s<=" LONGEST_FRAME " AND %s<=" LARGEST_STAMP " AND %s>=-" LARGEST_STAMP " AND %s!=''",
                   frame, frame, stamp, stamp, columns->expression[REMOTE_SCENE]);
}

static void add_where(struct text_buffer *sql, const struct remote_scope *scope)
{
    const struct remote_columns *columns = scope->columns;

    text_add(sql, " WHERE ");
    add_equal(sql, columns->expression[REMOTE_BUILD], scope->build);
    if (scope->device) {
        text_add(sql, " AND ");
        add_equal(sql, columns->expression[REMOTE_DEVICE], scope->device);
    }
    if (scope->device && columns->known[REMOTE_SOC]) {
        text_add(sql, " AND ");
        add_equal(sql, columns->expression[REMOTE_SOC], scope->soc);
    }
    if (scope->device && columns->known[REMOTE_MODEL_CODE]) {
        text_add(sql, " AND ");
        add_equal(sql, columns->expression[REMOTE_MODEL_CODE], scope->model_code);
    }
    for (size_t i = 0; scope->runs && i < scope->run_count; i++) {
        if (i == 0)
            text_add_print(sql, " AND %s IN (", columns->expression[REMOTE_RUN]);
        remote_add_text(sql, scope->runs[i]);
        text_add(sql, i + 1 < scope->run_count ? "," : ")");
    }
}

static void add_sound_where(struct text_buffer *sql, const struct remote_scope *scope)
{
    add_where(sql, scope);
    text_add(sql, " AND ");
    add_sound(sql, scope->columns);
}

static void add_frame_columns(struct text_buffer *sql, const struct remote_columns *columns)
{
    static const struct {
        enum remote_column column;
        const char *name;
    } parts[] = {{REMOTE_STAMP, "ss_t"}, {REMOTE_FRAME, "ss_x"},  {REMOTE_SCENE, "ss_sc"},      {REMOTE_QUALITY, "ss_q"},
                 {REMOTE_EVENT, "ss_e"}, {REMOTE_CPU, "ss_c"},    {REMOTE_GPU, "ss_g"},         {REMOTE_GC, "ss_gc"},
                 {REMOTE_DRAW_CALLS, "ss_dc"}, {REMOTE_TARGET_FPS, "ss_tf"}, {REMOTE_REFRESH, "ss_rf"}};

    text_add_print(sql, "%s AS ss_r", columns->expression[REMOTE_RUN]);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        text_add_print(sql, ",%s AS %s", columns->expression[parts[i].column], parts[i].name);
}

/* ---- builds and runs ---- */

void statement_builds(struct text_buffer *sql, const struct remote_address *address, const struct remote_columns *columns,
                      const char *build)
{
    text_add_print(sql, "SELECT %s AS ss_b, count() AS ss_n, toString(sum(cityHash64(", columns->expression[REMOTE_BUILD]);
    for (int i = 0, first = 1; i < REMOTE_COLUMNS; i++) {
        if (!columns->known[i] || i == REMOTE_BUILD)
            continue;
        text_add_print(sql, "%s%s", first ? "" : ",", columns->expression[i]);
        first = 0;
    }
    text_add(sql, "))) AS ss_h");
    add_table(sql, address);
    if (build) {
        text_add(sql, " WHERE ");
        add_equal(sql, columns->expression[REMOTE_BUILD], build);
    }
    text_add(sql, " GROUP BY ss_b ORDER BY ss_b");
}

void statement_runs(struct text_buffer *sql, const struct remote_scope *scope)
{
    static const struct {
        enum remote_column column;
        const char *name;
    } greatest[] = {{REMOTE_TARGET_FPS, "ss_tf"}, {REMOTE_REFRESH, "ss_rf"}, {REMOTE_SAMPLE_EVERY, "ss_every"}, {REMOTE_KEPT_OVER, "ss_over"},
                    {REMOTE_OS, "ss_os"}, {REMOTE_GPU_NAME, "ss_gpu"}, {REMOTE_SERIES, "ss_series"}, {REMOTE_SCENARIO, "ss_scenario"},
                    {REMOTE_COMMIT, "ss_commit"}, {REMOTE_CI_RUN, "ss_ci"}, {REMOTE_BUILT_AT, "ss_built"}, {REMOTE_STARTED_AT, "ss_started"},
                    {REMOTE_LOG_URL, "ss_log"}, {REMOTE_OUTCOME, "ss_outcome"}, {REMOTE_STATION, "ss_station"}};
    const struct remote_columns *columns = scope->columns;

    text_add_print(sql, "SELECT %s AS ss_dev,%s AS ss_soc,%s AS ss_code,%s AS ss_r,toInt64(countIf((", columns->expression[REMOTE_DEVICE],
                   columns->expression[REMOTE_SOC], columns->expression[REMOTE_MODEL_CODE], columns->expression[REMOTE_RUN]);
    add_sound(sql, columns);
    text_add(sql, ") AS ss_ok)) AS ss_n,toInt64(count())-ss_n AS ss_bad");
    text_add_print(sql, ",sumIf(%s,ss_ok) AS ss_sum,minIf(%s,ss_ok) AS ss_first,maxIf(%s,ss_ok) AS ss_last",
                   columns->expression[REMOTE_FRAME], columns->expression[REMOTE_STAMP], columns->expression[REMOTE_STAMP]);
    for (size_t i = 0; i < sizeof greatest / sizeof *greatest; i++)
        text_add_print(sql, ",max(%s) AS %s", columns->expression[greatest[i].column], greatest[i].name);
    add_table(sql, scope->address);
    add_where(sql, scope);
    text_add(sql, " GROUP BY ss_dev,ss_soc,ss_code,ss_r ORDER BY ss_dev,ss_soc,ss_code,ss_r");
}

/* ---- frames ---- */

/*
 * The frames of a run as one array of tuples, sorted by stamp, then frame time: 1 stamp, 2 frame time, 3 scene, 4
 * quality, 5 event, 6 CPU, 7 GPU, 8 GC, 9 draw calls, 10 target FPS, 11 refresh rate. Arrays that are shifted by one
 * stand for the frame before or behind, where the last frame is always kept; the place in a visit is the distance to the visit's first frame.
 */
void statement_kept(struct text_buffer *sql, const struct remote_scope *scope, int64_t limit_ns)
{
    const struct remote_columns *c = scope->columns;

    text_add(sql, "SELECT ss_r,ss_n,ss_wide,ss_gaps,ss_gap_ns,ss_f.12 AS ss_i,ss_f.13 AS ss_v,ss_f.1 AS ss_t,ss_f.2 AS ss_x,ss_f.3 AS ss_sc,"
                  "ss_f.4 AS ss_q,ss_f.5 AS ss_e,ss_f.6 AS ss_c,ss_f.7 AS ss_g,ss_f.8 AS ss_gc,ss_f.9 AS ss_dc,ss_f.10 AS ss_tf,ss_f.11 AS ss_rf FROM ("
                  "SELECT ss_r,ss_n,ss_wide,ss_gaps,ss_gap_ns,arrayJoin(arrayFilter((f,a,b,c)->a OR b OR c,"
                  "arrayMap((f,i,v)->(f.1,f.2,f.3,f.4,f.5,f.6,f.7,f.8,f.9,f.10,f.11,i,v),ss_a,ss_is,ss_vs),"
                  "ss_core,arrayPushFront(arrayPopBack(ss_core),0),arrayPushBack(arrayPopFront(ss_core),1))) AS ss_f FROM ("
                  "SELECT ss_r,ss_n,ss_a,ss_is,ss_vs,"
                  "arrayCount((h,x)->h>intDiv(x,2),ss_holes,ss_xs) AS ss_wide,"
                  "arrayCount(h->h>" GAP ",ss_holes) AS ss_gaps,arraySum(arrayMap(h->if(h>" GAP ",h,toInt64(0)),ss_holes)) AS ss_gap_ns,");
    text_add_print(sql, "arrayMap((f,h,p)->toUInt8(f.2>%" PRId64 " OR f.5!='' OR h>" GAP " OR p<" LEADING "),ss_a,ss_holes,ss_places) AS ss_core FROM (",
                   limit_ns);
    text_add(sql, "SELECT ss_r,ss_n,ss_a,ss_is,ss_xs,ss_new,arrayCumSum(ss_new) AS ss_vs,arrayFilter((i,b)->b,ss_is,ss_new) AS ss_heads,arrayMap((i,v)->i-ss_heads[v],ss_is,ss_vs) AS ss_places,"
                  "arrayMap((t,x,p,i)->if(i=1,toInt64(0),t-x-p),ss_ts,ss_xs,arrayPushFront(arrayPopBack(ss_ts),toInt64(0)),ss_is) AS ss_holes FROM ("
                  "SELECT ss_r,toInt64(length(ss_a)) AS ss_n,ss_a,arrayEnumerate(ss_a) AS ss_is,arrayMap(f->f.1,ss_a) AS ss_ts,arrayMap(f->f.2,ss_a) AS ss_xs,"
                  "arrayMap((f,s,q,i)->toUInt8(i=1 OR f.3!=s OR f.4!=q),ss_a,arrayPushFront(arrayPopBack(arrayMap(f->f.3,ss_a)),''),"
                  "arrayPushFront(arrayPopBack(arrayMap(f->f.4,ss_a)),''),ss_is) AS ss_new FROM (");
    text_add_print(sql, "SELECT %s AS ss_r,arraySort(groupArray((%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s))) AS ss_a", c->expression[REMOTE_RUN],
                   c->expression[REMOTE_STAMP], c->expression[REMOTE_FRAME], c->expression[REMOTE_SCENE], c->expression[REMOTE_QUALITY],
                   c->expression[REMOTE_EVENT], c->expression[REMOTE_CPU], c->expression[REMOTE_GPU], c->expression[REMOTE_GC],
                   c->expression[REMOTE_DRAW_CALLS], c->expression[REMOTE_TARGET_FPS], c->expression[REMOTE_REFRESH]);
    add_table(sql, scope->address);
    add_sound_where(sql, scope);
    text_add(sql, " GROUP BY ss_r) AS ss_1) AS ss_2) AS ss_3) AS ss_4) AS ss_5 ORDER BY ss_r,ss_i");
}

static void add_join(struct text_buffer *sql, const struct remote_columns *columns)
{
    text_add(sql, " GLOBAL ALL INNER JOIN " REMOTE_SPANS " USING (");
    remote_add_name(sql, columns->run_name);
    text_add(sql, ")");
}

void statement_inside(struct text_buffer *sql, const struct remote_scope *scope)
{
    text_add(sql, "SELECT ");
    add_frame_columns(sql, scope->columns);
    add_table(sql, scope->address);
    add_join(sql, scope->columns);
    add_sound_where(sql, scope);
    text_add(sql, " AND arrayExists((a,b)->ss_t>a AND ss_t<b,ss_as,ss_bs) ORDER BY ss_r,ss_t,ss_x,ss_sc,ss_q,ss_e");
}

void statement_stretch(struct text_buffer *sql, const struct remote_scope *scope, int64_t from_ns, int64_t to_ns)
{
    text_add(sql, "SELECT ");
    add_frame_columns(sql, scope->columns);
    add_table(sql, scope->address);
    add_sound_where(sql, scope);
    text_add_print(sql, " AND ss_t>%" PRId64 " AND ss_t-ss_x<%" PRId64 " ORDER BY ss_r,ss_t,ss_x,ss_sc,ss_q,ss_e", from_ns, to_ns);
}

/* ---- figures ---- */

static char *structure_of(const struct remote_columns *columns, const char *rest)
{
    return memory_print("%s String, %s", columns->run_name, rest); /* quotes would become part of the name */
}

char *range_structure(const struct remote_columns *columns)
{
    return structure_of(columns, "ss_as Array(Int64), ss_bs Array(Int64)");
}

char *span_structure(const struct remote_columns *columns)
{
    return structure_of(columns, "ss_s String, ss_rt Int64, ss_rr Int64, ss_every Int64, ss_kept Int64, "
                                 "ss_la Array(Int64), ss_lb Array(Int64), ss_le Array(Int64), ss_ll Array(Int64), "
                                 "ss_oa Array(Int64), ss_ob Array(Int64), ss_oe Array(Int64), ss_oo Array(Int64)");
}

/* Frames with their label; with their limits where there is a measure; with the event that owns them, else. */
static void add_marked(struct text_buffer *sql, const struct remote_scope *scope, const struct remote_measure *measure)
{
    const struct remote_columns *c = scope->columns;

    text_add_print(sql, "(SELECT %s AS ss_r,ss_s,%s AS ss_sc,%s AS ss_q,%s AS ss_t,%s AS ss_x,"
                        "arrayFirstIndex((a,b,e)->ss_t>a AND ss_t<b AND ss_t-ss_x<=e,ss_la,ss_lb,ss_le) AS ss_li,if(ss_li=0,toInt64(0),ss_ll[ss_li]) AS ss_l",
                   c->expression[REMOTE_RUN], c->expression[REMOTE_SCENE], c->expression[REMOTE_QUALITY], c->expression[REMOTE_STAMP],
                   c->expression[REMOTE_FRAME]);
    if (measure)
        text_add_print(sql, ",if(ss_every>1 AND (ss_kept<0 OR ss_x<=ss_kept),ss_every,toInt64(1)) AS ss_w,%s AS ss_tf,%s AS ss_rf,"
                            "multiIf(toInt64(%" PRId64 ")>0,toInt64(%" PRId64 "),ss_tf>0,ss_tf,ss_rt>0,ss_rt,toInt64(%" PRId64 ")>0,toInt64(%" PRId64 "),ss_rf>0,ss_rf,ss_rr>0,ss_rr,toInt64(60000)) AS ss_fps",
                       c->expression[REMOTE_TARGET_FPS], c->expression[REMOTE_REFRESH], measure->fixed_fps_milli, measure->fixed_fps_milli,
                       measure->device_fps_milli, measure->device_fps_milli);
    else
        text_add(sql, ",arrayFirstIndex((a,b,e)->ss_t>a AND ss_t<b AND ss_t-ss_x<=e,ss_oa,ss_ob,ss_oe) AS ss_oi,if(ss_oi=0,toInt64(0),ss_oo[ss_oi]) AS ss_o");
    add_table(sql, scope->address);
    add_join(sql, c);
    add_sound_where(sql, scope);
    text_add(sql, ") AS ss_m");
}

#define RANK(place)    "ss_xs[arrayFirstIndex(c->c>=" place ",ss_cs)]"
#define MIDDLES(value, sums) value "[arrayFirstIndex(c->c>=intDiv(ss_n+1,2)," sums ")]+" value "[arrayFirstIndex(c->c>=intDiv(ss_n,2)+1," sums ")]"
#define MIDDLE_OF(list) list "[intDiv(length(" list ")+1,2)]+" list "[intDiv(length(" list "),2)+1]"

/*
 * Values with their weights, sorted; percentiles are the first value whose summed weight reaches the rank. MAD: the
 * same on |2x - 2 median|. low1: the slowest ceil(n / 100), each as often as it counts. hot: the median of the last
 * quarter of the play time against the first; frames that lie across a border are in neither.
 */
void statement_figures(struct text_buffer *sql, const struct remote_scope *scope, const struct remote_measure *measure, bool pooled)
{
    text_add(sql, "SELECT ss_r,ss_s,ss_sc,ss_q,ss_n,ss_k,ss_d,ss_late,ss_over,ss_slow,ss_ex,ss_med2,"
                  "toInt64(" MIDDLES("arrayMap(v->v.1,ss_ds)", "arrayCumSum(arrayMap(v->v.2,ss_ds))") ") AS ss_mad4,"
                  RANK("intDiv(95*ss_n+99,100)") " AS ss_p95," RANK("intDiv(99*ss_n+99,100)") " AS ss_p99,"
                  "ss_xs[1] AS ss_min,ss_xs[length(ss_xs)] AS ss_max,"
                  "arraySum(arrayMap((x,w,c)->x*greatest(toInt64(0),least(w,intDiv(ss_n+99,100)-(ss_n-c))),ss_xs,ss_ws,ss_cs)) AS ss_low,");
    text_add(sql, pooled ? "0 AS ss_hot,0 AS ss_half FROM (SELECT *,"
                         : "toUInt8(ss_play>0 AND length(ss_q1)>0 AND length(ss_q4)>0 AND 100*(" MIDDLE_OF("ss_q4") ")>=115*(" MIDDLE_OF("ss_q1") ")) AS ss_hot,"
                           "ss_ht[arrayFirstIndex((x,c)->c-x>=intDiv(ss_play,2),ss_hx,ss_hc)] AS ss_half FROM (SELECT *,"
                           "arraySort(arrayFilter((x,c)->c<=intDiv(ss_play,4),ss_hx,ss_hc)) AS ss_q1,"
                           "arraySort(arrayFilter((x,c)->c-x>=ss_play-intDiv(ss_play,4),ss_hx,ss_hc)) AS ss_q4,");
    text_add(sql, "arraySort(arrayMap((x,w)->(toInt64(abs(2*x-ss_med2)),w),ss_xs,ss_ws)) AS ss_ds FROM (SELECT *,"
                  MIDDLES("ss_xs", "ss_cs") " AS ss_med2 FROM (SELECT *,arrayMap(v->v.1,ss_a) AS ss_xs,arrayMap(v->v.2,ss_a) AS ss_ws,arrayCumSum(ss_ws) AS ss_cs");
    if (!pooled)
        text_add(sql, ",arrayMap(v->v.1,ss_h) AS ss_ht,arrayMap(v->v.2,ss_h) AS ss_hx,arrayCumSum(ss_hx) AS ss_hc,ss_hc[length(ss_hc)] AS ss_play");
    text_add_print(sql, " FROM (SELECT %s,ss_s,ss_sc,ss_q,sum(ss_w) AS ss_n,toInt64(count()) AS ss_k,sum(ss_x*ss_w) AS ss_d,"
                        "sumIf(ss_w,ss_x>intDiv(1050000000000,ss_fps)) AS ss_late,sumIf(ss_w,ss_x>intDiv(%" PRId64 ",ss_fps)) AS ss_over,"
                        "sumIf(ss_w,ss_x>intDiv(1500000000000,ss_fps)) AS ss_slow,"
                        "sum(ss_w*greatest(toInt64(0),ss_x-1000*intDiv(1000000000+intDiv(ss_fps,2),ss_fps))) AS ss_ex,"
                        "arraySort(groupArray((ss_x,ss_w))) AS ss_a%s FROM ",
                   pooled ? "'' AS ss_r" : "ss_r", (int64_t)(measure->factor_milli * NS_PER_S), pooled ? "" : ",arraySort(groupArray((ss_t,ss_x))) AS ss_h");
    add_marked(sql, scope, measure);
    text_add_print(sql, " WHERE ss_l=0 GROUP BY %sss_s,ss_sc,ss_q) AS ss_1) AS ss_2) AS ss_3) AS ss_4 ORDER BY ss_r,ss_s,ss_sc,ss_q", pooled ? "" : "ss_r,");
}

void statement_labelled(struct text_buffer *sql, const struct remote_scope *scope, const struct remote_measure *measure)
{
    text_add_print(sql, "SELECT ss_r,ss_sc,ss_q,ss_l,sum(ss_w) AS ss_n,sum(ss_x*ss_w) AS ss_d,sumIf(ss_w,ss_x>intDiv(%" PRId64 ",ss_fps)) AS ss_over FROM ",
                   (int64_t)(measure->factor_milli * NS_PER_S));
    add_marked(sql, scope, measure);
    text_add(sql, " WHERE ss_l>0 GROUP BY ss_r,ss_sc,ss_q,ss_l ORDER BY ss_r,ss_sc,ss_q,ss_l");
}

void statement_peaks(struct text_buffer *sql, const struct remote_scope *scope)
{
    text_add(sql, "SELECT ss_r,ss_sc,ss_q,ss_o,max(ss_x) AS ss_max FROM ");
    add_marked(sql, scope, NULL);
    text_add(sql, " WHERE ss_l=0 GROUP BY ss_r,ss_sc,ss_q,ss_o ORDER BY ss_r,ss_sc,ss_q,ss_o");
}
