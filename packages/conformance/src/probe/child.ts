import type { Kind } from '@aiperf/core'
import { neutralContext } from '../contexts.js'
import { dispose } from '../dispose.js'
import { leftovers } from '../leftovers.js'
import { openPackage, subjectOf } from '../subject.js'
import type { Probed, ProbeMessage } from './probe.js'

/**
 * Tries the contributions of a package, one after the other: imported, created with defaults, ended. Runs in a process of
 * its own, so that what hangs or crashes takes nobody with it. Arguments: the package's folder, how many to pass over, and
 * the kind and name of the only one to try.
 */
const [directory = '.', passed = '0', kind = '', name = ''] = process.argv.slice(2)
const { index, host } = openPackage(directory)
const tell = (message: ProbeMessage) => new Promise<void>((resolve) => process.send!(message, () => resolve()))

const wanted = index.contributions.filter((c) => (kind === '' || c.kind === kind) && (name === '' || c.name === name))
for (const [at, declared] of [...wanted.entries()].slice(Number(passed))) {
  const subject = subjectOf(host, declared)
  const probed = (problem?: string, fault?: Probed['fault']): Probed => ({ kind: declared.kind, name: declared.name, ...(problem === undefined ? {} : { problem }), ...(fault === undefined ? {} : { fault }) })
  const step = async (stage: 'import' | 'create', action: () => Promise<void>): Promise<Probed | undefined> => {
    await tell({ at, stage, kind: declared.kind, name: declared.name })
    let thrown: unknown
    const left = await leftovers(async () => {
      try {
        await action()
      } catch (error) {
        thrown = error
      }
    })
    if (thrown !== undefined) {
      // A contribution may refuse the defaults (a template endpoint without its template): that is no fault.
      const { name: type, code, message } = thrown as { name?: string; code?: string; message?: string }
      if (stage === 'create' && type === 'AiperfError' && !code?.startsWith('E_PLUGIN_')) return probed()
      const fault = code === 'E_PLUGIN_API' ? 'api' : code === 'E_PLUGIN_SHAPE' ? 'shape' : stage
      return probed(message ?? String(thrown), fault)
    }
    if (left.length > 0) return probed(`${stage === 'import' ? 'importing it' : 'creating and ending it'} leaves ${left.join(', ')} behind`, 'leak')
    return undefined
  }
  const result =
    (declared.problem === undefined ? undefined : probed(declared.problem, 'manifest')) ??
    (await step('import', async () => void (await host.load(declared.kind, `${declared.package}:${declared.name}`)))) ??
    (await step('create', async () => {
      // Its own time limit is the parent's: a hang is told by whom it concerns.
      const thing = await host.activate(declared.kind as Kind, `${declared.package}:${declared.name}`, neutralContext(subject))
      await dispose(declared.kind, thing)
    })) ??
    probed()
  await tell({ at, result })
}
process.disconnect()
process.exit(0)
