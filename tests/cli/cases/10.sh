# Percentiles are nearest rank, without a slip at the exact ranks.
row_options="--percentiles 7,14,28,50,55,56,99.9"
takes a_1_to_100.csv
group "1 to 100" true frames=100 p95_ms=95 p99_ms=99 max_ms=100 'percentiles["50"]=50' 'percentiles["7"]=7' \
    'percentiles["14"]=14' 'percentiles["28"]=28' 'percentiles["55"]=55' 'percentiles["56"]=56' median_ms=50.5
takes b_ten_frames.csv
group "ten" true frames=10 p95_ms=100 p99_ms=100 max_ms=100 'percentiles["50"]=50' 'flags|index("few")|type="number"'
takes c_twenty_frames.csv
group "twenty" true frames=20 p95_ms=19 p99_ms=20 max_ms=20 'percentiles["50"]=10'
takes d_thousand_frames.csv
group "thousand" true frames=1000 p95_ms=95 p99_ms=99 max_ms=100 'percentiles["99.9"]=99.9' 'percentiles["7"]=7'
