# For the scripts beside it: import files into a fresh store and compare figures of the program's JSON.  Results are TAP
# lines.  Sourced by run.sh, which sets $program, $reference and $case_name.

number=0 bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work/home XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state
export XDG_CACHE_HOME=$work/cache LC_ALL=C.UTF-8 TZ=UTC
folder=$(echo "$reference/cases/$case_name"-*)
data=${STUTTERSCOPE_DATA-$(cd "$here/../../../data" && pwd)}

# result TEXT OK [WHY]
result() {
    number=$((number + 1))
    if [ "$2" = yes ]; then
        echo "ok $number - $case_name $1"
    else
        [ -z "${3-}" ] || printf '%s\n' "$3" | head -n 20 | sed 's/^/# /'
        echo "not ok $number - $case_name $1"
        bad=1
    fi
}

# skip TEXT WHY
skip() {
    number=$((number + 1))
    echo "ok $number - $case_name $1 # SKIP skipped: $2"
}

# fresh: an empty store from here on.
fresh() {
    rm -rf "$work"/store.db*
    export STUTTERSCOPE_STORE=$work/store.db
}

# take FILE [OPTION...]: imports a file of the case; its report is in $work/report.  Status of the import.
take() {
    local file=$1
    shift
    [[ $file == /* ]] || file=$folder/$file
    "$program" import "$@" "$file" >"$work/report" 2>&1 </dev/null
}

# takes FILE [OPTION...]: the same into a fresh store, and it has to work.
takes() {
    fresh
    if take "$@"; then
        result "$1 is imported" yes
    else
        result "$1 is imported" no "$(cat "$work/report")"
    fi
}

# refuses FILE [WORD...]: refused with status 2 and the words in the message, and nothing is stored.
refuses() {
    local file=$1 status word
    fresh
    take "$file"
    status=$?
    shift
    if [ $status -eq 2 ]; then
        result "$file is refused" yes
    else
        result "$file is refused" no "status $status: $(cat "$work/report")"
    fi
    for word in "$@"; do
        says "$file" "$word"
    done
    [ ! -e "$STUTTERSCOPE_STORE" ] || figures "" runs "$file left nothing" '.rows | length' 0
}

# says WHAT REGEX: the report of the last import says so.
says() {
    if grep -Eiq -- "$2" "$work/report"; then
        result "$1: the report says $2" yes
    else
        result "$1: the report says $2" no "$(cat "$work/report")"
    fi
}

# ask VERB OPTIONS: the JSON of a verb.
ask() {
    local every=(--build all)
    [[ $2 != *--build* && $1 != builds && $1 != devices ]] || every=()
    # shellcheck disable=SC2086
    "$program" $1 --json --limit 0 "${every[@]}" $2 2>"$work/trouble" </dev/null
}

# Numbers may differ by 0.001.
readonly comparing='
def near($a; $b): if ($a | type) == "number" and ($b | type) == "number" then (($a - $b) | fabs) <= 0.00101 else $a == $b end;
def many: if type == "array" then length elif type == "object" then .count else . end;
def gameplay: .rows | map(select(.label == "gameplay"));'

# figures OPTIONS VERB WHAT (JQ-EXPRESSION EXPECTED-JSON)...: one call of the program and of jq for all of them.
figures() {
    local options=$1 verb=$2 what=$3 json pairs query= lines i
    shift 3
    pairs=("$@")
    json=$(ask "$verb" "$options") || json=null
    for ((i = 0; i < ${#pairs[@]}; i += 2)); do
        query+="${query:+,}{got: (try ([${pairs[i]}] | .[0]) catch \"error: \\(.)\"), want: (${pairs[i + 1]})}"
    done
    mapfile -t lines < <(jq -r "$comparing $query | (if near(.got; .want) then \"yes\" else \"no\" end) + (.got | tojson)" \
        <<<"$json" 2>&1)
    for ((i = 0; i < ${#pairs[@]}; i += 2)); do
        if [[ ${lines[i / 2]-} == yes* ]]; then
            result "$what: $verb ${pairs[i]} = ${pairs[i + 1]}" yes
        else
            result "$what: $verb ${pairs[i]} = ${pairs[i + 1]}" no "found $(printf %s "${lines[i / 2]-${lines[*]-nothing}}" | sed s/^no//) $(cat "$work/trouble")"
        fi
    done
}

# group FILE SELECT KEY=VALUE...: figures of the one group (stats row) that SELECT leaves.
group() {
    row stats "$@"
}

# row VERB WHAT SELECT KEY=VALUE...
row() {
    local verb=$1 what=$2 select=$3 pair list=()
    shift 3
    for pair in "$@"; do
        list+=(".rows | map(select($select)) | .[0].${pair%%=*}" "${pair#*=}")
    done
    figures "${row_options-}" "$verb" "$what" ".rows | map(select($select)) | length" 1 "${list[@]}"
}

# No number that is none, in any verb.
no_nan() {
    local verb out
    for verb in stats runs windows stutters heatmap; do
        out=$(ask $verb "")
        if [ -n "$out" ] && jq -e . <<<"$out" >/dev/null 2>&1 && ! grep -Eiq -- '(^|[^a-z])-?(nan|inf(inity)?)([^a-z]|$)' <<<"$out"; then
            result "$1: $verb holds only numbers" yes
        else
            result "$1: $verb holds only numbers" no "$out"
        fi
    done
}

finish() {
    echo "1..$number"
    exit $bad
}
