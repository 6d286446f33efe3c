package io.farnode.producer.capture;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * Turns the local times of a capture into instants. A time that exists twice (the end of summer time) is taken the way
 * the zone printed just above says, else so that time does not run back.
 */
final class LocalClock {
    private static final DateTimeFormatter ABBREVIATION = DateTimeFormatter.ofPattern("zzz", Locale.ENGLISH);

    private final CaptureOptions options;
    private String hint = "";
    private boolean hintIsFresh;
    private ZoneId zone;
    private boolean zoneAssumed;
    private Instant previous;
    private ZoneOffset previousOffset;
    private boolean disambiguated;

    LocalClock(CaptureOptions options) {
        this.options = options;
    }

    /** Takes note of the zone abbreviation a header prints. */
    void hint(String abbreviation) {
        hint = abbreviation;
        hintIsFresh = true;
    }

    /** {@return whether the zone is only a guess} */
    boolean assumed() {
        return zoneAssumed;
    }

    /** {@return what is to be said when the zone is only a guess} */
    String assumption() {
        return "zone " + zone + " of this machine assumed for local times; pass --zone";
    }

    /** {@return whether the last time existed twice and was chosen so that time does not run back} */
    boolean disambiguated() {
        return disambiguated;
    }

    /** Forgets the time before: an independent run of the tool begins. */
    void restart() {
        previous = null;
        previousOffset = null;
    }

    /**
     * {@return the instant of a local time}
     *
     * @param local the local time
     * @param line where it stands
     * @param what what to say about it when the zone is missing, such as "vmstat -t prints local time"
     * @throws CaptureException if the zone is not known
     * @throws DateTimeException if the zone's clocks never showed that time, because they were put forward
     */
    Instant instant(LocalDateTime local, long line, String what) {
        if (zone == null) {
            zone = findZone(local, line, what);
        }
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        disambiguated = false;
        if (offsets.isEmpty()) {
            // guessing would put the row an hour from where it belongs: most likely the zone is another one
            throw new DateTimeException(DateTimeFormatter.ISO_LOCAL_TIME.format(local) + " does not exist in " + zone
                    + " on " + local.toLocalDate() + " (clocks were put forward): wrong --zone?");
        }
        ZonedDateTime chosen = local.atZone(zone);
        if (offsets.size() > 1) {
            chosen = choose(local, offsets);
        }
        hintIsFresh = false;
        previous = chosen.toInstant();
        previousOffset = chosen.getOffset();
        return previous;
    }

    private ZonedDateTime choose(LocalDateTime local, List<ZoneOffset> offsets) {
        if (hintIsFresh) {
            for (ZoneOffset offset : offsets) {
                ZonedDateTime candidate = ZonedDateTime.ofLocal(local, zone, offset);
                if (matches(candidate)
                        && (previous == null || !candidate.toInstant().isBefore(previous))) {
                    return candidate;
                }
            }
        }
        ZonedDateTime last = null;
        for (ZoneOffset offset : offsets) {
            last = ZonedDateTime.ofLocal(local, zone, offset);
            if (previous != null && !last.toInstant().isBefore(previous)) {
                break;
            }
            if (previous == null) {
                break;
            }
        }
        disambiguated = previous == null || !last.getOffset().equals(previousOffset);
        return last;
    }

    private boolean matches(ZonedDateTime time) {
        ZoneId fixed = CaptureOptions.fixedZone(hint);
        return fixed != null
                ? fixed.getRules().getOffset(time.toInstant()).equals(time.getOffset())
                : ABBREVIATION.format(time).equals(hint);
    }

    private ZoneId findZone(LocalDateTime local, long line, String what) {
        if (options.zone().isPresent()) {
            return options.zone().get();
        }
        ZoneId fixed = CaptureOptions.fixedZone(hint);
        if (fixed != null) {
            return fixed;
        }
        ZoneId system = options.systemZone().orElse(null);
        if (system == null || !hint.isEmpty() && !fits(local, system)) {
            throw options.refusal(
                    line,
                    what + (hint.isEmpty() ? " without a zone" : " of zone \"" + hint + "\"")
                            + ": pass --zone, for example --zone Europe/Berlin");
        }
        zoneAssumed = true;
        return system;
    }

    private boolean fits(LocalDateTime local, ZoneId candidate) {
        return candidate.getRules().getValidOffsets(local).stream()
                .anyMatch(offset -> ABBREVIATION
                        .format(ZonedDateTime.ofLocal(local, candidate, offset))
                        .equals(hint));
    }
}
