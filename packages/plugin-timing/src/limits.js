/** The flag as the user knows it in this phase. */
export const flagOf = (phase, name) => `--${phase.kind === 'warmup' ? 'warmup-' : ''}${name}`;
/** Names of the ramps that the limits need. */
export const limitRamps = (o) => [o.concurrencyRamp, o.prefillRamp].flatMap((ramp) => (ramp ? [ramp.strategy] : []));
export function checkLimits(o, phase) {
    const problems = [];
    const concurrency = flagOf(phase, 'concurrency');
    const prefill = flagOf(phase, 'prefill-concurrency');
    if (o.prefillConcurrency !== undefined && o.concurrency !== undefined && o.prefillConcurrency > o.concurrency)
        problems.push({
            flags: [prefill, concurrency],
            message: `${prefill} ${o.prefillConcurrency} is above ${concurrency} ${o.concurrency}, so it limits nothing`,
            hint: `lower ${prefill} or leave it out`,
        });
    for (const [ramp, value, flag] of [
        [o.concurrencyRamp, o.concurrency, concurrency],
        [o.prefillRamp, o.prefillConcurrency, prefill],
    ])
        if (ramp && value === undefined)
            problems.push({
                flags: [`${flag}-ramp-duration`, flag],
                message: `${flag}-ramp-duration needs ${flag}: there is no value to climb to`,
                hint: `give ${flag}`,
            });
    return problems;
}
/** The limits over time: from 1 up to the value along the ramp, or the value from the start. */
export function planLimits(context) {
    const { concurrency, concurrencyRamp, prefillConcurrency, prefillRamp } = context.options;
    const steps = (value, ramp, name) => ramp ? limitSteps(value, ramp, context.ramp(ramp.strategy), context.random(`timing.ramp.${name}`)) : [{ atNs: 0, value }];
    return {
        ...(concurrency === undefined ? {} : { sessions: steps(concurrency, concurrencyRamp, 'concurrency') }),
        ...(prefillConcurrency === undefined ? {} : { prefill: steps(prefillConcurrency, prefillRamp, 'prefill') }),
    };
}
/** Limits 1, 2, … `target`, each from the time at which the curve reaches it; steps at one time become one. */
export function limitSteps(target, options, ramp, random) {
    const range = target - 1;
    const steps = [{ atNs: 0, value: 1 }];
    if (range === 0)
        return steps;
    const { duration: seconds, exponent } = options;
    const curve = ramp.curve(random, { range, seconds, ...(exponent === undefined ? {} : { exponent }) });
    for (let k = 1; k <= range; k++) {
        const last = steps.at(-1);
        // The curve never falls; rounding may, by one unit, and the steps must not.
        const atNs = Math.max(last.atNs, Math.round(curve.inverse(k / range) * seconds * 1e9));
        if (atNs === last.atNs)
            last.value = 1 + k;
        else
            steps.push({ atNs, value: 1 + k });
    }
    return steps;
}
