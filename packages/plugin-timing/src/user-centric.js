import { ConfigurationError, defineTimingMode } from '@aiperf/core';
import { checkLimits, limitRamps, planLimits } from './limits.js';
/**
 * `users` users who each send a turn every users/rate seconds. Time is counted in slots of 1/rate seconds: a user holds
 * every `users`-th slot, and when the conversation has been played another user with a new one takes over those slots,
 * so that every slot has exactly one request. So that users do not all begin at turn 1, the first ones play
 * conversations shortened as if they had begun before the start.
 */
export default defineTimingMode({
    uses: (o) => ({ ramp: limitRamps(o) }),
    check,
    plan(context) {
        const { options, dataset, sampler } = context;
        const { users, rate } = options;
        const meanTurns = meanOf(dataset.size, (s) => dataset.turns(s));
        if (meanTurns < 2)
            throw new ConfigurationError([
                {
                    flags: ['--user-centric-rate', '--session-turns-mean'],
                    message: `the user-centric mode needs conversations of 2 turns or more; those of this dataset have ${meanTurns.toFixed(1)} on average`,
                    hint: 'use a multi-turn dataset (--session-turns-mean 2 or more), or --request-rate',
                },
            ], 'E_DATASET');
        /** Slot at which the next user of each residue begins, and that user's number and turns when they are set already. */
        const begins = Float64Array.from({ length: users }, (_, residue) => residue);
        const cast = firstUsers(users, Math.max(1, Math.round(meanTurns) - 1));
        let slot = 0;
        let sessions = 0;
        let lastUser = users + 1;
        const next = () => {
            while (begins[slot % users] !== slot)
                slot++;
            const first = slot < users ? cast[slot] : undefined;
            const session = sampler.at(sessions++);
            const turns = dataset.turns(session);
            const played = Math.min(turns, first?.turns ?? turns);
            begins[slot % users] = slot + Math.max(1, played) * users;
            const arrival = { dueNs: Math.round((slot / rate) * 1e9), session, user: first?.user ?? ++lastUser };
            if (played < turns)
                arrival.turns = played;
            slot++;
            return arrival;
        };
        return {
            arrivals: { kind: 'timed', next },
            nextTurn: { kind: 'every', gapNs: Math.round((users / rate) * 1e9) },
            limits: planLimits(context),
            sessions: 'sample',
            overload: options.overload,
            offeredRate: () => rate,
        };
    },
});
/**
 * The users who hold slots 0 … n−1 at the start: slot 0 a new one with a whole conversation, the others shortened so that
 * the turns still to play are spread evenly. `span` is the number of turns between the first and the last of a
 * conversation. User 1 would have nothing left to play; the number stays unused.
 */
export function firstUsers(n, span) {
    const cast = [];
    const stride = gcd(n, span) > 1 ? smallestCoprime(n) : 0;
    for (let i = 1; i < n; i++) {
        const age = (n - i) * span;
        const slot = n - (stride > 0 ? (i * stride) % n : age % n);
        cast[slot] = { user: i + 1, turns: span - Math.floor(age / n) };
    }
    cast[0] = { user: n + 1 };
    return cast;
}
function smallestCoprime(n) {
    for (let s = 2; s < n; s++)
        if (gcd(s, n) === 1)
            return s;
    return 1;
}
const gcd = (a, b) => (b === 0 ? a : gcd(b, a % b));
function meanOf(count, value) {
    let sum = 0;
    for (let i = 0; i < count; i++)
        sum += value(i);
    return sum / Math.max(1, count);
}
function check(o, phase) {
    const problems = checkLimits(o, phase);
    for (const [count, flag] of [
        [phase.requests, '--request-count'],
        [phase.sessions, '--num-sessions'],
    ])
        if (count !== undefined && count < o.users)
            problems.push({ flags: [flag, '--num-users'], message: `${flag} ${count} is below --num-users ${o.users}: some users would never send`, hint: `raise ${flag} to ${o.users} or more` });
    return problems;
}
