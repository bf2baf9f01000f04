#!/bin/bash
# Two real servers as two shards behind a Distributed table on loopback ports: what is imported from them must be, window
# by window and figure by figure, what is imported from the same frames as a file.
# Usage: run.sh PROGRAM DATA.  Ends with "N passed, N failed"; 77 when there is no clickhouse-server.
set -u
program=$(realpath "$1") data=$(realpath "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v clickhouse-server >/dev/null || { echo "skipped: clickhouse-server is not installed"; exit 77; }
command -v curl >/dev/null || { echo "skipped: curl is not installed"; exit 77; }
work=$(mktemp -d /tmp/stutterscope-engine-XXXXXX)
export XDG_DATA_HOME=$work XDG_CONFIG_HOME=$work XDG_STATE_HOME=$work LC_ALL=C.UTF-8 STUTTERSCOPE_DATA=$data
unset STUTTERSCOPE_STORE
base=$((20000 + $$ % 9000 * 4)) # ports from here on
password="s3cret-$$"
export STUTTERSCOPE_CLICKHOUSE_USER=default STUTTERSCOPE_CLICKHOUSE_PASSWORD=$password
passed=0 failed=0
declare -A pids=()

check() { # check WHAT COMMAND...
    local what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what"
    fi
}

stop_server() {
    [ -n "${pids[$1]-}" ] || return 0
    kill "${pids[$1]}" 2>/dev/null
    wait "${pids[$1]}" 2>/dev/null
    unset "pids[$1]"
}
clean_up() {
    stop_server 1
    stop_server 2
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 2' INT TERM

http_port() { echo $((base + $1 * 3)); }

write_config() {
    local folder=$work/server$1 tcp=$((base + $1 * 3 + 1)) shard
    mkdir -p "$folder"/{data,tmp,files}
    {
        cat <<X
<yandex>
  <logger><level>error</level><log>$folder/log</log><errorlog>$folder/errors</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>$(http_port "$1")</http_port>
  <tcp_port>$tcp</tcp_port>
  <path>$folder/data/</path>
  <tmp_path>$folder/tmp/</tmp_path>
  <user_files_path>$folder/files/</user_files_path>
  <users_config>$folder/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>UTC</timezone>
  <mark_cache_size>67108864</mark_cache_size>
  <remote_servers><both>
X
        for shard in 1 2; do
            echo "    <shard><replica><host>127.0.0.1</host><port>$((base + shard * 3 + 1))</port><password>$password</password></replica></shard>"
        done
        echo "  </both></remote_servers>"
        echo "</yandex>"
    } >"$folder/config.xml"
    cat >"$folder/users.xml" <<X
<yandex>
  <profiles><default><max_memory_usage>2000000000</max_memory_usage><max_threads>2</max_threads></default></profiles>
  <quotas><default></default></quotas>
  <users><default>
    <password>$password</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
  </default></users>
</yandex>
X
}

start_server() {
    local tries
    clickhouse-server --config-file="$work/server$1/config.xml" >"$work/server$1/out" 2>&1 &
    pids[$1]=$!
    for ((tries = 0; tries < 200; tries++)); do
        [ "$(curl -s --noproxy '*' "http://127.0.0.1:$(http_port "$1")/ping")" = "Ok." ] && return 0
        kill -0 "${pids[$1]}" 2>/dev/null || break
        sleep 0.1
    done
    echo "server $1 does not start:"
    tail -n 5 "$work/server$1/out" "$work/server$1/errors" 2>/dev/null
    return 1
}

ask() { # ask SERVER SQL
    curl -sS --fail --noproxy '*' -u "default:$password" "http://127.0.0.1:$(http_port "$1")/?wait_end_of_query=1" --data-binary "$2"
}

load() { # load CSV...: run by run, each on one of the servers
    local server
    for server in 1 2; do
        awk -v shard=$((server - 1)) -v shards=2 -f "$here/to_rows.awk" "$@" |
            curl -sS --fail --noproxy '*' -H 'Expect:' -u "default:$password" --data-binary @- \
                "http://127.0.0.1:$(http_port $server)/?query=INSERT+INTO+frames_local+FORMAT+TabSeparated" || return 1
    done
}

address="clickhouse://127.0.0.1:$(http_port 1)/default"
run() { "$program" "$@" 2>"$work/errors" >"$work/out"; }
says() { grep -qF -- "$1" "$work/errors" "$work/out"; }
same_rows() { # same_rows VERB OPTION...: both stores say the same, but for the word "summarised" and the quarters of runs
    local verb=$1 store
    shift
    for store in files server; do
        "$program" "$verb" --store "$work/$store.db" --build all --json --limit 0 "$@" 2>/dev/null |
            jq -S '[.rows[] | del(.heat, .quarter_median_ms, .quarter_thermal_state) | if .flags then .flags -= ["summarised"] else . end
                    | if .clean_devices then .clean_devices |= sort else . end] | sort_by(tojson)' >"$work/$verb.$store" || return 1
    done
    [ "$(jq length "$work/$verb.files")" -gt 0 ] && cmp -s "$work/$verb.files" "$work/$verb.server" || {
        diff "$work/$verb.files" "$work/$verb.server" | head -n 20
        return 1
    }
}
digest() { sha256sum <"$work/server.db"; cat "$work"/server.db-wal 2>/dev/null | sha256sum; }

write_config 1
write_config 2
start_server 1 && start_server 2 || { echo "0 passed, 1 failed"; exit 1; }
for server in 1 2; do
    ask $server "$(cat "$here/schema.sql")" && ask $server "CREATE TABLE frames AS frames_local ENGINE = Distributed(both, default, frames_local, rand())" ||
        { echo "0 passed, 1 failed"; exit 1; }
done

awk -v builds=2 -v devices=3 -v runs=7 -v frames=900 -v seed=4711 -f "$here/telemetry.awk" >"$work/hard.csv"
check "loading" load "$work/hard.csv"
check "import of files" run import --store "$work/files.db" "$work/hard.csv"

echo "== the same frames from files and from two servers"
check "import of servers" run import --store "$work/server.db" "$address"
check "both builds are named" says "build b2: 21 runs"
for verb in windows stutters stats runs heatmap compare coverage; do
    check "$verb" same_rows $verb
done
check "windows at another z" same_rows windows --z 6
check "windows at another gap" same_rows windows --gap 200

echo "== what is not here"
check "a lower factor" run windows --store "$work/server.db" --factor 1.5
check "says how to import again" says "Import again with --factor 1.5"
frames=(frames --build b1 --device "Slate 1" --run run-1 --from 3000 --to 9000 --limit 0 --json)
pick='[.rows[] | [.timestamp_ms, .frame_time_ms, .cpu_frame_ms, .gpu_frame_ms, .event_name, .label]]'
check "frames on demand" run "${frames[@]}" --store "$work/server.db" --fetch
jq -c "$pick" "$work/out" >"$work/fetched"
check "are some" test "$(jq length "$work/fetched")" -gt 0
run "${frames[@]}" --store "$work/files.db"
check "are all of them" test "$(jq -c "$pick" "$work/out")" = "$(cat "$work/fetched")"
check "check" run check --store "$work/server.db"
check "repair" run check --repair --store "$work/server.db"
check "windows after a repair" same_rows windows
check "a file of the same build" test "$(run import --store "$work/server.db" "$work/hard.csv"; echo $?)" = 2
check "is refused in words" says "the figures of files and of servers are not mixed"

echo "== again, and more"
check "again" run import --store "$work/server.db" "$address"
check "nothing is new" says "build b1: unchanged"
sed 's/,b2,/,b3,/' "$work/hard.csv" | awk -F, 'NR == 1 || ($8 == "b3" && $7 == "Slate 1")' >"$work/more.csv"
check "loading more" load "$work/more.csv"
check "import" run import --store "$work/server.db" "$address"
check "what was there is not asked for" says "build b2: unchanged"
check "what is new is" says "build b3: 7 runs"
run import --store "$work/files.db" "$work/more.csv"
check "windows" same_rows windows
check "compare" same_rows compare

echo "== what is left out, and whose FPS it is"
ask 1 "INSERT INTO frames_local (build_id, device_model, scene, run_id, timestamp_ns, frame_time_ns)
       SELECT 'b5', if(number = 1, '', 'Slate 9'), 'Hall', if(number = 2, '', 'r1'), (number + 1) * 20000000,
              if(number = 3, -1, if(number = 60, 60000000, 20000000)) FROM system.numbers LIMIT 100"
ask 1 "INSERT INTO frames_local (build_id, device_model, scene, run_id, timestamp_ns, frame_time_ns)
       SELECT '', 'Slate 9', 'Hall', 'r1', (number + 1) * 20000000, 20000000 FROM system.numbers LIMIT 7"
printf 'device_model,target_fps\nSlate 9,25\n' >"$work/devices.csv"
check "devices" run devices --store "$work/new.db" --load "$work/devices.csv"
check "one build" run import --store "$work/new.db" "$address" --build b5
check "is taken" says "build b5: 1 run, 97 frames"
check "with what is left out" says "left out: 3 rows without a sound time stamp"
check "and no other one" test "$(grep -c 'build b' "$work/out")" = 1
run windows --store "$work/new.db" --json
check "60 ms are within 2 x 40 ms, by the devices file" test "$(jq '.rows | length' "$work/out")" = 0
check "60 FPS said by hand" run import --store "$work/new.db" "$address" --build b5 --fps 60
run windows --store "$work/new.db" --json
check "60 ms are more than 2 x 16.7 ms, for whoever looks" test "$(jq -c '[.rows[] | [.peak_frame_ms, .threshold_ms]]' "$work/out")" = "[[60,33.333333]]"
check "all builds" run import --store "$work/all.db" "$address"
check "rows without a build are told" says "left out: 7 rows without a build"

echo "== what goes wrong"
check "a wrong password" test "$(STUTTERSCOPE_CLICKHOUSE_PASSWORD=wrong-one run import --store "$work/server.db" "$address"; echo $?)" = 2
check "is said" says "does not know this user or password"
check "a wrong table" test "$(run import --store "$work/server.db" "$address/nothing"; echo $?)" = 2
check "is said" says "there is no such table"
sed 's/,b2,/,b4,/' "$work/hard.csv" | awk -F, 'NR == 1 || ($8 == "b4" && $7 == "Slate 1")' >"$work/more.csv"
check "loading" load "$work/more.csv"
"$program" stats --store "$work/server.db" >/dev/null 2>&1
before=$(digest)
stop_server 2
check "one server is down" test "$(run import --store "$work/server.db" "$address"; echo $?)" = 2
check "is said" says "(a shard) does not answer"
check "the store is as it was" test "$(digest)" = "$before"
check "frames on demand" test "$(run frames --store "$work/server.db" --build b1 --device "Slate 1" --run run-1 --fetch; echo $?)" = 2
check "say it, too" says "does not answer"
stop_server 1
check "both are down" test "$(run import --store "$work/server.db" "$address"; echo $?)" = 2
check "is said" says "nothing answers there"
check "the store is as it was, still" test "$(digest)" = "$before"
check "what is stored is there without them" same_rows windows
check "no password in store or answers" test "$(cat "$work"/server.db* "$work/out" "$work/errors" | grep -caF "$password")" = 0

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
