# Writes what a shell completes, from the tables that the program prints (see man/tables.awk for their columns):
# awk -f completions.awk -v shell=bash|zsh|fish verbs options
function quoted(text) { gsub(/'/, "'\\''", text); return "'" text "'" }
BEGIN { FS = "\t" }
FNR == NR { verbs[++verb_count] = $1; about[$1] = $3; next }
{ options[$1] = options[$1] " " $2; lines[++line_count] = $0 }
function bash(    i) {
    print "# bash completion for stutterscope"
    print "_stutterscope() {"
    print "    local word=${COMP_WORDS[COMP_CWORD]} verb= i"
    print "    for ((i = 1; i < COMP_CWORD; i++)); do"
    print "        [[ ${COMP_WORDS[i]} == -* ]] || { verb=${COMP_WORDS[i]}; break; }"
    print "    done"
    print "    local options='" substr(options[""], 2) " --help'"
    print "    case $verb in"
    print "    '') if [[ $word == -* ]]; then options+='" options["browse"] "'; else options='" all_verbs() "'; fi ;;"
    for (i = 1; i <= verb_count; i++)
        if (verbs[i] in options)
            print "    " verbs[i] ") options+='" options[verbs[i]] "' ;;"
    print "    esac"
    print "    if [[ $word == -* || -z $verb ]]; then"
    print "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")"
    print "    fi"
    print "}"
    print "complete -o default -F _stutterscope stutterscope"
}
function zsh(    i, n, part) {
    print "#compdef stutterscope"
    print "local -a verbs options"
    print "verbs=("
    for (i = 1; i <= verb_count; i++)
        print "    " quoted(verbs[i] ":" about[verbs[i]])
    print ")"
    print "options=(" substr(options[""], 2) " --help)"
    print "[[ $words[2] != -* ]] || options+=(" substr(options["browse"], 2) ")"
    print "(( CURRENT == 2 )) && [[ $words[2] != -* ]] && { _describe verb verbs; return }"
    print "case $words[2] in"
    for (i = 1; i <= verb_count; i++)
        if (verbs[i] in options)
            print verbs[i] ") options+=(" substr(options[verbs[i]], 2) ") ;;"
    print "esac"
    print "if [[ $words[CURRENT] == -* ]]; then compadd -- $options; else _files; fi"
}
function fish(    i, part) {
    print "# fish completion for stutterscope"
    for (i = 1; i <= verb_count; i++)
        print "complete -c stutterscope -n __fish_use_subcommand -a " verbs[i] " -d " quoted(about[verbs[i]])
    for (i = 1; i <= line_count; i++) {
        split(lines[i], part, "\t")
        print "complete -c stutterscope" (part[1] == "" ? "" : part[1] == "browse" ? " -n __fish_use_subcommand" : " -n '__fish_seen_subcommand_from " part[1] "'") \
            " -l " substr(part[2], 3) (part[3] == "" ? "" : " -r") " -d " quoted(part[4])
    }
}
function all_verbs(    i, text) {
    for (i = 1; i <= verb_count; i++)
        text = text (i > 1 ? " " : "") verbs[i]
    return text
}
END {
    if (shell == "bash") bash()
    else if (shell == "zsh") zsh()
    else if (shell == "fish") fish()
    else { print "completions.awk: no such shell: " shell >"/dev/stderr"; exit 1 }
}
