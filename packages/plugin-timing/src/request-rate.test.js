import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, kolmogorov, plan, seconds, take, takeUntil } from '../test-support/plan.js';
const exponentialLaw = (x) => 1 - Math.exp(-x);
const gaps = (times) => times.slice(1).map((t, i) => t - times[i]);
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
describe('constant arrivals', () => {
    test('the n-th of N requests at rate R is due at n/R, the first at once', () => {
        fc.assert(fc.property(fc.double({ min: 0.01, max: 5000, noNaN: true }), fc.integer({ min: 1, max: 300 }), (rate, count) => {
            const due = take(plan('request_rate', { options: { rate, pattern: 'constant' } }), count).map((a) => a.dueNs);
            due.forEach((ns, n) => expect(Math.abs(ns - (n / rate) * 1e9)).toBeLessThanOrEqual(1));
        }));
    });
    test('no drift: a million requests on, the time is still exact', () => {
        const due = take(plan('request_rate', { options: { rate: 1000, pattern: 'constant' } }), 1000001);
        expect(due.at(-1).dueNs).toBe(1e12);
    });
});
describe('random arrivals', () => {
    test('poisson gaps keep the exponential law', () => {
        const times = seconds(take(plan('request_rate', { options: { rate: 200 }, seed: 3 }), 20001));
        expect(kolmogorov(gaps(times).map((g) => g * 200), exponentialLaw)).toBeLessThan(1.63);
        expect(mean(gaps(times))).toBeCloseTo(1 / 200, 4);
    });
    test('the first poisson arrival is as far from the start as any other from the one before', () => {
        const firsts = Array.from({ length: 5000 }, (_, seed) => seconds(take(plan('request_rate', { options: { rate: 1 }, seed }), 1))[0]);
        expect(kolmogorov(firsts, exponentialLaw)).toBeLessThan(1.63);
    });
    test.each([0.25, 0.5, 2, 10])('gamma gaps of smoothness %s have mean 1/rate and variation 1/√k', (smoothness) => {
        const g = gaps(seconds(take(plan('request_rate', { options: { rate: 50, smoothness }, seed: 9 }), 40000)));
        const m = mean(g);
        const variation = Math.sqrt(mean(g.map((x) => (x - m) ** 2))) / m;
        expect(m * 50).toBeCloseTo(1, 1);
        expect(variation * Math.sqrt(smoothness)).toBeCloseTo(1, 1);
    });
    test('a smoothness of 1 is poisson, one of 2 keeps the Erlang law', () => {
        const of = (smoothness) => gaps(seconds(take(plan('request_rate', { options: { rate: 1, smoothness }, seed: 4 }), 20001)));
        expect(kolmogorov(of(1), exponentialLaw)).toBeLessThan(1.63);
        expect(kolmogorov(of(2), (x) => 1 - Math.exp(-2 * x) * (1 + 2 * x))).toBeLessThan(1.63);
    });
    test('a smoothness without a pattern chooses gamma', () => {
        const a = take(plan('request_rate', { options: { rate: 5, smoothness: 0.3 } }), 50);
        expect(a).toEqual(take(plan('request_rate', { options: { rate: 5, smoothness: 0.3, pattern: 'gamma' } }), 50));
    });
    test('bursts: as many at once as the concurrency, at the rate on the whole', () => {
        const times = seconds(take(plan('request_rate', { options: { rate: 20, pattern: 'concurrency_burst', concurrency: 4 } }), 4 * 100));
        times.forEach((t, n) => expect(t).toBeCloseTo(Math.floor(n / 4) * 0.2, 9));
    });
});
describe('while the rate changes', () => {
    const expectedCount = (options, until, runs) => mean(Array.from({ length: runs }, (_, seed) => takeUntil(plan('request_rate', { options, seed }), until).length));
    test('a poisson ramp to 2/s over 12 s delivers the 12 arrivals that are its integral', () => {
        // Standard error of the mean of 1,500 runs: √12/√1500 = 0.09.
        expect(expectedCount({ rate: 2, rateRamp: { duration: 12 } }, 12, 1500)).toBeCloseTo(12, 0);
    });
    test.each([
        ['linear', undefined, 1 / 2],
        ['exponential', 2, 1 / 3],
        ['exponential', 4, 1 / 5],
    ])('constant arrivals along a %s ramp (exponent %s) count exactly', (strategy, exponent, share) => {
        const options = { rate: 90, pattern: 'constant', rateRamp: { duration: 20, strategy, ...(exponent ? { exponent } : {}) } };
        const count = takeUntil(plan('request_rate', { options }), 20).length;
        expect(Math.abs(count - Math.ceil(90 * 20 * share))).toBeLessThanOrEqual(1);
    });
    test.each([0.3, 1, 4])('gamma arrivals of smoothness %s have the exact expected count from the start on', (smoothness) => {
        const series = { rateSeries: { points: [{ timeS: 0, qps: 4 }, { timeS: 3, qps: 1 }, { timeS: 5, qps: 6 }] }, smoothness };
        const expected = 7.5 + 7 + 6;
        // Standard error: about √(20.5/k)/√4000, at most 0.13.
        expect(Math.abs(expectedCount(series, 6, 4000) - expected)).toBeLessThan(0.4);
    });
    test('seen through the integral of the rate, poisson arrivals are poisson at any time', () => {
        const load = plan('request_rate', { options: { rate: 100, rateRamp: { duration: 200 } }, seed: 12 });
        const work = seconds(takeUntil(load, 200)).map((t) => (t * t) / 4);
        expect(work.length).toBeGreaterThan(9000);
        expect(kolmogorov(gaps(work), exponentialLaw)).toBeLessThan(1.63);
    });
    test('the offered rate is what the ramp and the series say, and the last value holds', () => {
        const load = plan('request_rate', {
            options: { rateRamp: { duration: 10 }, rateSeries: { points: [{ timeS: 5, qps: 20 }, { timeS: 15, qps: 40 }] } },
        });
        const at = (s) => load.offeredRate(s * 1e9);
        expect([0, 5, 10, 15, 20, 25, 1e6].map((s) => Math.round(at(s) * 1e6) / 1e6)).toEqual([0, 10, 20, 20, 30, 40, 40]);
    });
    test('a ramp in random steps ends on the rate exactly', () => {
        const load = plan('request_rate', { options: { rate: 30, rateRamp: { duration: 10, strategy: 'poisson' } } });
        expect(load.offeredRate(10e9)).toBe(30);
        expect(load.offeredRate(5e9)).toBeGreaterThan(5);
        expect(load.offeredRate(5e9)).toBeLessThan(25);
    });
    test('arrivals never go back in time, whatever the curve', () => {
        const point = fc.record({ gap: fc.double({ min: 0.1, max: 5, noNaN: true }), qps: fc.double({ min: 0.1, max: 500, noNaN: true }) });
        fc.assert(fc.property(fc.array(point, { minLength: 2, maxLength: 6 }), fc.constantFrom('poisson', 'constant', 'gamma'), (steps, pattern) => {
            let timeS = 0;
            const points = steps.map(({ gap, qps }) => ({ timeS: (timeS += gap), qps }));
            const due = take(plan('request_rate', { options: { rateSeries: { points }, pattern } }), 500).map((a) => a.dueNs);
            for (let i = 1; i < due.length; i++)
                expect(due[i]).toBeGreaterThanOrEqual(due[i - 1]);
            expect(due.every(Number.isSafeInteger)).toBe(true);
        }), { numRuns: 50 });
    });
});
test('the same seed gives the same plan, another seed or phase another', () => {
    const due = (seed, name) => take(plan('request_rate', { options: { rate: 5 }, seed, phase: { name } }), 20);
    expect(due(1, 'a')).toEqual(due(1, 'a'));
    expect(due(1, 'a')).not.toEqual(due(2, 'a'));
    expect(due(1, 'a')).not.toEqual(due(1, 'b'));
});
test('later turns take arrivals, and an arrival without a slot waits unless told otherwise', () => {
    expect(plan('request_rate', { options: { rate: 1 } })).toMatchObject({ nextTurn: { kind: 'takes-arrival' }, overload: 'queue', sessions: 'sample', limits: {} });
    expect(plan('request_rate', { options: { rate: 1, overload: 'skip' } }).overload).toBe('skip');
});
test('arrivals are cheap: a hundred thousand in a fraction of a second', () => {
    const load = plan('request_rate', { options: { rate: 1e5, smoothness: 2, rateRamp: { duration: 10, strategy: 'exponential' } } });
    const start = performance.now();
    take(load, 100000);
    expect(performance.now() - start).toBeLessThan(1000);
});
describe('rules between options', () => {
    const flags = (options, phase = {}) => check('request_rate', { options, phase }).map((p) => p.flags.join(' '));
    test.each([
        [{ rate: 3 }, []],
        [{}, ['--request-rate']],
        [{ rate: 3, rateSeries: { points: [{ timeS: 0, qps: 1 }, { timeS: 1, qps: 2 }] } }, ['--request-rate --request-rate-series']],
        [{ rateSeries: { points: [{ timeS: 1, qps: 1 }, { timeS: 1, qps: 2 }] } }, ['--request-rate-series']],
        [{ rate: 3, pattern: 'poisson', smoothness: 2 }, ['--arrival-smoothness --arrival-pattern']],
        [{ rate: 3, pattern: 'concurrency_burst' }, ['--arrival-pattern --concurrency']],
        [{ rate: 3, concurrency: 2, prefillConcurrency: 3 }, ['--prefill-concurrency --concurrency']],
    ])('%j', (options, expected) => expect(flags(options)).toEqual(expected));
    test('all broken rules at once, by the names of the phase', () => {
        expect(flags({ pattern: 'constant', smoothness: 1, concurrencyRamp: { duration: 3 } }, { kind: 'warmup' })).toEqual([
            '--warmup-concurrency-ramp-duration --warmup-concurrency',
            '--warmup-request-rate',
            '--arrival-smoothness --warmup-arrival-pattern',
        ]);
    });
});
