#!/bin/bash
# Whom the program talks to over TLS: a server whose certificate nobody vouches for is refused before anything is sent, one
# whose authority is named is asked, and there is no way around it. The server is a stand-in: it has no tables.
#
#   tls.sh PROGRAM      TAP; skipped without openssl and python3
set -u
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for tool in openssl python3; do
    command -v $tool >/dev/null || { echo "1..0 # SKIP $tool is not installed"; exit 0; }
done
work=$(mktemp -d /tmp/stutterscope-tls-XXXXXX)
pids=()
clean_up() {
    [ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 2' INT TERM
export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work XDG_STATE_HOME=$work LC_ALL=C.UTF-8
export STUTTERSCOPE_CLICKHOUSE_USER=qa STUTTERSCOPE_CLICKHOUSE_PASSWORD=s3cret-$$
unset STUTTERSCOPE_CA_FILE STUTTERSCOPE_STORE
cd "$work" || exit 2

# certificate NAME SUBJECT_ALTERNATIVE_NAME: signed by itself
certificate() {
    openssl req -x509 -newkey rsa:2048 -nodes -keyout "$1.key" -out "$1.pem" -days 2 -subj "/CN=$1" -addext "subjectAltName=$2" 2>openssl.log ||
        { cat openssl.log; exit 2; }
}
# start NAME [CERTIFICATE]: $port is where it answers, NAME.log what it got
start() {
    : >"$1.log"
    mkfifo "$1.port"
    python3 "$here/tls_server.py" "$1.log" ${2+"$2.pem" "$2.key"} >"$1.port" 2>"$1.trouble" &
    pids+=($!)
    read -r -t 30 port <"$1.port" || { echo "Bail out! no server: $(cat "$1.trouble")"; exit 2; }
}

number=0 bad=0
# result WHAT CONDITION...
result() {
    local what=$1
    shift
    number=$((number + 1))
    if "$@"; then
        echo "ok $number - $what"
    else
        sed 's/^/# /' out
        echo "not ok $number - $what"
        bad=1
    fi
}
ask() { "$program" import --store store.db "$1" >out 2>&1; status=$?; } # ask ADDRESS
says() { [ $status -eq 2 ] && grep -qF -- "$1" out; }
got_nothing() { [ ! -s "$1.log" ]; }
got() { grep -qi "$2" "$1.log"; }

certificate ours IP:127.0.0.1
certificate other DNS:db.example.com
start ours ours
address=clickhouses://127.0.0.1:$port/game
echo "1..14"

ask "$address"
result "a certificate nobody vouches for is refused" says "its certificate is not to be trusted (STUTTERSCOPE_CA_FILE names an authority of your own)"
result "before anything is sent" got_nothing ours
export STUTTERSCOPE_CA_FILE=$work/ours.pem
ask "$address"
result "with its authority named it is asked" says "there is no such table"
result "with the credentials" got ours "^authorization: basic $(printf 'qa:%s' "$STUTTERSCOPE_CLICKHOUSE_PASSWORD" | base64)"
result "which nobody sees" eval '! grep -q s3cret out'
: >ours.log
export STUTTERSCOPE_CA_FILE=$work/other.pem
ask "$address"
result "another authority does not vouch for it" says "its certificate is not to be trusted"
result "and nothing is sent" got_nothing ours
export STUTTERSCOPE_CA_FILE=$work/nothing.pem
ask "$address"
result "a file that is not there is said" says "STUTTERSCOPE_CA_FILE names no file with certificates that can be read"
start other other
export STUTTERSCOPE_CA_FILE=$work/other.pem
ask "clickhouses://127.0.0.1:$port/game"
result "a certificate of another name is refused" says "its certificate is not to be trusted"
result "and nothing is sent" got_nothing other
ask "${address/clickhouses/clickhouse}"
result "without TLS such a server is not understood" says "${address/clickhouses/clickhouse}"
result "and does not get a question" got_nothing ours
start plain
ask "clickhouses://127.0.0.1:$port/game"
result "a server without TLS is told" says "no TLS connection comes about"
result "and does not get a question" got_nothing plain
exit $bad
