# Tickets on their way out: summary command, clipboard, post command, payload; names stay names everywhere.
fresh
mkdir -p "$work/bin" "$XDG_CONFIG_HOME/stutterscope"
awk 'BEGIN {
    print "timestamp_ms,frame_time_ms,device_model,build_id,scene,event_name,run_id"
    for (r = 1; r <= 3; r++) {
        t = 0
        for (f = 0; f < 60; f++) {
            v = f == 40 ? 90 + r : 16
            t += v
            print t "," v ",$(reboot) `touch pwned` ;x,b1,Battle_03," (f == 40 ? "boss_spawn" : "") ",r" r
        }
    }
}' >"$work/frames.csv"
take "$work/frames.csv" || result "frames are imported" no "$(cat "$work/report")"
id=$("$program" stutters --json | jq -r '.rows[0].id')
device='$(reboot) `touch pwned` ;x'
config=$XDG_CONFIG_HOME/stutterscope/config
unset WAYLAND_DISPLAY DISPLAY TMUX STY
cd "$work" || exit 2

# run OPTION...: the ticket; text in out, remarks in said.
run() {
    "$program" ticket "$id" "$@" >"$work/out" 2>"$work/said" </dev/null
    status=$?
}
# has WHAT FILE TEXT
has() {
    result "$1" "$(grep -Fq -- "$3" "$work/$2" && echo yes)" "$(cat "$work/$2" "$work/said")"
}
lacks() {
    result "$1" "$(grep -Fq -- "$3" "$work/$2" || echo yes)" "$(cat "$work/$2")"
}
ends() {
    result "$1: status $2" "$([ $status -eq "$2" ] && echo yes)" "status $status: $(cat "$work/said")"
}

# ---- summary command
run --template plain
ends "without a summary" 0
lacks "off by default" out "Written by a program"
run --template plain --summary-command "jq -r '\"Peak \\(.peak_frame_ms) ms, 250 ms before; on \\(.device)\"'"
ends "summary" 0
has "its text is marked as an estimate" out 'Written by a program (estimate): Peak 93 ms, 250 (?) ms before; on $(reboot)'
printf '[ticket]\nsummary_command = echo from the settings\nsummary_seconds = 1\n' >"$config"
run --template plain
has "the settings name one" out "estimate): from the settings"
run --template plain --summary-command ''
lacks "and can be overruled" out "from the settings"
# A pipe that nobody writes to: whoever reads it waits until it is stopped.
mkfifo "$work/silent"
for command in false true "sh -c 'exec cat <>$work/silent'" no-such-program yes "echo 'open"; do
    run --template plain --summary-command "$command"
    ends "$command does not cost the ticket" 0
    has "$command: the ticket is there" out "== To reproduce"
    lacks "$command: without a summary" out "Written by a program"
    has "$command: it is said" said "without a summary"
    [[ $command != *silent* ]] || has "$command: and why" said "was not done after 1"
done
rm -f "$config"

