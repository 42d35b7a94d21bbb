import { AiperfError, type Metric } from '@aiperf/core'
import { displayDivisor } from './units.js'

/** Records first, then what is made of them: a metric may read only what comes before it. */
const STAGE: Readonly<Record<Metric['kind'], number>> = { record: 0, aggregate: 1, curve: 2, derived: 3 }

/**
 * The metrics in an order in which each comes after those it reads. Unknown names, cycles, a record metric that reads a
 * derived one, and definitions that contradict each other end the run: a metric that silently went missing would look
 * like a server that lacks something.
 */
export function orderMetrics(metrics: readonly Metric[]): Metric[] {
  const byTag = new Map<string, Metric>()
  for (const metric of metrics) {
    if (byTag.has(metric.tag))
      throw shapeError(`Two metrics have the tag "${metric.tag}".`, 'Every tag is unique over all installed plugins: rename or remove one of the two.')
    if (displayDivisor(metric) === undefined)
      throw shapeError(`The metric "${metric.tag}" has unit ${metric.unit} and display unit ${metric.displayUnit}, and no conversion between them is known.`)
    byTag.set(metric.tag, metric)
  }
  const done = new Set<string>()
  const path: string[] = []
  const order: Metric[] = []
  const visit = (metric: Metric): void => {
    if (done.has(metric.tag)) return
    const at = path.indexOf(metric.tag)
    if (at >= 0) throw shapeError(`These metrics require each other: ${[...path.slice(at), metric.tag].join(' → ')}.`)
    path.push(metric.tag)
    for (const tag of reads(metric)) {
      const read = byTag.get(tag)
      if (!read) {
        if (metric.optional?.includes(tag)) continue
        throw shapeError(`The metric "${metric.tag}" requires "${tag}", which no installed plugin has.`, nearest(tag, byTag.keys()))
      }
      if (STAGE[read.kind] > STAGE[metric.kind])
        throw shapeError(`The ${metric.kind} metric "${metric.tag}" requires the ${read.kind} metric "${tag}", whose value is known only after it.`)
      visit(read)
    }
    path.pop()
    done.add(metric.tag)
    order.push(metric)
  }
  // Stage by stage in the order given, so that files keep the order of the definitions where nothing speaks against it.
  for (const kind of Object.keys(STAGE)) for (const metric of metrics) if (metric.kind === kind) visit(metric)
  return order
}

function reads(metric: Metric): readonly string[] {
  const tags = [...(metric.requires ?? []), ...(metric.optional ?? [])]
  if (metric.kind === 'curve') for (const tag of [metric.plus, metric.dividedBy, metric.whilePositive]) if (tag !== undefined) tags.push(tag)
  if (metric.kind === 'record' && metric.censoredBy !== undefined) tags.push(metric.censoredBy)
  return tags
}

function shapeError(message: string, hint?: string): AiperfError {
  return new AiperfError('E_PLUGIN_SHAPE', message, hint === undefined ? {} : { hint })
}

function nearest(tag: string, tags: Iterable<string>): string {
  const parts = new Set(tag.split('_'))
  let best = ''
  let most = 0
  for (const other of tags) {
    const shared = other.split('_').filter((part) => parts.has(part)).length
    if (shared > most) {
      most = shared
      best = other
    }
  }
  return best === '' ? 'Install the plugin that has it.' : `Did you mean "${best}"? Otherwise install the plugin that has it.`
}
