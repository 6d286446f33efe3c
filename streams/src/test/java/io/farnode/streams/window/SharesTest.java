package io.farnode.streams.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class SharesTest {
    @Property(tries = 5_000)
    void shouldRoundDownExactly(
            @ForAll long count, @ForAll @LongRange(min = 1) long span, @ForAll @LongRange(min = 0) long anyPart) {
        long part = anyPart % span + (anyPart % 7 == 0 ? 1 : 0);
        assertThat(Shares.upTo(count, part, span)).isEqualTo(floor(count, part, span));
    }

    @Property(tries = 5_000)
    void shouldRoundDownExactlyWhereItEstimates(
            @ForAll @LongRange(min = -(1L << 50) + 1, max = (1L << 50) - 1) long count,
            @ForAll @LongRange(min = 1, max = 100_000_000_000_000L) long span,
            @ForAll @LongRange(min = 0) long anyPart) {
        long part = anyPart % (span + 1);
        assertThat(Shares.upTo(count, part, span)).isEqualTo(floor(count, part, span));
    }

    @Property
    void shouldAddUpToTheCountWhereverTheCutsAre(
            @ForAll long count,
            @ForAll @LongRange(min = 1, max = 1L << 62) long span,
            @ForAll @Size(max = 20) @LongRange(min = 0) long[] cuts) {
        long[] sorted = Arrays.stream(cuts).map(cut -> cut % span).sorted().toArray();
        BigInteger total = BigInteger.ZERO;
        long before = 0;
        for (long cut : sorted) {
            long until = Shares.upTo(count, cut, span);
            total = total.add(BigInteger.valueOf(until).subtract(BigInteger.valueOf(before)));
            before = until;
        }
        total = total.add(BigInteger.valueOf(Shares.upTo(count, span, span)).subtract(BigInteger.valueOf(before)));
        assertThat(total).isEqualTo(BigInteger.valueOf(count));
    }

    private static long floor(long count, long part, long span) {
        return new BigDecimal(BigInteger.valueOf(count).multiply(BigInteger.valueOf(part)))
                .divide(BigDecimal.valueOf(span), 0, RoundingMode.FLOOR)
                .longValueExact();
    }
}
