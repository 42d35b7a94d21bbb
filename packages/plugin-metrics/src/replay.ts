import { defineMetric, type DerivedMetric } from '@aiperf/core'
import { known } from './facts.js'

const DEGRADED_MS = 500

const lag = (stat: 'p50' | 'p90' | 'p99'): DerivedMetric => ({
  kind: 'derived',
  tag: `replay_sched_lag_${stat}`,
  header: `Replay Schedule Lag ${stat}`,
  shortHeader: `Sched Lag ${stat}`,
  unit: 'ms',
  gates: ['fixed-schedule'],
  requires: ['replay_send_schedule_offset'],
  wholePhaseOnly: true,
  group: 'none',
  description: `${stat} of how late requests of the schedule were sent. ${stat}(dispatched − due).`,
  compute: (scope) => {
    const ns = scope.statistic('replay_send_schedule_offset', stat)
    return ns === undefined ? undefined : ns / 1e6
  },
})

/** How well a replayed schedule was kept. */
export default defineMetric(
  {
    kind: 'record',
    tag: 'replay_send_schedule_offset',
    header: 'Replay Send Schedule Offset',
    shortHeader: 'Sched Offset',
    unit: 'ns',
    gates: ['fixed-schedule'],
    internal: true,
    group: 'none',
    description: 'How late a request was sent. dispatched − due.',
    absence: 'no request had a due time',
    compute: (r) => known(r.dispatchedNs - r.dueNs),
  },
  lag('p50'),
  lag('p90'),
  lag('p99'),
  {
    kind: 'derived',
    tag: 'replay_sched_degraded',
    header: 'Replay Schedule Degraded',
    shortHeader: 'Sched Degraded',
    unit: 'count',
    gates: ['fixed-schedule'],
    requires: ['replay_sched_lag_p50', 'replay_sched_lag_p90', 'replay_sched_lag_p99'],
    wholePhaseOnly: true,
    group: 'none',
    description: `1 when replay_sched_lag_p99 is above ${DEGRADED_MS} ms, else 0.`,
    compute: (scope) => (scope.value('replay_sched_lag_p99')! > DEGRADED_MS ? 1 : 0),
  },
)