# ---- post command
cat >"$work/bin/file-it" <<'END'
#!/bin/sh
printf '%s\n' "$#" "$@" >"$OUT/arguments"
cat >"$OUT/filed"
echo "created https://tracker.example/issues/7"
END
chmod +x "$work/bin/file-it"
export PATH=$work/bin:$PATH OUT=$work
run --post
ends "--post without a command" 2
has "it says what to set" said "[ticket]"
printf '[ticket]\npost = file-it --title {title} -F -\n' >"$config"
run --post --template github
ends "--post" 0
result "the title is one argument" "$([ "$(head -n 1 "$work/arguments")" = 4 ] && grep -Fq "$device" "$work/arguments" && echo yes)" "$(cat "$work/arguments")"
has "the body is on the input" filed "## Observed"
has "its output is shown" out "created https://tracker.example/issues/7"
has "the reference is told" said "filed as https://tracker.example/issues/7"
figures "" stutters "the store knows it" '.rows[0].state' '"filed"' '.rows[0].ticket' '"https://tracker.example/issues/7"'
rm -f "$work/filed"
run --post
ends "a second ticket about the same" 2
has "the first one is named with its state" said "https://tracker.example/issues/7, filed, in b1"
has "nothing was filed" said "--again"
result "the command was not started" "$([ ! -e "$work/filed" ] && echo yes)"
run --template plain
ends "writing it again" 0
has "the first one is named then, too" said "https://tracker.example/issues/7, filed"
run --again --post-command 'sh -c "echo not logged in >&2; exit 3"'
ends "a command that fails" 2
has "its words are shown" said "not logged in"
figures "" stutters "a failure changes nothing" '.rows[0].ticket' '"https://tracker.example/issues/7"'
env --ignore-signal=CHLD "$program" ticket "$id" --again --post-command 'sh -c "exit 3"' >"$work/out" 2>"$work/said" </dev/null
status=$?
ends "a command that fails, where the caller ignores SIGCHLD" 2
has "its status is known" said "ended with status 3"
run --again --post-command "sh -c 'cat >\"\$OUT/filed\"; echo GAME-12' x"
has "another reference" said "filed as GAME-12"
has "the whole text is on the input" filed "# [Stutter]"
figures "" stutters "the newer reference" '.rows[0].ticket' '"GAME-12"'
rm -f "$config"

# ---- editor
cat >"$work/bin/change it" <<'END'
#!/bin/sh
printf '%s\n' "$@" >"$OUT/arguments"
for file; do :; done
ls -l "$file" | cut -c 1-10 >"$OUT/mode"
[ "$1" != empty ] || : >"$file"
[ "$1" != fail ] || exit 4
[ "$1" != title ] || sed -i '1s/.*/# Mine\\_now `@bob`/' "$file"
echo 'added by hand' >>"$file"
END
chmod +x "$work/bin/change it"
export VISUAL="'change it' \"two words\" \$(reboot)" EDITOR=false
run --template github --edit
ends "--edit" 0
has "the edited text is printed" out "added by hand"
result "the editor is split as sh quotes it" "$([ "$(head -n 2 "$work/arguments" | tr '\n' '|')" = 'two words|$(reboot)|' ] && echo yes)" "$(cat "$work/arguments")"
result "nobody else can read the file" "$([ "$(cat "$work/mode")" = -rw------- ] && echo yes)" "$(cat "$work/mode")"
result "the file is gone" "$(! ls -d "$(tail -n 1 "$work/arguments")" >/dev/null 2>&1 && echo yes)"
run --again --edit --post-command 'file-it --title {title}'
has "an edited text is filed" filed "added by hand"
result "its title is as it was" "$(grep -Fxq "[Stutter] Battle_03: 93 ms hitch at boss_spawn on $device, b1, not compared" "$work/arguments" && echo yes)" "$(cat "$work/arguments")"
export VISUAL="'change it' title"
run --again --edit --post-command 'file-it --title {title}'
result "an edited title is filed without its markup" "$(grep -Fxq "Mine_now @bob" "$work/arguments" && echo yes)" "$(cat "$work/arguments")"
lacks "and is not in the body" filed "Mine"
for what in empty fail; do
    rm -f "$work/filed"
    export VISUAL="'change it' $what"
    [ $what = fail ] || VISUAL="sh -c ': >\"\$1\"' x"
    run --again --edit --post-command 'file-it --title {title}'
    ends "--edit, $what" 2
    result "--edit, $what: nothing was filed" "$([ ! -e "$work/filed" ] && echo yes)"
done
export VISUAL=no-such-editor
run --edit
ends "--edit without an editor" 2
has "it is named" said no-such-editor
export VISUAL="ed'itor"
run --edit
ends "--edit with an open quote" 2
unset VISUAL EDITOR
run --again --post-command "echo GAME-12"

