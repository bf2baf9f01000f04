# Counts single results in meson's testlog.txt: prints "passed failed skipped".  The lines of a TAP program count one by
# one; any other program counts as one; one that died, failed or
# stopped early without a failed line counts as a failure.
function finish() {
    if (!open)
        return
    if (tap) {
        passed += ok; failed += bad; skipped += left
        if (!bad && (!good || ok + left < planned))
            failed++
    } else if (skip) {
        skipped++
    } else if (good) {
        passed++
    } else {
        failed++
    }
    open = tap = ok = bad = left = good = skip = planned = 0
}
/^=+ [0-9]+\/[0-9]+ =+$/ { finish(); open = 1; programs++; next }
/^result: / && open { good = /exit status 0$/; skip = /exit status 77$/; next }
/^(ok|not ok)( |$)/ && open {
    tap = 1
    if (/# *[Ss][Kk][Ii][Pp]/) left++
    else if (/^ok/) ok++
    else bad++
}
/^1\.\.[0-9]+/ && open { tap = 1; planned = substr($1, 4) + 0; next }
END { finish(); print passed + 0, failed + 0, skipped + 0; exit !programs }
