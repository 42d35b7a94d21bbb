import type { Adds, Exporter, RunResult } from '@aiperf/core'
import type { ExporterCase } from '../cases.js'
import { ensure, group, shown, type Group } from '../checks.js'
import { frozen } from '../pure.js'
import { MemoryDir } from '../sample/memory-dir.js'
import { emptyRun, failedRun, sampleRun } from '../sample/run.js'
import { randomOf, type Subject } from '../subject.js'

/** Runs are only read, so one of each does for all exporters. */
const RUNS = { whole: once(() => sampleRun()), empty: once(emptyRun), failed: once(failedRun) }
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

export function exporterSuite(subject: Subject<'exporter'>, given: ExporterCase): Group[] {
  const { meta } = subject
  const write = async (run: RunResult, dir = new MemoryDir()): Promise<MemoryDir> => {
    const exporter = (await subject.create({ options: subject.options(given.options), random: randomOf(1) })) as Exporter & Partial<Adds>
    const additions = await exporter.adds?.(run)
    ensure(additions === undefined || (typeof additions === 'object' && additions !== null), `adds returned ${shown(additions)}`)
    await exporter.write(run, dir)
    ensure(dir.pending === 0, `write ended while ${dir.pending} files were still being written: await dir.write and dir.stream`)
    return dir
  }
  const names = (dir: MemoryDir) => [...dir.files.keys()].sort()

  return [
    group('files', {
      'a run with records is written': async () => {
        const dir = await write(await RUNS.whole())
        for (const file of given.files ?? []) ensure(dir.files.has(file), `${file} was not written; there are ${shown(names(dir))}`)
      },
      'are the ones that the manifest names': async () => {
        const dir = await write(await RUNS.whole())
        const declared = Array.isArray(meta['files']) ? (meta['files'] as string[]) : []
        if (meta['target'] === 'console') return
        for (const name of names(dir)) {
          const known = declared.some((pattern) => new RegExp(`^${pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\\\*|<[^>]*>/g, '.*')}$`).test(dir.defaults.get(name) ?? name))
          ensure(known, `the file ${name} is not among "files" of the manifest (${declared.join(', ') || 'none'})`)
        }
      },
      'are the same for the same run': async () => {
        const run = await RUNS.whole()
        const [one, two] = [await write(run), await write(run)]
        ensure(String(names(one)) === String(names(two)), `the files of one run are ${shown(names(one))} and ${shown(names(two))}`)
        for (const [name, bytes] of one.files) ensure(bytes.equals(two.files.get(name)!), `${name} differs when the same run is written again: a file is a function of the run`)
      },
      'the prefix of the user is kept': async () => {
        const run = await RUNS.whole()
        const dir = await write({ ...run, output: { ...run.output, prefix: 'mine' } }, new MemoryDir({ prefix: 'mine' }))
        const declared = Array.isArray(meta['files']) ? (meta['files'] as string[]) : []
        for (const name of names(dir)) ensure(!declared.includes(name) || name.startsWith('mine') || !name.startsWith('profile_export'), `--profile-export-prefix was ignored for ${name}: ask dir.named for the name`)
      },
    }),
    group('any run', {
      'nothing was sent': async () => void (await write(await RUNS.empty())),
      'no request got through': async () => void (await write(await RUNS.failed())),
      'narrow console, colours, JSON': async () => {
        const run = await RUNS.whole()
        await write(run, new MemoryDir({ columns: 40, color: true, verbose: true }))
        await write(run, new MemoryDir({ output: 'json' }))
      },
      'no number that is none is written': async () => {
        for (const run of [await RUNS.whole(), await RUNS.empty(), await RUNS.failed()])
          for (const [name, bytes] of (await write(run)).files)
            if (/\.(json|jsonl|csv|txt|md)$/.test(name)) ensure(!/\b(NaN|Infinity|undefined)\b|\[object /.test(bytes.toString()), `${name} holds ${bytes.toString().match(/.{0,40}(NaN|Infinity|undefined|\[object ).{0,20}/)?.[0]}: what has no value is left out`)
      },
      'JSON files hold JSON': async () => {
        for (const [name, bytes] of (await write(await RUNS.whole())).files)
          for (const [i, text] of (name.endsWith('.jsonl') ? bytes.toString().split('\n').filter(Boolean) : name.endsWith('.json') ? [bytes.toString()] : []).entries())
            try {
              JSON.parse(text)
            } catch (error) {
              ensure(false, `${name}, line ${i + 1}: ${(error as Error).message}`)
            }
      },
    }),
    group('the run', {
      'is only read': async () => {
        const run = await RUNS.whole()
        frozen(run.manifest)
        frozen(run.verdict)
        frozen(run.output)
        await write(run)
      },
    }),
  ]
}
