# Separator and decimal mark are found in the file.
for file in en_reference de_semicolon de_excel_sep_line de_quoted_comma; do
    takes $file.csv
    group $file true frames=480 duration_ms=8107.598 mean_ms=16.8908 median_ms=16.1 p95_ms=16.3 p99_ms=83.333 min_ms=15.8 \
        max_ms=83.333 windows=6 rejected=0
    result "$file: the first stamp" "$([ "$("$program" sql --csv 'SELECT min(timestamp_ms) FROM frame' | tail -n 1)" = 1016.125 ] && echo yes)"
    result "$file: where the windows are" "$([ "$("$program" sql --csv 'SELECT group_concat(number) FROM frame WHERE frame_time_ms > 50' |
        tail -n 1 | tr -d '"')" = 41,121,201,281,361,441 ] && echo yes)"
done
refuses de_unquoted_broken.csv "(line|zeile) 2|first in line 2" "13|14" "expected 10" "decimal"
