# One name, two chips: two devices.
same() {
    figures "" devices "$1" '.rows | length' 2
    figures "" stats "$1" '.rows | length' 4 \
        '.rows | map(select(.median_ms == 16.1)) | sort_by(.build) | map([.frames, .p95_ms, .p99_ms, .max_ms])' '[[600,16.3,24,24],[200,16.3,24,24]]' \
        '.rows | map(select(.median_ms == 25.1)) | sort_by(.build) | map([.frames, .p95_ms, .p99_ms, .max_ms])' '[[200,25.3,34,34],[600,25.3,34,34]]'
    figures "--build b401" heatmap "$1" '.rows | map([.device, .chip]) | unique | length' 2
    figures "--build b401" compare "$1" '.rows | map(.verdict) | unique' '["same"]'
    "$program" gate --build b401 >"$work/text" 2>&1
    result "$1: no regression" "$([ $? -eq 0 ] && grep -q clean "$work/text" && echo yes)" "$(cat "$work/text")"
}
takes a_same_name.csv
same "a"
figures "" devices "a" '.rows | map(.device) | unique' '["Galaxy S24"]' '.rows | map(.chip) | sort' '["Exynos 2400","Snapdragon 8 Gen 3"]'
figures "--build b401" findings "a" '.rows | length' 0 .to_decide 0
takes b_model_codes.csv
same "b"
figures "" devices "b" '.rows | map(.device) | sort' '["SM-S921B","SM-S921U"]'
