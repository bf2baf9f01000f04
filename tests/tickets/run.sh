#!/bin/bash
# Golden tickets: the text of one stutter, of several, of a build and of a verification, from the sample telemetry, in
# every format and language.
#
#   run.sh [--update] PROGRAM DATA_FOLDER
#
# --update shows every difference to the person who has to judge it, then writes it.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
update=
[ "${1-}" != --update ] || { update=yes; shift; }
[ $# -eq 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2; }
program=$(realpath "$1") data=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state LC_ALL=C.UTF-8 TZ=UTC
export STUTTERSCOPE_DATA=$data
unset STUTTERSCOPE_STORE
cd "$work" || exit 2
mkdir -p "$work/config/stutterscope"
printf '[ticket]\ncommit_link = https://git.example.com/compare/{from}...{to}\n' >"$work/config/stutterscope/config"

"$program" import --quiet "$data"/sample/nightly-*.csv >"$work/report" 2>&1 || { cat "$work/report"; exit 1; }
"$program" devices --load "$data/sample/devices.csv" >/dev/null

one='d6a90e1481@1.8.0(421)'
several=("$one" 'ad3082eef4@1.8.0(421)' '167355c57c@1.8.0(421)')
number=0 bad=0
echo "1..48"

# check NAME HEADINGS ARGUMENT...
check() {
    local name=$1 golden=$here/$1.golden
    shift
    number=$((number + 1))
    "$program" ticket "$@" >"$work/now" 2>"$work/said" || cat "$work/said" >>"$work/now"
    if [ -n "$update" ]; then
        diff -u --label "$name" --label now "$golden" "$work/now" 2>/dev/null | sed 's/^/# /'
        cp "$work/now" "$golden"
    fi
    if diff -u --label "$name" --label now "$golden" "$work/now" >"$work/diff" && [ "$(grep -Ec '^(## |h2\. |== )' "$work/now")" -eq 5 ]; then
        echo "ok $number - $name"
    else
        sed 's/^/# /' "$work/diff"
        echo "not ok $number - $name"
        bad=1
    fi
}

for format in github gitlab jira plain; do
    for language in en ko ja; do
        check "$format-$language" --template "$format-$language" "$one"
        check "several-$format-$language" --template "$format-$language" --limit 2 "${several[@]}"
        check "regressions-$format-$language" --template "$format-$language" --regressions
        check "verification-$format-$language" --template "$format-$language" --data "$here/verification.json"
    done
done
exit $bad
