package io.farnode.producer.machine.policy;

import io.farnode.producer.machine.DataException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A rule of the kernel, or the optimum that no rule reaches. Each family of policies is an enum of its own. */
public interface Policy {
    /** {@return the name on the command line and in the telemetry} */
    String policyName();

    /** {@return whether it is the unreachable optimum, under which every access is local} */
    boolean allLocal();

    /**
     * Finds a policy of a family.
     *
     * @param <P> the family's enum
     * @param policies all policies of the family
     * @param name a name
     * @return the policy of that name
     * @throws DataException if there is none of that name; the message lists those there are
     */
    static <P extends Policy> P named(P[] policies, String name) {
        return Arrays.stream(policies)
                .filter(policy -> policy.policyName().equals(name))
                .findFirst()
                .orElseThrow(() -> new DataException("unknown policy \"" + name + "\": known are "
                        + names(policies).stream().collect(Collectors.joining(", "))));
    }

    /**
     * The names of a family's policies.
     *
     * @param policies all policies of the family
     * @return their names in order
     */
    static List<String> names(Policy[] policies) {
        return Arrays.stream(policies).map(Policy::policyName).toList();
    }
}
