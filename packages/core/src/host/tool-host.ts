import type { JsonObject } from '../contracts/dataset.js'
import type { ToolHost } from '../contracts/tool.js'
import { isJsonObject } from '../json.js'
import { withDefaults } from '../options/json-schema.js'
import { createRandom } from '../random.js'
import type { Host } from './activate.js'
import { activateTokenizer } from './activate-tokenizer.js'
import { chooseLoader } from './choose-loader.js'
import { DatasetReport } from './dataset-report.js'
import { openSource, readHead } from './source.js'

/** Loaders that draw from what they read draw as many as a run of no stated length would. */
const ENTRIES = 100

/** What of a tool's surroundings is not the same everywhere: a terminal, a test. */
export type ToolSurroundings = Pick<ToolHost, 'print' | 'warn' | 'progress' | 'columns' | 'signal'>

/** Gives a tool what the host can do for it. */
export function toolHost(host: Host, surroundings: ToolSurroundings): ToolHost {
  const tokenizer = (name: string) => activateTokenizer(host, name, {})
  return {
    ...surroundings,
    openSource: (path, report) => openSource({ path }, report),
    readHead,
    report: (onBadLine) => new DatasetReport(onBadLine, surroundings.warn, surroundings.progress),
    tokenizer,
    async loader({ path, format = 'auto', options = {}, fixedSchedule, tokenizer: named }) {
      const { name, meta, options: schema } = await chooseLoader(host, { type: format, path })
      const loader = await host.activate('dataset_loader', name, {
        name,
        options: schema ? (withDefaults(schema, options) as JsonObject) : options,
        random: (stream) => createRandom(0, stream),
        tokenizer: () => tokenizer(named),
        entries: ENTRIES,
        fixedSchedule: fixedSchedule ?? (meta['isTrace'] === true && (await hasTimestamp(path))),
        models: ['model'],
        endpoint: { type: 'chat', media: ['image', 'audio', 'video'], consumesSystemMessage: true },
      })
      return { name, meta, loader }
    },
  }
}

/** Whether the first record of a file has a time stamp. */
async function hasTimestamp(path: string): Promise<boolean> {
  const { first } = await readHead(path)
  return isJsonObject(first) && (first['timestamp'] ?? null) !== null
}
