#!/bin/sh
# Puts the tables of the program where a page asks for them with a line `.\" @TABLE@`: verbs, options, actions, formats
# and columns are written once, in the program, and the tables of the store in the SQL that makes them.  insert_tables.sh PROGRAM PAGE >RESULT
set -eu
program=$1 page=$2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

for table in $(sed -n 's/^\.\\" @\([a-z]*\)@$/\1/p' "$page"); do
    case $table in
    schema) awk -f "$here/schema.awk" "$here"/../data/schema/*.sql >"$work/rows" ;;
    shared) "$program" --print-table options | awk -F '\t' '$1 == "" || $1 == "browse"' >"$work/rows" ;;
    verboptions) "$program" --print-table options | awk -F '\t' '$1 != "" && $1 != "browse"' >"$work/rows" ;;
    *) "$program" --print-table "$table" >"$work/rows" ;;
    esac
    case $table in shared | verboptions) kind=options ;; *) kind=$table ;; esac
    awk -f "$here/tables.awk" -v table="$kind" "$work/rows" >"$work/$table"
done
awk -v work="$work" '
    /^\.\\" @[a-z]+@$/ {
        table = $2
        gsub(/@/, "", table)
        while ((getline line < (work "/" table)) > 0)
            print line
        next
    }
    { print }' "$page"
