#!/bin/sh
# Compiles base, analysis and the coding of segments for musl and for 32 bits, runs portable.c there, and compares the packed bytes with those of this machine's own compiler: a store may move from
# one machine to another.
#
# Left out is base/json.c, which needs cJSON for the target. In the place of zstd stands zstd.h of this folder, and of
# xxHash only the header is used, so that no library of the target is needed.
#
#   run.sh ROOT
root=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
sources=$(ls "$root"/src/base/*.c "$root"/src/analysis/*.c "$root"/src/store/segment_*.c | grep -v '/json\.c$')

header=$(echo '#include <xxhash.h>' | gcc -E - 2>/dev/null | sed -n 's/^# [0-9]* "\(.*\/xxhash\.h\)".*/\1/p' | head -n 1)
[ -n "$header" ] || { echo "skipped: no gcc or no xxhash.h"; exit 77; }
mkdir "$folder/include" && ln -s "$header" "$folder/include/xxhash.h"

# build TARGET COMPILER...: objects and the program of one target
build() {
    target=$1
    shift
    mkdir "$folder/$target"
    for source in $sources "$root/tests/portable/portable.c"; do
        object=$(printf '%s' "${source#"$root"/}" | tr / _).o # two folders have a settings.c
        "$@" -c -o "$folder/$target/$object" -O1 -std=gnu17 -D_GNU_SOURCE -DXXH_INLINE_ALL \
            -DSTUTTERSCOPE_INSTALLED_DATA='"/usr/share/stutterscope"' -DSTUTTERSCOPE_SOURCE_DATA='"data"' \
            -Wall -Wextra -Werror -Wno-format-truncation -isystem "$folder/include" -I"$root/tests/portable" \
            -I"$root/include" -I"$root/src/store" "$source" || return 1
    done
    "$@" -o "$folder/$target/program" "$folder/$target"/*.o -lm
}

status=0 tried=0
build own gcc && "$folder/own/program" >"$folder/own/says" || { cat "$folder/own/says" 2>/dev/null; echo "not ok: this machine's own"; exit 1; }

# try TARGET PACKAGE COMPILER...
try() {
    target=$1 package=$2
    shift 2
    echo 'int main(void) { return 0; }' >"$folder/empty.c"
    if ! command -v "$1" >/dev/null || ! "$@" -o "$folder/empty" "$folder/empty.c" 2>/dev/null; then
        echo "skipped: $target ($* builds nothing here; Debian's package $package)"
    elif ! "$folder/empty" 2>/dev/null; then
        echo "skipped: $target (its programs do not run here)"
    elif tried=$((tried + 1)); build "$target" "$@" && "$folder/$target/program" >"$folder/$target/says" &&
        cmp "$folder/own/says" "$folder/$target/says"; then
        echo "ok: $target"
    else
        diff "$folder/own/says" "$folder/$target/says"
        echo "not ok: $target"
        status=1
    fi
}
try 32-bit gcc-multilib gcc -m32
try musl musl-tools musl-gcc
[ $tried -gt 0 ] || exit 77
exit $status
