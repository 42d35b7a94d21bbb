import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const compiler = new URL('../../dist/control/compiler.js', import.meta.url).href

/** Hot functions that the runtime optimized while a rest lasted and after it, beside a worker that is `busy` or idle. */
function optimized({ busy, sharesCore }: { busy: boolean; sharesCore: boolean }): { during: boolean; after: boolean } {
  const program = `
    import { Worker } from 'node:worker_threads'
    import { setTimeout as pause } from 'node:timers/promises'
    const { CompilerRest } = await import(${JSON.stringify(compiler)})
    const idle = 'setInterval(() => {}, 1000)'
    const thread = (source) => new Promise((resolve) => { const worker = new Worker(source, { eval: true }); worker.once('online', () => resolve({ worker })) })
    const workers = [await thread(${busy} ? 'const turn = () => setImmediate(turn); turn()' : idle)]
    const recorders = [await thread(idle)]
    const hot = (name) => new Function('return function ' + name + '(n) { let s = 0; for (let i = 0; i < n; i++) s += (i * 7) % 13; return s }')()
    const heat = (f) => { for (let i = 0; i < 3000; i++) f(3000) }
    const rest = new CompilerRest({ workers, recorders, sharesCore: ${sharesCore} })
    rest.begin()
    await pause(400)
    heat(hot('during'))
    rest.end()
    heat(hot('after'))
    process.exit()`
  const { stdout } = spawnSync(process.execPath, ['--trace-opt', '--input-type=module', '-e', program], { encoding: 'utf8' })
  const has = (name: string): boolean => new RegExp(`completed optimizing.*JSFunction ${name} `).test(stdout)
  return { during: has('during'), after: has('after') }
}

it('the optimizing compiler rests while threads that share a core are not busy, and works again afterwards', () => {
  expect(optimized({ busy: false, sharesCore: true })).toEqual({ during: false, after: true })
})

it('a thread that is busy gets the compiler back', () => {
  expect(optimized({ busy: true, sharesCore: true })).toEqual({ during: true, after: true })
})

it('with a core for each thread it never rests', () => {
  expect(optimized({ busy: false, sharesCore: false })).toEqual({ during: true, after: true })
})
