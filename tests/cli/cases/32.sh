# The process locale changes nothing.  Locales that are not installed are skipped (C is always there).
outputs() { # LOCALE FILE
    fresh
    LC_ALL=$1 "$program" import "$folder/$2" >"$work/out.import" 2>&1
    for verb in "stats --json" "stats --csv" "stats" "windows --csv" "export --format csv" "export --format ndjson"; do
        # shellcheck disable=SC2086
        LC_ALL=$1 "$program" $verb 2>&1
    done
    LC_ALL=$1 "$program" ticket "$("$program" stutters --json | jq -r '.rows[0].id')" 2>&1 | grep -v reopen
}
for file in en_reference.csv en_reference.ndjson upper_case_header.csv; do
    takes $file
    group $file true frames=480 duration_ms=8108.164 mean_ms=16.892 median_ms=16.1 p95_ms=16.3 p99_ms=83.333 min_ms=15.8 max_ms=83.333 windows=6
    outputs C.UTF-8 $file >"$work/wanted"
    for locale in en_US.UTF-8 de_DE.UTF-8 fr_FR.UTF-8 tr_TR.UTF-8; do
        if ! locale -a 2>/dev/null | grep -Eiq "^${locale%.*}\.utf-?8$"; then
            skip "$file: the same under $locale" "the locale is not installed"
            continue
        fi
        outputs $locale $file >"$work/got"
        result "$file: the same under $locale" "$(cmp -s "$work/wanted" "$work/got" && echo yes)" "$(diff "$work/wanted" "$work/got")"
    done
done
