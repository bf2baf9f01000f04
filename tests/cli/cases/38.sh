# No data is not zero.
takes matrix.csv
figures "" stats "matrix" '[.rows[].frames] | add' 1803 '.rows | length' 10
p95() {
    row heatmap "$1 × $2" ".device == \"$1\" and .scene == \"$2\"" "p95_ms=$3" ${4+"$4"}
}
p95 "Pixel 8" Forest 22
p95 "Pixel 8" Harbor 23
p95 "Pixel 8" Cave 24
p95 "Pixel 8" Arena 17.7 'state="few"'
p95 "Galaxy A54" Forest 25
p95 "Galaxy A54" Harbor 26
p95 "Galaxy A54" Cave null 'state="none"'
p95 "Galaxy A54" Arena 28
p95 "iPhone 14" Forest 28
p95 "iPhone 14" Harbor 29
p95 "iPhone 14" Cave 30
p95 "iPhone 14" Arena null 'state="none"'
figures "" heatmap "matrix" '.rows | length' 12 '.rows | map(select(.p95_ms != null)) | max_by(.p95_ms) | [.device, .scene]' \
    '["iPhone 14","Cave"]' '.rows | map(select(.value == null and .p95_ms == null)) | length' 2
