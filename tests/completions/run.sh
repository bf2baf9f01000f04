#!/bin/bash
# What the shells complete, asked of the shells themselves.  run.sh SHELL FILE: FILE is the completion for it.
# Results are TAP lines; without the shell the test is skipped.
set -uo pipefail
shell=$1 file=$(realpath "$2")
if ! command -v "$shell" >/dev/null; then
    echo "1..0 # SKIP skipped: $shell is not installed"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data TERM=dumb
cd "$work" || exit 2
touch night.csv
number=0 bad=0

# The words that the shell offers at the end of a line; empty lines do not matter.
offers_bash() {
    bash --norc -c '
        source "$1"
        read -ra COMP_WORDS <<<"$2"
        [[ $2 != *" " ]] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
        complete -p stutterscope >/dev/null || exit 1
        _stutterscope stutterscope "${COMP_WORDS[COMP_CWORD]}"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$file" "$1"
}
offers_fish() {
    fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$file" "$1" | cut -f 1
}
# The functions of its completion system, which print what they are given; the line editor itself is asked below.
offers_zsh() {
    zsh -f -c '
        _describe() { print -rl -- "${(@P)2%%:*}" }
        compadd() { shift $argv[(i)--]; print -rl -- "$@" }
        _files() { print -rl -- * }
        words=("${(@s: :)2}") CURRENT=${#words}
        complete_it() { source $1 }
        complete_it $1' zsh "$file" "$1" | awk -v word="${1##* }" 'index($0, word) == 1'
}
# In a terminal of its own: the line after Tab.
line_zsh() {
    mkdir -p "$work/functions"
    cp "$file" "$work/functions/_stutterscope"
    zsh -f -c '
        zmodload zsh/zpty
        zpty -b inner "TERM=vt100 zsh -f -i"
        read_until() { local text= all= i=0
            while (( i++ < 100 )); do
                zpty -r -t inner text && all+=$text && [[ $all == *$1* ]] && return
                zselect -t 5
            done }
        zmodload zsh/zselect
        zpty -w inner "PS1= PS2= RPS1=; fpath=($1/functions \$fpath)"
        zpty -w inner "autoload -Uz compinit; compinit -u -d $1/dump"
        zpty -w inner "show() { print -r -- \"<\$BUFFER>\" > $1/line; print do\"\"ne }; zle -N show; bindkey \"^X\" show; print re\"\"ady"
        read_until ready
        zpty -n -w inner "$2"$'\''\t'\''
        zpty -n -w inner $'\''\x18'\''
        read_until done
        zpty -d inner' zsh "$work" "$1" >/dev/null 2>&1
    cat "$work/line" 2>/dev/null
}

# check LINE WORD...: all of these are offered, and with "-WORD:" in front none of them.
check() {
    local line=$1 word offered fault=
    shift
    offered=$(offers_"$shell" "$line")
    for word in "$@"; do
        case $word in
        not:*) ! grep -Fxq -- "${word#not:}" <<<"$offered" || fault="${word#not:} is offered" ;;
        *) grep -Fxq -- "$word" <<<"$offered" || fault="$word is not offered" ;;
        esac
    done
    number=$((number + 1))
    if [ -z "$fault" ]; then
        echo "ok $number - $shell: $line"
    else
        echo "# $fault: $(tr '\n' ' ' <<<"$offered" | cut -c 1-300)"
        echo "not ok $number - $shell: $line"
        bad=1
    fi
}

check 'stutterscope hea' heatmap not:stats
check 'stutterscope ' import ticket triage sql export not:--json
check 'stutterscope --o' --open not:--output
check 'stutterscope ticket --te' --template not:--json
check 'stutterscope ticket --l' --list-templates --list-names --limit --language
check 'stutterscope export --' --output --format --store --help not:--json not:--csv
check 'stutterscope stats --j' --json
check 'stutterscope --quiet st' not:--store
if [ "$shell" = zsh ]; then
    line=$(line_zsh 'stutterscope heat')
    number=$((number + 1))
    [ "$line" = '<stutterscope heatmap >' ] || { echo "# the line is $line"; printf 'not '; bad=1; }
    echo "ok $number - zsh: Tab completes the line"
fi
echo "1..$number"
exit $bad
