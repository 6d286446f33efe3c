# Sums of a capture, computed without farnode. Reads the unpacked vmstat.txt or perf.csv:
#   perf CPU EVENT SUM ROWS   over the rows with a number (decimals as printed: 2 for cpu-clock, else 0)
#   none CPU EVENT ROWS       rows without a number
#   vmstat COLUMN SUM ROWS    over all rows but the first, which is the average since boot
/^#/ || /^$/ { next }

/,/ {
    n = split($0, f, ",")
    gsub(/ /, "", f[2])
    if (f[3] ~ /^</) {
        none[f[2] " " f[5]]++
    } else {
        key = f[2] " " f[5]
        sum[key] += f[3]
        rows[key]++
        places[key] = f[3] ~ /\./ ? 2 : 0
    }
    next
}

/^procs/ { next }

$1 == "r" {
    for (i = 1; i <= NF; i++) {
        if ($i == "in") { in_column = i }
        if ($i == "cs") { cs_column = i }
    }
    next
}

{
    if (seen++) {
        interrupts += $in_column
        switches += $cs_column
        counted++
    }
}

END {
    for (key in sum) { printf "perf %s %.*f %d\n", key, places[key], sum[key], rows[key] }
    for (key in none) { printf "none %s %d\n", key, none[key] }
    if (counted) {
        printf "vmstat in %.0f %d\n", interrupts, counted
        printf "vmstat cs %.0f %d\n", switches, counted
    }
}
