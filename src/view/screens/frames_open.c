/* Opening what belongs to the run: its log, the screenshot nearest to the cursor. */
#include "frames.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/ticket/escape.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/view/menu.h"
#include "stutterscope/view/photo_screen.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The recorded picture nearest to the cursor; NULL: none in the run. */
static const char *nearest_screenshot(const struct frames *frames)
{
    const struct run_detail *detail = frames->detail;
    for (size_t away = 0; away < detail->count; away++) {
        size_t before = frames->cursor - away, after = frames->cursor + away;
        if (away <= frames->cursor && detail->screenshot[before])
            return model_text(frames->session->model, detail->screenshot[before]);
        if (after < detail->count && detail->screenshot[after])
            return model_text(frames->session->model, detail->screenshot[after]);
    }
    return NULL;
}

static int list_links(const struct frames *frames, const char *titles[3], const char *links[3])
{
    const char *screenshot = nearest_screenshot(frames);
    int count = 0;
    if (frames->detail->run->log_url) {
        titles[count] = "log of the run";
        links[count++] = frames->detail->run->log_url;
    }
    if (screenshot) {
        titles[count] = "screenshot nearest to the cursor";
        links[count++] = screenshot;
    }
    titles[count] = links[count] = NULL;
    return count;
}

/* Folder of the file that the run came from; a new string, NULL: not known. */
static char *folder_of_import(const struct frames *frames)
{
    struct import_list imports = {0};
    struct error ignored;
    char *folder = NULL;
    if (!store_list_imports(model_store(frames->session->model), &imports, &ignored))
        return NULL;
    for (size_t i = 0; i < imports.count; i++)
        if (imports.items[i].id == frames->detail->run->import && imports.items[i].path)
            folder = memory_copy_bytes(imports.items[i].path,
                                       (size_t)(path_base_name(imports.items[i].path) - imports.items[i].path));
    import_list_free(&imports);
    return folder;
}

/* Where the picture is: as named, else beside the file that named it. A new string. */
static char *find_file(const struct frames *frames, const char *name)
{
    static const char scheme[] = "file://";
    if (strncmp(name, scheme, strlen(scheme)) == 0)
        name += strlen(scheme);
    char *folder = *name == '/' ? NULL : folder_of_import(frames);
    char *beside = folder && *folder ? path_join(folder, name) : NULL;
    free(folder);
    if (beside && access(beside, F_OK) == 0)
        return beside;
    free(beside);
    return memory_copy_text(name);
}

static void show_picture(struct frames *frames, const char *link, struct screen_reply *reply)
{
    struct error error = {0};
    char *path = find_file(frames, link);
    const char *scene = model_scene_name(frames->session->model, frames->window.scene);
    char *title = memory_print("screenshot%s%s", frames->has_window && scene ? " · " : "",
                               frames->has_window && scene ? scene : "");
    if (access(path, F_OK) != 0)
        reply_fail(reply, "%s is not here, nor beside the file it was imported from: it may be on another machine",
                   path);
    else if (!(reply->open = photo_screen_open(path, title, &frames->session->display, &error)))
        reply_fail(reply, "%s", error.text);
    free(title);
    free(path);
}

/* Addresses go to the desktop; pictures are shown; other files, which may be on another machine, to the clipboard. */
static void open_link(struct frames *frames, const char *link, struct screen_reply *reply)
{
    free(frames->opened);
    frames->opened = memory_copy_text(link);
    if (!escape_is_safe_address(link)) {
        if (frames->detail->run->log_url && strcmp(link, frames->detail->run->log_url) == 0)
            reply->copy = memory_copy_text(link);
        else
            show_picture(frames, link, reply);
        return;
    }
    reply->run = memory_take_zeroed(3, sizeof *reply->run);
    reply->run[0] = memory_copy_text("xdg-open");
    reply->run[1] = memory_copy_text(link);
}

static void chosen(void *owner, int index, struct screen_reply *reply)
{
    const char *titles[3], *links[3];
    struct frames *frames = owner;
    if (index < list_links(frames, titles, links))
        open_link(frames, links[index], reply);
}

void frames_open(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    const char *titles[3], *links[3];
    struct frames *frames = state;
    int count = frames->detail && frames->detail->count ? list_links(frames, titles, links) : 0;
    (void)event;
    if (count == 0)
        reply_say(reply, "neither a log nor a screenshot was recorded with this run");
    else if (count == 1)
        open_link(frames, links[0], reply);
    else
        reply->open = menu_open(&(struct menu_options){.title = "open",
                                                       .items = titles,
                                                       .notes = links,
                                                       .owner = frames,
                                                       .choose = chosen,
                                                       .again = ACTION_OPEN});
}

void frames_opened(void *state, int status, struct screen_reply *reply)
{
    struct frames *frames = state;
    if (status == 0 || frames->opened == NULL)
        return;
    reply->copy = memory_copy_text(frames->opened);
    reply_say(reply, "xdg-open did not work here; the address is in the clipboard: %s", frames->opened);
}
