# Loading, start-up and scene change are shown apart.
takes a_loading_marked.csv
group "loading" true frames=480 duration_ms=7763 mean_ms=16.1729 median_ms=16.1 p95_ms=16.3 p99_ms=16.3 min_ms=15.8 \
    max_ms=75 labelled.loading.frames=8 labelled.loading.ms=3221 windows=1
row windows "loading" '.label == "gameplay"' peak_frame_ms=75

takes b_startup_and_scene_change.csv
figures "" stats "entries" '[.rows[].frames] | add' 595 '[.rows[].duration_ms] | add' 9603.7 \
    '([.rows[].duration_ms] | add) / ([.rows[].frames] | add)' 16.1407 '[.rows[].min_ms] | min' 15.8 '[.rows[].max_ms] | max' 70 \
    '[.rows[].p95_ms]|unique' '[16.3]' '[.rows[].p99_ms]|unique' '[16.3]'
group "Forest" '.scene == "Forest"' frames=297 median_ms=16 'labelled["start-up"].frames=3' 'labelled["start-up"].ms=949' windows=0
group "Harbor" '.scene == "Harbor"' frames=298 median_ms=16.1 'labelled["scene change"].frames=2' 'labelled["scene change"].ms=368' \
    max_ms=70 windows=1
row windows "entries" '.label == "gameplay"' peak_frame_ms=70 'scene="Harbor"'
figures "" windows "entries" '.rows | map(.label) | sort' '["gameplay","scene change","start-up"]'