# ---- clipboard
printf '#!/bin/sh\ncat >"$OUT/clipboard"\n' >"$work/bin/wl-copy"
chmod +x "$work/bin/wl-copy"
export WAYLAND_DISPLAY=wayland-9
run --copy --template plain
ends "--copy" 0
has "a desktop program gets the text" clipboard "== Observed"
has "it is named" said "given to wl-copy"
lacks "nobody can know that it was copied" said "copied"
unset WAYLAND_DISPLAY
TERM=dumb run --copy
ends "no clipboard" 0
file=$(sed -n 's/.*the text is in //p' "$work/said")
result "the text is kept in a file" "$([ -n "$file" ] && grep -q '## Observed' "$file" && echo yes)" "$(cat "$work/said")"

# ---- the payload finds its way back
for format in github gitlab jira plain; do
    run --template $format --output "$work/ticket.txt"
    ends "--output" 0
    "$program" ticket --data "$work/ticket.txt" --payload >"$work/again" 2>"$work/said"
    "$program" ticket "$id" --payload >"$work/payload"
    result "$format carries its payload" "$(cmp -s "$work/again" "$work/payload" && echo yes)" "$(cat "$work/said")"
    "$program" ticket --data "$work/payload" --template $format >"$work/again" 2>"$work/said"
    result "$format can be written from it" "$(cmp -s "$work/again" "$work/ticket.txt" && echo yes)" "$(cat "$work/said")"
done
"$program" ticket --regressions --payload >"$work/payload"
"$program" ticket --data "$work/payload" --template jira-ja >"$work/again"
"$program" ticket --regressions --template jira-ja >"$work/direct"
"$program" ticket --regressions --template github >"$work/out"
result "a summary of a build, too" "$(cmp -s "$work/again" "$work/direct" && [ -s "$work/direct" ] && echo yes)"

# ---- verify reads what was filed, and writes a ticket
for format in github jira plain; do
    run --template $format-ko --output "$work/ticket.txt"
    "$program" verify "$work/ticket.txt" >"$work/out" 2>"$work/said"
    status=$?
    ends "verify of a $format ticket against its own build" 2
    sed -i 's/"build": *"b1"/"build":"b0"/g' "$work/ticket.txt"
    "$program" verify "$work/ticket.txt" >"$work/out" 2>"$work/said"
    status=$?
    ends "verify of a $format ticket about a build that is not here" 1
    "$program" verify "$work/ticket.txt" --template $format >"$work/out" 2>"$work/said"
    status=$?
    ends "verify --template" 1
    has "its title" out "GAME"
    has "its result" out "still there"
done

# ---- templates of one's own
mkdir -p "$XDG_CONFIG_HOME/stutterscope/templates"
printf '{{>observed}}: {{devise}}\n' >"$XDG_CONFIG_HOME/stutterscope/templates/mine.mustache"
"$program" ticket --check-template mine >"$work/out" 2>"$work/said"
status=$?
ends "--check-template" 1
has "the name that was meant" out 'mine.mustache:1: no ticket has a value "devise"; was "device" meant?'
printf '{{device}} in {{scene}}\n' >my.md
printf 'another\n' >github
run --template my.md
ends "a file with a dot in its name" 0
has "it is filled" out 'in Battle_03'
printf 'h1. {{scene}}\n' >my-jira
run --template my-jira
ends "a file without a dot" 0
has "its format is the word in its name" out 'h1. Battle\_03'
run --template github
has "a file called like a template of the program is not taken for it" out "## Observed"
run --template "$work/github"
has "unless its path is given" out another
run --template no-such.md
ends "no such file" 2
has "it is named" said no-such.md
"$program" ticket --list-names --json >"$work/names"
result "--list-names" "$(jq -e '.rows | map(select(.name == "peak_frame_ms")) | length == 3' "$work/names" >/dev/null && echo yes)" "$(jq -c '.rows | map(select(.name == "peak_frame_ms"))' "$work/names")"

result "nothing was run" "$([ ! -e "$work/pwned" ] && [ ! -e pwned ] && echo yes)"
