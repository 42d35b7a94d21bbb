import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RateCurve } from './rate-curve.js';
const points = fc
    .array(fc.record({ gap: fc.double({ min: 0.01, max: 100, noNaN: true }), rate: fc.integer({ min: 0, max: 9000 }).map((n) => n / 9) }), { minLength: 1, maxLength: 12 })
    .map((steps) => {
    let seconds = 0;
    return steps.map(({ gap, rate }) => ({ seconds: (seconds += gap), rate }));
})
    .filter((all) => all.at(-1).rate > 0.01);
test('the time of a count is the inverse of the expected count, on any rising, falling or flat pieces', () => {
    fc.assert(fc.property(points, fc.double({ min: 0, max: 1.5, noNaN: true }), (curvePoints, share) => {
        const curve = new RateCurve(curvePoints);
        const count = curve.expected(curvePoints.at(-1).seconds) * share;
        expect(curve.expected(curve.timeOf(count))).toBeCloseTo(count, 5);
    }));
});
test('times of ascending counts ascend, whatever was asked before', () => {
    fc.assert(fc.property(points, fc.array(fc.integer({ min: 0, max: 1e7 }).map((n) => n / 100), { minLength: 2 }), (curvePoints, counts) => {
        const curve = new RateCurve(curvePoints);
        const inOrder = [...counts].sort((a, b) => a - b).map((count) => curve.timeOf(count));
        for (let i = 1; i < inOrder.length; i++)
            expect(inOrder[i]).toBeGreaterThanOrEqual(inOrder[i - 1]);
        const fresh = new RateCurve(curvePoints);
        counts.forEach((count) => expect(fresh.timeOf(count)).toBeCloseTo(curve.timeOf(count), 9));
    }));
});
test('the integral is that of the rate: trapezoids of a fine grid agree', () => {
    const curve = new RateCurve([{ seconds: 1, rate: 2 }, { seconds: 3, rate: 10 }, { seconds: 3, rate: 4 }, { seconds: 8, rate: 1 }]);
    let sum = 0;
    const step = 1e-3;
    for (let t = 0; t < 10; t += step)
        sum += curve.at(t + step / 2) * step;
    expect(curve.expected(10)).toBeCloseTo(sum, 2);
    // 2·1 + (2+10)/2·2 + (4+1)/2·5 + 1·2
    expect(curve.expected(10)).toBeCloseTo(2 + 12 + 12.5 + 2, 9);
});
test('a change forgets what was planned for later and keeps what has been', () => {
    const curve = new RateCurve([{ seconds: 0, rate: 0 }, { seconds: 10, rate: 10 }, { seconds: 20, rate: 50 }]);
    curve.change(5, 100);
    expect(curve.expected(5)).toBeCloseTo(12.5);
    expect(curve.at(4.999)).toBeCloseTo(4.999);
    expect(curve.at(5)).toBe(100);
    expect(curve.at(1000)).toBe(100);
    expect(curve.timeOf(12.5 + 100)).toBeCloseTo(6);
});
