# What README.md prints is what the program prints, and its commands can be pasted.
readme=$here/../../../README.md
fresh
cd "$here/../../.." || exit 2
sed -n '/^<!-- the map -->/,/^<!-- end of the map -->/s/^    //p' "$readme" >"$work/printed"

# "    $ stutterscope VERB ARGUMENT...   what it is for"; the one without a verb needs a terminal.
while read -r line; do
    command=${line%%   *}
    eval "\"\$program\" $command" >"$work/report" 2>&1 </dev/null
    result "stutterscope $command" "$([ $? -eq 0 ] && [ -s "$work/report" ] && echo yes)" "$(cat "$work/report")"
done < <(sed -n 's/^    \$ stutterscope \([a-z].*\)/\1/p' "$readme")
result "there were commands" "$([ "$number" -ge 5 ] && echo yes)"

# Without the first line, which names the store, and empty ones at the end.
"$program" view map --size 100x30 2>"$work/report" </dev/null | sed -e 1d -e 's/ *$//' | sed -e '${/^$/d}' >"$work/text"
diff "$work/text" "$work/printed" >"$work/report" 2>&1
result "the map" "$([ $? -eq 0 ] && [ -s "$work/printed" ] && echo yes)" "$(cat "$work/report")"
