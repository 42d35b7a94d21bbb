import { defineTimingMode } from '@aiperf/core';
import { checkLimits, flagOf, limitRamps, planLimits } from './limits.js';
import { RateCurve } from './rate-curve.js';
/** Straight pieces by which a ramp that is a curve is drawn: the expected count is off by less than a millionth. */
const PIECES = 1024;
/** Expected steps of a rate that climbs in random steps. */
const RATE_STEPS = 100;
/** Open loop: requests are due at a rate, whatever the server does. A later turn of a session takes an arrival's place. */
export default defineTimingMode({
    uses: (o) => ({ arrival_pattern: [patternName(o)], ramp: [...limitRamps(o), ...(o.rateRamp ? [o.rateRamp.strategy] : [])] }),
    check: (o, phase) => [...checkLimits(o, phase), ...checkRate(o, phase)],
    plan(context) {
        const curve = rateCurve(context);
        return {
            arrivals: arrivals(context, curve),
            nextTurn: { kind: 'takes-arrival' },
            limits: planLimits(context),
            sessions: 'sample',
            overload: context.options.overload,
            offeredRate: (atNs) => curve.at(atNs / 1e9),
        };
    },
});
export const patternName = (o) => o.pattern ?? (o.smoothness === undefined ? 'poisson' : 'gamma');
/** The rate over time: the ramp from 0, then the series or the constant rate. */
export function rateCurve(context) {
    const { rate, rateSeries, rateRamp } = context.options;
    const points = [];
    const target = rateSeries?.points[0]?.qps ?? rate ?? 0;
    const start = rateRamp?.duration ?? 0;
    if (rateRamp) {
        const { exponent } = rateRamp;
        const options = { range: RATE_STEPS, seconds: start, ...(exponent === undefined ? {} : { exponent }) };
        const curve = context.ramp(rateRamp.strategy).curve(context.random('timing.ramp.rate'), options);
        for (let i = 0; i <= PIECES; i++)
            points.push({ seconds: (i / PIECES) * start, rate: curve.at(i / PIECES) * target });
    }
    if (rateSeries)
        for (const { timeS, qps } of rateSeries.points)
            points.push({ seconds: start + timeS, rate: qps });
    else if (!rateRamp)
        points.push({ seconds: 0, rate: target });
    return new RateCurve(points);
}
/**
 * Arrivals of the pattern along the curve. With `lookAheadNs`, for a curve that may still change, no arrival is given away
 * that is later than that after the one before it: a pause is, and the arrival is looked for again.
 */
export function arrivals(context, curve, lookAheadNs = Infinity) {
    const name = patternName(context.options);
    const pattern = context.pattern(name);
    const { smoothness, concurrency: burst } = context.options;
    const gap = pattern.gaps(context.random(`timing.request.${name}`), {
        ...(smoothness === undefined ? {} : { smoothness }),
        ...(burst === undefined ? {} : { burst }),
    });
    let count = pattern.start === 'gap' ? gap() : 0;
    let lastNs = 0;
    const next = () => {
        // Not before the last: a curve that was changed may put an arrival before a pause.
        const dueNs = Math.max(lastNs, Math.round(curve.timeOf(count) * 1e9));
        if (dueNs - lastNs > lookAheadNs)
            return { dueNs: (lastNs += lookAheadNs), pause: true };
        count += gap();
        lastNs = dueNs;
        return { dueNs };
    };
    return { kind: 'timed', next };
}
export function checkRate(o, phase) {
    const problems = [];
    const rate = flagOf(phase, 'request-rate');
    const pattern = flagOf(phase, 'arrival-pattern');
    if (o.rate !== undefined && o.rateSeries)
        problems.push({ flags: [rate, '--request-rate-series'], message: `${rate} and --request-rate-series both say what the rate is`, hint: 'give one of them' });
    if (o.rate === undefined && !o.rateSeries)
        problems.push({ flags: [rate], message: 'the request-rate mode has no rate', hint: `give ${rate} or --request-rate-series` });
    o.rateSeries?.points.forEach(({ timeS }, i, points) => {
        const before = points[i - 1];
        if (before && timeS <= before.timeS)
            problems.push({
                flags: ['--request-rate-series'],
                message: `--request-rate-series: point ${i + 1} is at ${timeS} s, not after point ${i} at ${before.timeS} s`,
                hint: 'sort the points by time, each time once',
            });
    });
    if (o.smoothness !== undefined && patternName(o) !== 'gamma')
        problems.push({
            flags: ['--arrival-smoothness', pattern],
            message: `--arrival-smoothness ${o.smoothness} has no effect on ${pattern} ${patternName(o)}`,
            hint: `leave it out or use ${pattern} gamma`,
        });
    if (patternName(o) === 'concurrency_burst' && o.concurrency === undefined)
        problems.push({
            flags: [pattern, flagOf(phase, 'concurrency')],
            message: `${pattern} concurrency_burst needs ${flagOf(phase, 'concurrency')}: it is the size of a burst`,
            hint: `give ${flagOf(phase, 'concurrency')}`,
        });
    return problems;
}
