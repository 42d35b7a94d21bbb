// What a figure depends on.
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'
import { CORE } from './process.mjs'

/** Facts of the machine and the moment. `busy`: load of the last minute beyond our own, per core: above 0.5 figures are noisy. */
export function facts() {
  const { model = 'unknown CPU' } = cpus()[0] ?? {}
  return {
    node: process.version,
    system: `${process.platform} ${release()} ${process.arch}`,
    cpu: model.trim(),
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    pinned: CORE.client !== undefined,
    load: Number(loadavg()[0].toFixed(2)),
  }
}
