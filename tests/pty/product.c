#include "product.h"

#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAMPLE_VARIABLE "PTY_SAMPLE_FOLDER"

static int run_quietly(const char *command)
{
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* One store for all tests, made as a person would; every test copies it. */
ReportHook(PRE_ALL)(struct criterion_test_set *tests)
{
    char folder[] = "/tmp/stutterscope-product-XXXXXX", command[2000];
    const char *program = getenv("PTY_PROGRAM"), *data = getenv("PTY_DATA");
    (void)tests;
    if (!program || !data || !mkdtemp(folder))
        return;
    setenv(SAMPLE_VARIABLE, folder, 1);
    snprintf(command, sizeof command,
             "exec >/dev/null 2>&1; HOME=%s XDG_CONFIG_HOME=%s; export HOME XDG_CONFIG_HOME; "
             "'%s' devices --store %s/sample.db --load '%s/sample/devices.csv' && "
             "'%s' import --store %s/sample.db '%s/sample/nightly-418.csv' '%s/sample/nightly-420.csv' "
             "'%s/sample/nightly-421.csv'",
             folder, folder, program, folder, data, program, folder, data, data, data);
    if (run_quietly(command) != 0)
        fprintf(stderr, "the sample store could not be made: %s\n", command);
}

ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
    char command[200];
    const char *folder = getenv(SAMPLE_VARIABLE);
    (void)stats;
    if (!folder)
        return;
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    run_quietly(command);
}

static void make_folder(struct product *product)
{
    char command[300];
    cr_assert(getenv("PTY_PROGRAM") && getenv("PTY_DATA"), "PTY_PROGRAM and PTY_DATA say what is tested");
    cr_assert_not_null(getenv(SAMPLE_VARIABLE));
    snprintf(product->folder, sizeof product->folder, "%s/XXXXXX", getenv(SAMPLE_VARIABLE));
    cr_assert_not_null(mkdtemp(product->folder));
    snprintf(product->store, sizeof product->store, "%s/nightly.db", product->folder);
    snprintf(command, sizeof command, "cp %s/sample.db %s", getenv(SAMPLE_VARIABLE), product->store);
    cr_assert_eq(run_quietly(command), 0);
}

/* Inherited by what is started; a test is a process of its own. */
static void prepare_home(const struct product *product)
{
    static const char *const names[] = {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME",
                                        "XDG_CACHE_HOME"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        setenv(names[i], product->folder, 1);
    setenv("USER", "minji", 1);
    setenv("STUTTERSCOPE_DATA", getenv("PTY_DATA"), 1);
    unsetenv("STUTTERSCOPE_STORE");
}

void product_start_with(struct product *product, struct pty_options options, const char *const arguments[])
{
    const char *argv[8] = {getenv("PTY_PROGRAM"), NULL};
    if (product->folder[0] == '\0')
        make_folder(product);
    prepare_home(product);
    argv[1] = product->store;
    for (size_t i = 0; i + 3 < sizeof argv / sizeof *argv && arguments && arguments[i]; i++)
        argv[i + 2] = arguments[i];
    if (options.rows == 0) {
        options.rows = PRODUCT_ROWS;
        options.columns = PRODUCT_COLUMNS;
    }
    product->pty = pty_start(&options, argv);
}

void product_start(struct product *product, struct pty_options options, const char *further)
{
    const char *const arguments[] = {further, NULL};
    product_start_with(product, options, arguments);
    cr_assert(pty_expect(product->pty, "? help"));
}

void product_stop(struct product *product)
{
    pty_stop(product->pty);
    product->pty = NULL;
}

char *product_run(const struct product *product, const char *arguments, int *ret_status)
{
    char command[600];
    size_t size = 0, capacity = 1 << 16;
    char *text = calloc(1, capacity + 1);
    snprintf(command, sizeof command, "'%s' %s%s%s 2>&1", getenv("PTY_PROGRAM"), arguments,
             product ? " --store " : "", product ? product->store : "");
    FILE *output = popen(command, "r");
    cr_assert_not_null(output);
    for (size_t more; (more = fread(text + size, 1, capacity - size, output)) > 0 && size < capacity;)
        size += more;
    int status = pclose(output);
    *ret_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return text;
}
