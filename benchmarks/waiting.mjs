// Ways to wait for a due time: how late each is, and what it costs. Why the pacer waits as it does.
import { Worker } from 'node:worker_threads'
import { summary } from './measure/statistics.mjs'

const RATES = [200, 2000]

export const about = {
  title: 'Waiting for a due time',
  method: `A thread of its own waits for due times of a Poisson process and notes how late it was. *setTimeout*: the event loop's timer.
*Atomics.wait*: sleeps on a shared word until the due time. *sharp*: the kernel is told to end this thread's sleeps when they are over (its timer slack
is set to 1 ns). *awake 250 µs before*: sleeps until then and reads the clock from then on: so do the pacer, which calls a worker ahead of time, and the
worker, which reads answers meanwhile. *spin*: nothing but that. *waitAsync*: \`Atomics.waitAsync\` of the event loop. CPU is that of the thread, as a share of a core.`,
}

export async function measure({ pairs = 3, quick = false }) {
  const rows = []
  for (const rate of RATES)
    for (const way of ['setTimeout', 'Atomics.wait', 'sharp Atomics.wait', 'sharp sleep, awake 250 µs before', 'spin', 'waitAsync']) {
      const runs = []
      for (let pair = 0; pair < pairs; pair++) runs.push(await wait(way, rate, quick ? 0.5 : 1.5))
      const row = (what, unit, key) => rows.push({ load: `${rate}/s`, client: way, what, unit, ...summary(runs.map((run) => run[key])) })
      row('late, p50', 'µs', 'p50')
      row('late, p99', 'µs', 'p99')
      row('CPU', '% of a core', 'cpu')
    }
  return { rows }
}

function wait(way, rate, seconds) {
  const worker = new Worker(new URL('./measure/waiter.mjs', import.meta.url), { workerData: { way, rate, seconds } })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the waiting thread ended without a result')))
  })
}
