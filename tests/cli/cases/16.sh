# Line ends, byte order marks and blank lines change nothing.
same_figures() {
    group "$1" true frames=480 duration_ms=7889.6 mean_ms=16.4367 median_ms=16.1 p95_ms=16.3 p99_ms=47 min_ms=15.8 \
        max_ms=47 'quality="High"' windows=6 rejected=0
    figures "" windows "$1" 'gameplay | map(.peak_frame_ms)' '[47,47,47,47,47,47]'
}
for file in a_lf b_bom_lf c_bom_crlf d_crlf f_mixed g_bom_twice h_blank_lines; do
    takes $file.csv
    same_figures $file
done
fresh
if take e_cr_only.csv; then
    same_figures e_cr_only
else
    says e_cr_only "CR|carriage|line end"
fi
