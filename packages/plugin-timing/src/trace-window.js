/**
 * What of a trace is replayed, by time (stable). A turn with a time stamp belongs to the window when the stamp lies in it,
 * both ends included; one with only a delay goes with the turn before it. `undated` are sessions whose first turn has no
 * stamp; `stamps` are the stamps of all turns played, ascending.
 */
export function selectSessions(dataset, window) {
    const start = window.startOffset ?? -Infinity;
    const end = window.endOffset ?? Infinity;
    const played = [];
    const undated = [];
    const stamps = [];
    for (let session = 0; session < dataset.size; session++) {
        const count = dataset.turns(session);
        if (count === 0)
            continue;
        if (dataset.timestampMs(session, 0) === undefined) {
            undated.push(session);
            continue;
        }
        const stamp = (turn) => dataset.timestampMs(session, turn);
        let first = 0;
        while (first < count && !within(stamp(first), start, end))
            first++;
        if (first === count || (first > 0 && window.straddling === 'drop'))
            continue;
        let last = first;
        while (last + 1 < count && (stamp(last + 1) ?? -Infinity) <= end)
            last++;
        played.push({ session, firstTurn: first, turns: last - first + 1, timestampMs: stamp(first) });
        for (let turn = first; turn <= last; turn++) {
            const ms = stamp(turn);
            if (ms !== undefined)
                stamps.push(ms);
        }
    }
    played.sort((a, b) => a.timestampMs - b.timestampMs);
    return { played, undated, stamps: Float64Array.from(stamps).sort() };
}
const within = (ms, start, end) => ms !== undefined && ms >= start && ms <= end;
