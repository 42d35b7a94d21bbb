import { wholeScore, type Metric, type MetricResult } from '@aiperf/core'
import { contributionsOf, type PluginIndex } from '@aiperf/core/host'

/** What is known of a metric by its tag alone. */
export interface MetricName {
  header: string
  unit: string
  largerIsBetter: boolean
}

export type MetricNames = (tag: string) => MetricName

const DISPLAY_UNITS: Record<string, string> = { ns: 'ns' }
const LARGER = /throughput|goodput|good_request|acceptance|hit|reuse|per_watt|per_joule/
const ACRONYMS = new Set(['isl', 'osl', 'http', 'gpu', 'dns', 'tcp', 'tls', 'kv', 'e2e', 'ttft', 'itl', 'rtt'])

/** From the metrics of a run. */
export function namesOf(metrics: readonly Metric[]): MetricNames {
  return lookUp(new Map(metrics.map((m) => [m.tag, m])))
}

/** From the manifests of the installed packages; a metric that none of them has is named after its tag. */
export function metricNames(index: PluginIndex): MetricNames {
  return lookUp(new Map(contributionsOf(index, 'metric').flatMap(({ metrics }) => (metrics ?? []).map((m) => [m.tag, m] as const))))
}

function lookUp(known: ReadonlyMap<string, Pick<Metric, 'header' | 'unit' | 'displayUnit' | 'largerIsBetter'>>): MetricNames {
  return (tag) => {
    const metric = known.get(tag) ?? scoreOfTask(tag, known.get(wholeScore(tag)))
    const part = metric ? undefined : /^(.*)_(avg|p50|p95|std|min|max|range)$/.exec(tag)
    const parent = part ? known.get(part[1]!) : undefined
    if (parent) return { header: `${parent.header} ${part![2]} of each request`, unit: parent.displayUnit ?? parent.unit, largerIsBetter: parent.largerIsBetter === true }
    return {
      header: metric?.header ?? DERIVED[tag]?.header ?? titled(tag),
      unit: metric?.displayUnit ?? metric?.unit ?? DERIVED[tag]?.unit ?? DISPLAY_UNITS[tag] ?? '',
      largerIsBetter: metric ? metric.largerIsBetter === true || LARGER.test(tag) : LARGER.test(tag),
    }
  }
}

/** A score of one task of a benchmark is named after it. */
function scoreOfTask<M extends { header: string }>(tag: string, whole: M | undefined): M | undefined {
  return whole && { ...whole, header: `${whole.header}, ${tag.replace(/^.*\.task\./, '')}` }
}

/** Metrics that plots make of others. */
const DERIVED: Record<string, { header: string; unit: string }> = {
  output_token_throughput_per_gpu: { header: 'Output Token Throughput Per GPU', unit: 'tokens/sec/GPU' },
}

const titled = (tag: string): string =>
  tag.split('_').map((word) => (ACRONYMS.has(word) ? word.toUpperCase() : word.slice(0, 1).toUpperCase() + word.slice(1))).join(' ')

/** Adds what follows from throughput and the number of GPUs. */
export function addPerGpu(metrics: Map<string, MetricResult>, gpus: number | undefined): void {
  const throughput = metrics.get('output_token_throughput')
  if (!gpus || throughput?.avg === undefined || metrics.has('output_token_throughput_per_gpu')) return
  metrics.set('output_token_throughput_per_gpu', { tag: 'output_token_throughput_per_gpu', ...DERIVED['output_token_throughput_per_gpu']!, group: 'none', kind: 'derived', avg: throughput.avg / gpus })
}
