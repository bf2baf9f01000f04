#!/bin/sh
# Who may include whom: reads every #include of include/ and src/ and compares it with the tables below, which are
# those of src/ARCHITECTURE.md.  layers.sh [ROOT]
cd "${1:-$(dirname "$0")/..}" || exit 2

# folder: folders it may use beside itself
layers='
base
store     base
import    base
analysis  base
remote    base store analysis
model     base store analysis remote
ticket    base model
photo     base
view      base model photo ticket
cli       base model ticket import remote view
tui       base model ticket view
main      base cli tui
'
# files that may do more: import.c alone joins a reader to the store
exceptions='
src/import/import.c                      store
include/stutterscope/import/import.h     store
'
# headers of libraries: where they may be seen
libraries='
curses.h        src/tui/terminal.c src/tui/input.c
ncurses.h       src/tui/terminal.c src/tui/input.c
term.h          src/tui/terminal.c src/tui/input.c
sqlite3.h       src/store/
cjson/cJSON.h   src/base/json.c
cJSON.h         src/base/json.c
zstd.h          src/store/ src/import/
xxhash.h        src/base/ src/store/
curl/curl.h     src/remote/http.c
libxml/xmlreader.h src/import/xml_input.h
archive.h       src/import/unpack.c
archive_entry.h src/import/unpack.c
png.h           src/photo/png.c
jpeglib.h       src/photo/jpeg.c
chafa.h         src/photo/show.c
'

find include src -name '*.[ch]' -exec grep -EHn '^[ \t]*#[ \t]*include' {} + |
    LAYERS=$layers EXCEPTIONS=$exceptions LIBRARIES=$libraries awk '
    function fault(why) { print where ": " why; faults++ }
    function read_table(text, table,    lines, words, n, i, m, j) {
        n = split(text, lines, "\n")
        for (i = 1; i <= n; i++) {
            m = split(lines[i], words, " ")
            for (j = 2; j <= m; j++)
                table[words[1], words[j]] = 1
            if (m) {
                table[words[1]] = lines[i]
                sub(/^[^ ]+ */, "", table[words[1]])
            }
        }
    }
    BEGIN {
        read_table(ENVIRON["LAYERS"], layer)
        read_table(ENVIRON["EXCEPTIONS"], more)
        read_table(ENVIRON["LIBRARIES"], library)
    }
    {
        file = $0; sub(/:.*/, "", file)
        where = $0; sub(/:[ \t]*#.*/, "", where)
        name = $0; sub(/^[^#]*#[ \t]*include[ \t]*[<"]/, "", name); sub(/[>"].*/, "", name)
        folder = file; sub(/^(include\/stutterscope|src)\//, "", folder)
        if (!sub(/\/.*/, "", folder))
            folder = "main"
        includes++

        base = name; sub(/^ncursesw?\//, "", base)
        if (base in library) {
            n = split(library[base], places, " ")
            for (allowed = i = 0; ++i <= n; )
                if (index(file, places[i]) == 1)
                    allowed = 1
            if (!allowed)
                fault("<" name "> is only for " library[base])
        }
        if (!(folder in layer))
            fault("the folder " folder " is not in the table of layers")
        if (name ~ /\.\.\//)
            fault("includes by a relative path: " name)
        if (name !~ /^stutterscope\//) {
            if (name ~ /\// && $0 ~ /"/)
                fault("a private header of another folder: " name)
            next
        }
        split(name, parts, "/")
        used = parts[2]
        if (used != folder && !((folder, used) in layer) && !((file, used) in more))
            fault(folder " may not use " used " (" name ")")
    }
    END {
        if (!includes) { print "no #include found: not the root of the project?"; exit 2 }
        print includes " includes, " faults + 0 " against the layers"
        exit faults > 0
    }'
