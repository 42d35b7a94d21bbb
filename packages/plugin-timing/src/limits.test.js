import { createRandom } from '@aiperf/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, plan, rampOf, RAMPS } from '../test-support/plan.js';
const ramps = fc.constantFrom(...Object.keys(RAMPS));
const at = (steps, ns) => steps.findLast((s) => s.atNs <= ns).value;
describe('a ramp of a limit', () => {
    const cases = fc.record({ strategy: ramps, concurrency: fc.integer({ min: 1, max: 300 }), duration: fc.double({ min: 0.001, max: 1000, noNaN: true }), seed: fc.nat() });
    test('starts at 1, never falls, never passes the value, and has it when the time is up', () => {
        fc.assert(fc.property(cases, ({ strategy, concurrency, duration, seed }) => {
            const steps = plan('concurrency', { options: { concurrency, concurrencyRamp: { duration, strategy } }, seed }).limits.sessions;
            expect(steps[0].atNs).toBe(0);
            for (let i = 1; i < steps.length; i++) {
                expect(steps[i].atNs).toBeGreaterThan(steps[i - 1].atNs);
                expect(steps[i].value).toBeGreaterThan(steps[i - 1].value);
            }
            expect(at(steps, Math.round(duration * 1e9))).toBe(concurrency);
            expect(steps.at(-1).value).toBe(concurrency);
        }));
    });
    test('linear: the k-th step is at k/(N−1) of the time', () => {
        const steps = plan('concurrency', { options: { concurrency: 11, concurrencyRamp: { duration: 5, strategy: 'linear' } } }).limits.sessions;
        expect(steps).toEqual(Array.from({ length: 11 }, (_, k) => ({ atNs: k * 5e8, value: k + 1 })));
    });
    test('exponential: a quarter of the way takes half the time at exponent 2', () => {
        const steps = plan('concurrency', { options: { concurrency: 101, concurrencyRamp: { duration: 10, strategy: 'exponential' } } }).limits.sessions;
        expect(steps.find((s) => s.value === 26).atNs).toBe(5e9);
        expect(at(steps, 5e9)).toBe(26);
    });
    test('poisson: another seed has other times, the same seed the same', () => {
        const of = (seed) => plan('concurrency', { options: { concurrency: 20, concurrencyRamp: { duration: 10, strategy: 'poisson' } }, seed }).limits.sessions;
        expect(of(1)).toEqual(of(1));
        expect(of(1)).not.toEqual(of(2));
    });
});
test('a curve and its inverse agree, for every ramp', () => {
    fc.assert(fc.property(ramps, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (name, seed, p) => {
        const curve = rampOf(name).curve(createRandom(seed, 'ramp'), { range: 12, seconds: 3 });
        expect(curve.at(0)).toBe(0);
        expect(curve.at(1)).toBe(1);
        expect(curve.at(curve.inverse(p))).toBeGreaterThanOrEqual(p - 1e-8);
        if (p > 0.01)
            expect(curve.at(curve.inverse(p) * (1 - 1e-6) - 1e-9)).toBeLessThanOrEqual(p + 1e-8);
    }));
});
test.each([
    ['request_rate', { rate: 1 }],
    ['user_centric', { rate: 1, users: 2 }],
    ['fixed_schedule', {}],
])('%s keeps the limits of sessions and prefill, each with its ramp', (mode, own) => {
    const data = { size: 1, turns: () => 3, timestampMs: () => 0, id: () => 'a' };
    const options = { ...own, concurrency: 3, prefillConcurrency: 2, prefillRamp: { duration: 4 } };
    expect(plan(mode, { options, dataset: data }).limits).toEqual({
        sessions: [{ atNs: 0, value: 3 }],
        prefill: [{ atNs: 0, value: 1 }, { atNs: 4e9, value: 2 }],
    });
});
test('closed loop: one session at a time unless told otherwise, replaced as soon as it ends', () => {
    expect(plan('concurrency')).toEqual({
        arrivals: { kind: 'asap' },
        nextTurn: { kind: 'after-reply' },
        limits: { sessions: [{ atNs: 0, value: 1 }] },
        sessions: 'sample',
        overload: 'queue',
    });
});
test('a limit that limits nothing, or a ramp to nowhere, is refused', () => {
    expect(check('concurrency', { options: { concurrency: 4, prefillConcurrency: 5, prefillRamp: { duration: 1 } } }).map((p) => p.flags)).toEqual([
        ['--prefill-concurrency', '--concurrency'],
    ]);
    expect(check('concurrency', { options: { prefillRamp: { duration: 1 } }, phase: { kind: 'warmup' } }).map((p) => p.flags)).toEqual([
        ['--warmup-prefill-concurrency-ramp-duration', '--warmup-prefill-concurrency'],
    ]);
});
