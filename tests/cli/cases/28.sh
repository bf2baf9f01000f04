# Quotes, commas and inch marks in names.
takes a_valid_quoting.csv
figures "" stats "quoting" '[.rows[].frames] | add' 360 '.rows | map(.device) | unique | length' 6
while IFS='|' read -r device max; do
    row stats "quoting" ".device | test(\"$device\")" frames=60 max_ms=$max
done <<'EOF'
^Radeon RX 7800 XT, 16GB$|30
^Pad 12.4.? Pro$|31
^Tablet .Lite.$|32
^Ultra.*Wide$|33
^ *padded *$|34
^O'Neil; phone$|35
EOF
figures "" stats "names stay in one line" '.rows | map(.device) | map(contains("\n")) | any' false
takes b_stray_quote_midfield.csv
figures "" stats "stray quote" '[.rows[].frames] | add' 100 '.rows | map([.device, .frames]) | sort' '[["Pad 11\" Kids",20],["Pixel 8",80]]'
takes c_unclosed_quote.csv
says "unclosed quote" "(line|zeile) 51"
figures "" stats "unclosed quote" '.rows | map([.device, .frames])' '[["Pixel 8",99]]'
says "unclosed quote" "left out: 1 malformed"
