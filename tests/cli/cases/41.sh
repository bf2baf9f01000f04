# Encodings: the numbers are right in every one, and what comes out is UTF-8.
same_frames() {
    group "$1" true frames=480 duration_ms=7913.6 mean_ms=16.4867 median_ms=16.1 p95_ms=16.3 p99_ms=51 min_ms=15.8 max_ms=51 windows=6
    figures "" stats "$1" '.rows[0].scene' "\"$2\""
    "$program" export --format csv >"$work/exported" 2>&1
    result "$1: the export is UTF-8" "$(iconv -f UTF-8 -t UTF-8 <"$work/exported" >/dev/null 2>&1 && echo yes)"
}
korean=$(printf '\352\264\221\354\236\245') japanese=$(printf '\345\272\203\345\240\264')
for file in a_utf8 b_utf16le_bom c_utf16be_bom d_utf16le_no_bom e_cp949; do
    takes $file.csv
    same_frames $file "$korean"
done
says e_cp949 "CP949.*guess.*--encoding"
takes f_shift_jis.csv
same_frames f_shift_jis "$japanese"
takes e_cp949.csv --encoding CP949
same_frames "e_cp949, named" "$korean"
takes f_shift_jis.csv --encoding SHIFT_JIS
same_frames "f_shift_jis, named" "$japanese"
takes g_one_bad_byte.csv
figures "" stats "one bad byte" '[.rows[].frames] | sort' '[1,59]' '.rows | map(select(.scene == "Forest")) | .[0].frames' 59 \
    '.rows | map(.scene) | map(contains("�")) | any' true
