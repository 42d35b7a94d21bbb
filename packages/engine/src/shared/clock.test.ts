import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const clock = new URL('../../dist/shared/clock.js', import.meta.url).href

/** What a fresh process, in which nothing has run yet, says of both clocks: differences in µs. */
function cold(): { wall: number[]; threads: number[] } {
  const program = `
    import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
    const { takeOrigin, createNow } = await import(${JSON.stringify(clock)})
    const off = (now, origin) => {
      let least = Infinity
      for (let i = 0; i < 100; i++) {
        const before = Number(process.hrtime.bigint() - origin.originNs)
        const told = now()
        const after = Number(process.hrtime.bigint() - origin.originNs)
        // How far the clock lies outside of two readings of the true one.
        least = Math.min(least, Math.max(0, before - told, told - after))
      }
      return least / 1000
    }
    const origin = takeOrigin()
    const wall = [0, 1].map(() => { const o = takeOrigin(); return Number(o.unixNs - o.originNs - (origin.unixNs - origin.originNs)) / 1000 })
    const source = 'import { parentPort, workerData } from "node:worker_threads"; const { createNow } = await import(workerData.clock); const off = ' + off + '; parentPort.postMessage(off(createNow(workerData.origin), workerData.origin))'
    const threads = await Promise.all([0, 1, 2].map(() => new Promise((resolve, reject) => new Worker(new URL('data:text/javascript,' + encodeURIComponent(source)), { workerData: { origin, clock: ${JSON.stringify(clock)} } }).once('message', resolve).once('error', reject))))
    console.log(JSON.stringify({ wall, threads }))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  if (!stdout) throw new Error(stderr)
  return JSON.parse(stdout) as { wall: number[]; threads: number[] }
}

describe('the clock of a run', () => {
  it('is the same in all threads, also in one that has just begun', () => {
    // A machine that takes the core away right at a tick makes one try worse; what is wrong in the clock itself is wrong in each.
    const tries = Array.from({ length: 4 }, cold)
    const least = (of: (said: ReturnType<typeof cold>) => number[]): number => Math.min(...tries.map((said) => Math.max(...of(said).map(Math.abs))))
    expect(least(({ threads }) => threads)).toBeLessThan(100)
    expect(least(({ wall }) => wall)).toBeLessThan(200)
  })
})
