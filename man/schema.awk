# The tables of the store out of the SQL that makes them: awk -f schema.awk data/schema/*.sql.  One line per table and
# column, fields separated by tabs: table, column (empty: the table), type, what the comments say.
function join(text, more) { return text == "" ? more : more == "" ? text : text " " more }
function trimmed(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
function flush_column() {
    if (column != "")
        printf "%s\t%s\t%s\t%s\n", table, column, type, comment
    column = comment = ""
}
/^-- / && !table { about = join(about, substr($0, 4)); next }
/^$/ && !table { about = ""; next }
/^CREATE VIEW/ { printf "%s\t\tview\t%s\n", $3, about; about = ""; next }
/^ALTER TABLE .* ADD COLUMN/ {
    note = ""
    if (match($0, /;[ \t]*-- /)) note = substr($0, RSTART + RLENGTH)
    printf "%s\t%s\t%s\t%s\n", $3, $6, $7, trimmed(note)
    next
}
/^CREATE TABLE/ {
    table = $3
    printf "%s\t\ttable\t%s\n", table, about
    about = ""
    next
}
table && /^\)/ { flush_column(); table = ""; next }
table {
    note = ""
    if (match($0, /-- /)) {
        note = trimmed(substr($0, RSTART + RLENGTH))
        $0 = substr($0, 1, RSTART - 1)
    }
    line = trimmed($0)
    if (line == "") { comment = join(comment, note); next }
    flush_column()
    if (line ~ /^(PRIMARY KEY|UNIQUE|CHECK|FOREIGN KEY)/) next
    split(line, word, /[ ,]+/)
    column = word[1]
    type = word[2]
    if (match(line, /REFERENCES [a-z_]+/)) note = join("row of " trimmed(substr(line, RSTART + 11, RLENGTH - 11)) (note == "" ? "" : ";"), note)
    comment = note
    next
}
{ about = "" }
