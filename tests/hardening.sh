#!/bin/sh
# Whether the linked program has what meson.build asks for: read from the program itself, whatever the flags were.
#
#   hardening.sh PROGRAM hardened|sanitized fortified|plain
program=$1
skip() { echo "skipped: $*"; exit 77; }

[ "$2" = hardened ] || skip "built for sanitizers or fuzzing, which need other flags"
command -v readelf >/dev/null || skip "no readelf (package binutils)"
export LC_ALL=C
headers=$(readelf -hlW "$program") && dynamic=$(readelf -dW "$program") && symbols=$(readelf --dyn-syms -W "$program") ||
    { echo "readelf cannot read $program"; exit 1; }

faults=0
# has WHAT TEXT PATTERN
has() {
    if printf '%s\n' "$2" | grep -Eq -- "$3"; then
        echo "ok: $1"
    else
        echo "missing: $1"
        faults=$((faults + 1))
    fi
}
# A shared object with an interpreter is a program that may lie anywhere.
has 'position independent' "$headers" '^ *Type: *DYN '
has 'a program and no library' "$headers" '^ *INTERP '
has 'relocations read-only after start' "$headers" '^ *GNU_RELRO '
has 'all symbols bound at start' "$dynamic" '\(BIND_NOW\)|\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*NOW'
has 'stack protector' "$symbols" ' __stack_chk_fail(@|$)'
has 'stack that cannot be executed' "$headers" '^ *GNU_STACK .* RW '
if [ "$3" = fortified ]; then
    has 'checked copies and prints' "$symbols" ' __[a-z]*(cpy|printf|mem[a-z]*|read|str[a-z]*)_chk(@|$)'
else
    echo "not looked for: checked copies and prints (built without optimisation)"
fi
[ $faults -eq 0 ]
