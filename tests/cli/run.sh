#!/bin/bash
# Golden command lines.  Every folder beside this file with a file `cmd` is one test: cmd is a shell script that runs in
# an empty folder with an empty store, and what it printed and its exit status must equal the files stdout, stderr and
# status (missing: empty, empty, 0).
#
#   run.sh [--update] PROGRAM DATA_FOLDER [NAME...]
#
# --update shows every difference to the person who has to judge it, then writes it.  In cmd: `stutterscope` is the
# program, $CASE the folder of the case, $DATA the program's data; in what is compared these and the scratch folder
# stand as CASE, DATA and SCRATCH.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
update=
[ "${1-}" != --update ] || { update=yes; shift; }
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2; }
program=$(realpath "$1") data=$(realpath "$2")
shift 2
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(cd "$here" && for cmd in */cmd; do [ ! -f "$cmd" ] || dirname "$cmd"; done)
[ ${#names[@]} -gt 0 ] || { echo "1..0 # SKIP no cases"; exit 0; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" && ln -s "$program" "$work/bin/stutterscope"

normalise() {
    sed -e "s|$work/scratch|SCRATCH|g" -e "s|$here/$1|CASE|g" -e "s|$data|DATA|g" "$2"
}

run_case() {
    rm -rf "$work/scratch" && mkdir -p "$work/scratch/home" "$work/got"
    (
        cd "$work/scratch" || exit 99
        exec env -i PATH="$work/bin:$PATH" HOME="$work/scratch/home" LC_ALL=C.UTF-8 TZ=UTC TERM=dumb \
            XDG_DATA_HOME="$work/scratch/home/data" XDG_CONFIG_HOME="$work/scratch/home/config" \
            XDG_STATE_HOME="$work/scratch/home/state" XDG_CACHE_HOME="$work/scratch/home/cache" \
            STUTTERSCOPE_DATA="$data" STUTTERSCOPE_STORE="$work/scratch/store.db" \
            ASAN_OPTIONS="${ASAN_OPTIONS-}" UBSAN_OPTIONS="${UBSAN_OPTIONS-}" \
            CASE="$here/$1" DATA="$data" sh "$here/$1/cmd"
    ) >"$work/raw.stdout" 2>"$work/raw.stderr" </dev/null
    echo $? >"$work/got/status"
    normalise "$1" "$work/raw.stdout" >"$work/got/stdout"
    normalise "$1" "$work/raw.stderr" >"$work/got/stderr"
}

echo "1..${#names[@]}"
number=0 bad=0
for name in "${names[@]}"; do
    number=$((number + 1)) differs=
    [ -f "$here/$name/cmd" ] || { echo "not ok $number - $name: no such case"; bad=1; continue; }
    run_case "$name"
    for part in stdout stderr status; do
        want=$work/want
        if [ -f "$here/$name/$part" ]; then
            cp "$here/$name/$part" "$want"
        elif [ $part = status ]; then
            echo 0 >"$want"
        else
            : >"$want"
        fi
        if ! diff -u --label "$name/$part" --label "now" "$want" "$work/got/$part" >"$work/diff"; then
            differs=yes
            sed 's/^/# /' "$work/diff"
            [ -z "$update" ] || cp "$work/got/$part" "$here/$name/$part"
        fi
    done
    if [ -z "$differs" ]; then
        echo "ok $number - $name"
    elif [ -n "$update" ]; then
        echo "ok $number - $name (updated: look at the difference above)"
    else
        echo "not ok $number - $name"
        bad=1
    fi
done
exit $bad
