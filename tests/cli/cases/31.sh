# Heat: a slow climb is no stutter, and a hot run says nothing about a build.
takes a_heating_run.csv
figures "" windows "a" '.rows | length' 0
group "a" true frames=1600 duration_ms=28675.2 mean_ms=17.922 median_ms=17.546 p95_ms=22.945 p99_ms=23.457 min_ms=14.3 max_ms=23.755 windows=0
figures "" stutters "a" '.rows | length' 0
# Quarters of 400 frames each; the last one stands 51.5 % above the first.
figures "" runs "a" '.rows[0].quarter_median_ms' '[14.55,16.0475,19.0445,22.046]' \
    '.rows[0].quarter_median_ms | .[3] / .[0] * 1000 | round' 1515
takes b_cold_baseline_hot_candidate.csv
row stats "cold" '.build == "b900"' median_ms=14.55
row stats "hot" '.build == "b901"' median_ms=21.55
figures "--build b901" compare "b" '.rows | map(.verdict) | unique' '["none"]' '.rows | map(.reason | test("thermal")) | unique' '[true]'
figures "--build b901" findings "b" '.rows | map(select(.kind == "hitch" or .kind == "drift")) | length' 0
