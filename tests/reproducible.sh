#!/bin/bash
# Builds the program twice, in folders of different names and depths, and compares: it must be the same bytes, and must
# not know where it was built.
#
#   reproducible.sh ROOT
set -euo pipefail
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build_copy() {
    mkdir -p "$1"
    (cd "$root" && tar -cf - --exclude='./build*' --exclude=./.git --exclude=./obj-* .) | tar -xf - -C "$1"
    # A cache would hand the second one what was made for the first.
    CCACHE_DISABLE=1 meson setup "$1/build" "$1" -Dtests=false >"$work/log" 2>&1 &&
        CCACHE_DISABLE=1 ninja -C "$1/build" src/stutterscope >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}
first=$work/a second=$work/another/and/deeper
build_copy "$first"
build_copy "$second"

same=0
cmp "$first/build/src/stutterscope" "$second/build/src/stutterscope" || same=1
if grep -aoq -- "$work" "$first/build/src/stutterscope"; then
    echo "the program holds the folder it was built in:"
    strings -a "$first/build/src/stutterscope" | grep -- "$work" | head -n 5
    same=1
fi
[ $same -eq 0 ] && echo "ok: the same program from two folders"
exit $same
