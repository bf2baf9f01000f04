# Twice the frames, twice the chances to be slow: a count alone is no regression.
takes baseline_b1000.csv
take candidate_b1001.csv
group "before" '.build == "b1000"' frames=300 duration_ms=10992 mean_ms=36.64 median_ms=33.3 p95_ms=50 p99_ms=50 \
    min_ms=33.3 max_ms=50
group "after" '.build == "b1001"' frames=600 duration_ms=11284.8 mean_ms=18.808 median_ms=16.6 p95_ms=35 p99_ms=35 \
    min_ms=16.6 max_ms=35
row_options="--factor 2.04"
group "over 34 ms before" '.build == "b1000"' over_budget_frames=60
group "over 34 ms after" '.build == "b1001"' over_budget_frames=72
row_options="--build b1001 --baseline b1000"
for figure in p95 p99; do
    row compare "$figure" ".stutter == null and (.figure | test(\"$figure\"; \"i\"))" before=50 after=35 delta=-15 delta_percent=-30 \
        'verdict="better"'
done
row compare "max" '.stutter == null and (.figure | test("max"; "i"))' before=50 after=35 'verdict="better"'
figures "$row_options" compare "no regression" '.rows | map(select(.verdict == "worse" or .verdict == "new")) | length' 0
