# Turns a table that the program prints (--print-table NAME: one line per row, fields separated by tabs) into mdoc:
# awk -f tables.awk -v table=NAME.  What each table holds stands beside its function.

# Text that no macro and no escape reads anything into.
function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    sub(/^[.'\'']/, "\\\\\\&&", text)
    return text
}
# The same as words of a macro line, where a short word could name a macro.
function words(text,    n, i, parts, out) {
    n = split(plain(text), parts, " ")
    for (i = 1; i <= n; i++)
        out = out (i > 1 ? " " : "") "\\&" parts[i]
    return out
}
# A sentence of running text, in lines that fit; sentences begin lines. as_is: a first word in small letters stays so.
function print_text(text, as_is,    n, i, parts, line) {
    if (text !~ /[.!?]$/)
        text = text "."
    n = split((as_is ? substr(text, 1, 1) : toupper(substr(text, 1, 1))) substr(text, 2), parts, " ")
    for (i = 1; i <= n; i++) {
        if (line != "" && (length(line) + length(parts[i]) > 70 || line ~ /[.!?]$/)) {
            print plain(line)
            line = ""
        }
        line = line (line == "" ? "" : " ") parts[i]
    }
    print plain(line)
}
BEGIN { FS = "\t" }
# verbs: verb, arguments, what it does
table == "verbs" {
    print ".It Ic " words($1) ($2 == "" ? "" : " Ar " words($2))
    print_text($3)
    next
}
# options: verb (empty: every verb, browse: without one), option, argument, what it does
table == "options" {
    if ($1 != verb) {
        if (NR > 1)
            print ".El"
        print $1 == "" ? ".Ss Every verb" : $1 == "browse" ? ".Ss Without a verb" : ".Ss " words($1)
        print ".Bl -tag -width Ds"
        verb = $1
    } else if (NR == 1) {
        print ".Bl -tag -width Ds"
    }
    option = $2; sub(/^-/, "", option)
    print ".It Fl " words(option) ($3 == "" ? "" : " Ar " words($3))
    print_text($4)
    next
}
# actions: keys, name, what it does
table == "actions" {
    print ".It " words($1)
    print_text($3)
    next
}
# formats: name, title, recognised by
table == "formats" {
    print ".It Cm " words($1)
    print_text($2 ": recognised by " $3)
    next
}
# columns: column, option or empty, what it is
table == "columns" {
    print ".It Va " words($1) ($2 == "" ? "" : " Pq Fl " words(substr($2, 2)))
    print_text($3)
    next
}
# names: section it is found in (empty: everywhere), name, kinds of tickets, what it is
table == "names" {
    if (NR == 1 || $1 != list) {
        if (NR > 1)
            print ".El"
        print $1 == "" ? ".Ss Everywhere" : ".Ss Inside " words($1)
        print ".Bl -tag -width Ds"
        list = $1
    }
    print ".It Va " words($2) ($3 == "ticket" ? "" : " Pq " words($3))
    print_text($4)
    next
}
# schema: table, column (empty: the table itself), type, what it is
table == "schema" {
    if ($2 == "") {
        if (open)
            print ".El"
        open = 0
        print ".Ss " words($1)
        if ($3 == "view")
            print "A view."
        if ($4 != "")
            print_text($4)
        next
    }
    if (!open)
        print ".Bl -tag -width Ds -compact"
    open = 1
    print ".It Va " words($2) " Pq " words($3)
    if ($4 != "")
        print_text($4, 1)
    next
}
# ticket: setting, argument, what it does
table == "ticket" {
    print ".It Cm " words($1) " = Ar " words($2)
    print_text($3)
    next
}
# keys: action, keys, what it does
table == "keys" {
    print ".It Cm " words($1) " = " words($2)
    print_text($3)
    next
}
# roles: role as the configuration writes it, what it is
table == "roles" {
    print ".It Cm " words($1)
    print_text($2)
    next
}
# filter: key, what stands behind it, what it is
table == "filter" {
    print ".It Cm " words($1) ($2 == "" ? "" : " Ns Ar " words($2))
    print_text($3)
    next
}
{ print "tables.awk: no such table: " table >"/dev/stderr"; exit 1 }
END {
    if ((table == "options" || table == "names" || (table == "schema" && open)) && NR)
        print ".El"
    if (!NR) { print "tables.awk: the table " table " is empty" >"/dev/stderr"; exit 1 }
}
