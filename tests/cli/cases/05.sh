# What is not a frame time is rejected, with the reason and the first line.
takes bad_samples.csv
for line in 8 43 50 71 78 85 92; do
    says "bad samples" "(^|[^0-9])$line([^0-9]|\$)"
done
for reason in finite negative zero empty "not a number" trailing hexadecimal; do
    says "bad samples" "$reason"
done
group "bad samples" true frames=100 rejected=15 duration_ms=1704.8 mean_ms=17.048 median_ms=16.1 p95_ms=16.3 p99_ms=41 \
    min_ms=15.8 max_ms=41
no_nan "bad samples"
