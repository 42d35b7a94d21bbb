/**
 * Telemetry of a run: sources (contributions of kind `telemetry_source`) sampled in a thread of their own, stored in the
 * journal, summarised from there.
 *
 * While the run goes on (control plane):
 *
 *   const telemetry = startTelemetry({            // at once, beside the other threads; returns immediately
 *     index, origin, journal,                      // plugin index, run clock, journal folder (exists)
 *     sources: selectSources(index, model.telemetry),
 *     urls, headers, tls,                          // what the run sends to, credentials included
 *     log: (level, message) => …,                  // lines for people, each said once
 *     live: (lines) => snapshot.telemetry = lines, // about once a second
 *   })
 *   await telemetry.ready                          // sources have looked round; ≤ 1 s; rejects when one that was asked for cannot load
 *   await telemetry.border('start', phase.index)   // BEFORE taking the phase's startNs; ≤ one scrape, ≤ 1 s, usually ms
 *   … the phase runs …
 *   await telemetry.border('end', phase.index)     // AFTER the phase's endNs
 *   await telemetry.stop()                         // ≤ one scrape; a thread that hangs is ended
 *
 * `border('end', k)` and `border('start', k + 1)` of seamless phases may be called without waiting. None of these reject
 * after `ready`, whatever targets do. With no source selected nothing is started.
 *
 * After the run, or offline, from the journal alone:
 *
 *   const telemetry = readTelemetry(journal)       // TelemetryResult[] for EvaluateInput.telemetry and RunResult.telemetry
 *   scopeTelemetry(telemetry, window)              // what Scope.telemetry(name) answers
 *   await telemetryJudge(host, telemetry)          // (phase window) => VerdictReason[], for EvaluateInput.judge
 *   await collectAdditions(run, exporters)         // RunResult.additions: general view plus every exporter's `adds`
 *   phaseWindows(manifest.phases)                  // windows of the profiling phases
 *
 * Files: `telemetry-<source>.jsonl`, appended line by line, so that a kill loses at most the sample on its way. Format: see
 * `format.ts`.
 */
export { collectAdditions } from './additions.js'
export { telemetryJudge } from './judge.js'
export { readTelemetry } from './result.js'
export { phaseWindows, scopeTelemetry } from './scope.js'
export { selectSources, type SelectedSource } from './select.js'
export { startTelemetry, type Telemetry, type TelemetrySetup } from './start.js'
