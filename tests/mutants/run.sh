#!/bin/bash
# Would the tests notice?  Every *.patch beside this file puts one fault into the program; for each one the tests that
# its first lines name have to fail at least once.
#
#   run.sh [--jobs N] [PATCH...]
#
# A patch begins with "tests: NAME, NAME" (names of meson tests; without it all tests are run), then the diff.  The
# tree is copied, so that nothing happens to it.  A patch that no longer applies or does not build is a failure too.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
jobs=$(nproc)
[ "${1-}" != --jobs ] || { jobs=$2; shift 2; }
patches=("$@")
[ $# -gt 0 ] || patches=("$here"/*.patch)
[ -f "${patches[0]}" ] || { echo "no patches in $here"; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree build=$work/build
mkdir "$tree"
(cd "$root" && tar -cf - --exclude='./build*' --exclude=./.git .) | tar -xf - -C "$tree"

fail() { echo "$*"; exit 2; }
meson setup "$build" "$tree" -Dwerror=false -Doptimization=1 >"$work/log" 2>&1 || { cat "$work/log"; fail "meson setup failed"; }
ninja -j"$jobs" -C "$build" >"$work/log" 2>&1 || { cat "$work/log"; fail "the tree does not build"; }

# tests_of PATCH: into the array `tests`.
tests_of() {
    local line
    line=$(sed -n 's/^tests: *//p;/^---/q' "$1" | head -n 1)
    tests=()
    [ -z "$line" ] || { mapfile -t tests < <(tr ',' '\n' <<<"$line" | sed 's/^ *//; s/ *$//'); }
}
run_tests() {
    meson test -C "$build" --no-rebuild --num-processes "$jobs" "${tests[@]}" >"$work/log" 2>&1
}

# Without a fault the same tests pass; otherwise a failure says nothing.
declare -A seen=()
for patch in "${patches[@]}"; do
    tests_of "$patch"
    key=${tests[*]-}
    [ -z "${seen[_$key]-}" ] || continue
    seen[_$key]=yes
    run_tests || { tail -n 40 "$work/log"; fail "these tests fail without a fault: ${key:-all}"; }
done

found=0 missed=0
for patch in "${patches[@]}"; do
    name=$(basename "$patch" .patch)
    tests_of "$patch"
    if ! patch -d "$tree" -p1 -l --no-backup-if-mismatch --forward <"$patch" >"$work/log" 2>&1; then
        echo "STALE   $name: does not apply"
        missed=$((missed + 1))
    elif ! ninja -j"$jobs" -C "$build" >"$work/log" 2>&1; then
        echo "STALE   $name: does not build"
        missed=$((missed + 1))
    elif run_tests; then
        echo "MISSED  $name: ${tests[*]:-all tests} passed"
        missed=$((missed + 1))
    else
        echo "found   $name: $(grep -Eo '^ *[0-9]+/[0-9]+ .*(FAIL|ERROR|TIMEOUT)' "$work/log" | head -n 1 |
            sed -E 's/^ *[0-9]+\/[0-9]+ //; s/ +(FAIL|ERROR|TIMEOUT)$//')"
        found=$((found + 1))
    fi
    # Back to the tree's own files, with new times, so that they are built again.
    sed -n 's/^+++ b\///p' "$patch" | while read -r file; do
        cp "$root/$file" "$tree/$file" && touch "$tree/$file"
    done
    find "$tree" -name '*.rej' -delete
done
echo "$found faults found, $missed missed"
[ $missed -eq 0 ]
