# Names that are Jira markup: each shows as typed, in one table and alone; blocks are closed.

# as_shown FILE: what a reader sees of Jira text outside of its blocks.
as_shown() {
    awk '/^\{noformat\}$/ { inside = !inside; next } !inside' "$1" |
        sed -e 's/\\\([-#*_+?^~%{}()!@|]\)/\1/g; s/\\\(\[\)/\1/g; s/\\\(\]\)/\1/g' \
            -e 's/&#58;/:/g; s/&#46;/./g; s/&#92;/\\/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
}

# blocks_closed FILE: an even number of tokens that are not escaped.
blocks_closed() {
    local token count
    for token in '{code' '{noformat'; do
        count=$(sed 's/\\{//g' "$1" | grep -Fo -- "$token" | wc -l)
        result "$2: $token comes in pairs" "$([ $((count % 2)) -eq 0 ] && echo yes)" "$count"
    done
}

takes names.csv
mapfile -t ids < <("$program" stutters --json --limit 0 | jq -r '.rows[].id')
result "a stutter for each name" "$([ ${#ids[@]} -eq 14 ] && echo yes)" "${#ids[@]}"
figures "" stutters peaks '.rows | map(.peak_frame_ms) | sort' '[60,61,62,63,64,65,66,67,68,69,70,71,72,73]'

for limit in 0 5; do
    "$program" ticket --quiet --template jira --limit $limit "${ids[@]}" >"$work/all" 2>&1
    blocks_closed "$work/all" "all names, limit $limit"
    cells=$(sed -n '/^|/p' "$work/all" | sed 's/\\|//g; s/^||/|/; s/||/|/g' | tr -cd '|\n' | sort -u)
    result "all rows have the same cells, limit $limit" "$([ "$(wc -l <<<"$cells")" -eq 1 ] && echo yes)" "$cells"
done
"$program" ticket --quiet --template jira --limit 0 "${ids[@]}" >"$work/all"
as_shown "$work/all" >"$work/shown"
while IFS= read -r name; do
    result "$name is shown as typed" "$(grep -Fq -- "|$name |" "$work/shown" && echo yes)" "$(grep -F '|Pixel' "$work/shown")"
done < <(jq -r '.[]' "$folder/names.json")
for text in 'Boss \{code\} room' 'arena \{0\} \[v2\]' 'Lava\|Ice' '\[\~someuser\]' '\{color:red\}x\{color\}'; do
    result "escaped as $text" "$(grep -Fq -- "$text" "$work/all" && echo yes)"
done
for id in "${ids[@]}"; do
    "$program" ticket --quiet --template jira "$id" >"$work/one"
    blocks_closed "$work/one" "$id"
    title=$(head -n 1 "$work/one")
    result "$id: the title is short" "$([ ${#title} -le 259 ] && [ "$(sed -n 2p "$work/one")" = "" ] && echo yes)" "$title"
done
