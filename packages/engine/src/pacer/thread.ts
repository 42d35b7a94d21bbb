import { receiveMessageOnPort, workerData, parentPort } from 'node:worker_threads'
import { createHost } from '@aiperf/core/host'
import type { DatasetSizes, FromPacer, PacerData, ArmPhase, ToPacer } from '../control/messages.js'
import { createPlan } from '../control/plan.js'
import { createNow } from '../shared/clock.js'
import { packFailure } from '../shared/failure.js'
import { prioritise, sleepSharply } from '../shared/health.js'
import { RUN } from '../shared/words.js'
import { Store } from '../store/reader.js'
import { Pacer } from './pacer.js'
import type { Adaptive, LoadPlan } from '@aiperf/core'
import type { ArrivalRing } from '../shared/arrivals.js'

const data = workerData as PacerData
const post = (message: FromPacer): void => parentPort!.postMessage(message)
const now = createNow(data.origin)
const host = createHost(data.index)
const { runWords } = data
prioritise('pacer')
sleepSharply()

const pacer = new Pacer({
  now,
  runWords,
  pace: data.pace,
  workers: data.workers.map(({ words, orders, port }) => ({ words, orders, notify: () => port.postMessage(0) })),
})
let store: Store
let sizes: DatasetSizes
const adaptive = new Map<number, Adaptive>()

const armed = new Map<number, { plan: LoadPlan; ring: ArrivalRing }>()

async function arm(message: ArmPhase): Promise<void> {
  const { plan } = await createPlan(host, data.model, data.model.phases[message.phase]!, store, sizes, data.seed)
  if (plan.adapt) adaptive.set(message.phase, plan.adapt)
  armed.set(message.phase, { plan, ring: message.ring! })
  post({ type: 'armed', phase: message.phase })
}

function go(phase: number, startNs: number): void {
  const { plan, ring } = armed.get(phase)!
  const { durationSeconds = Infinity } = data.model.phases[phase]!
  pacer.add({ index: phase, plan, words: data.phaseWords[phase]!, ring, startNs, endNs: startNs + durationSeconds * 1e9, independent: plan.nextTurn.kind !== 'takes-arrival' || singleTurns(), exhausted: () => post({ type: 'exhausted', phase }) })
}

function singleTurns(): boolean {
  for (let session = 0; session < store.size; session++) if (store.turns(session) > 1) return false
  return true
}

/** Handles one message; false: the thread is to end. */
async function handle(message: ToPacer): Promise<boolean> {
  if (message.type === 'store') {
    store = new Store(message.shared)
    sizes = message.sizes
  } else if (message.type === 'arm') await arm(message)
  else if (message.type === 'go') go(message.phase, message.startNs)
  else if (message.type === 'stop') pacer.remove(message.phase)
  else if (message.type === 'window') {
    const { window } = message
    const adapt = adaptive.get(message.phase)
    if (adapt) post({ type: 'adapted', phase: message.phase, adaptation: adapt.assess({ ...window, value: (tag, stat) => window.values[`${tag}/${stat}`] }), summary: adapt.summary() })
  } else return false
  return true
}

async function run(): Promise<void> {
  post({ type: 'ready' })
  for (;;) {
    const seen = Atomics.load(runWords, RUN.pacerWake)
    for (let received = receiveMessageOnPort(data.control); received; received = receiveMessageOnPort(data.control))
      if (!(await handle(received.message as ToPacer))) return
    pacer.sleep(pacer.step(), seen)
  }
}
run().then(() => process.exit(0), (error) => post(packFailure(error)))
