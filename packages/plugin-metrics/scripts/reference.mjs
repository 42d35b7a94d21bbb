// Writes docs/metrics.md from the definitions.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadFamilies, packageDirectory } from './families.mjs'

export const referencePath = join(packageDirectory, '../../docs/metrics.md')

const HEAD = `# Metrics

Generated from the definitions in \`packages/plugin-metrics\` (\`node scripts/reference.mjs\` there); change those, not this.

A tag is the key in the JSON, CSV and JSONL files. **record** metrics have a value for each request and come with count, sum,
average, minimum, maximum, standard deviation (of the population) and percentiles (linear interpolation at index
q/100·(n−1)); **curves** have time-weighted statistics over the window; **aggregate** and **derived** metrics are one number.
Latencies start at dispatch, when the request is handed to the transport, unless they say *due*. A value that does not exist
is absent, never 0; results list absent metrics with the reason.

The window of every rate is the time from the first dispatch to the last end of the requests of the phase that completed, and
rate × window is the count. Percentiles are exact up to 1,048,576 values of a metric (gaps between chunks: of all requests
together); beyond, they come from a histogram with at most 0.1 % relative error, and \`precision\` says so. Curves are exact up
to 65,536 steps; beyond, they are averaged over time bins first, whose width is given. An evaluation holds about 300 bytes
for each request (8 for each metric whose value changes from request to request), and no more past those limits.

Rows that are made besides: \`adj_<tag>\` (each failed request counts as infinitely bad; marked **adj** below) and
\`<tag>_with_unfinished\` (percentiles estimated with the requests unfinished at the end, by the product-limit method; marked
**unfinished**). *Internal* metrics are shown only with AIPERF_DEV_SHOW_INTERNAL_METRICS.
`

const GATES = {
  streaming: 'streaming',
  tokens: 'token endpoints',
  'input-tokens': 'token input',
  audio: 'audio input',
  image: 'image input',
  video: 'video input',
  'produces-video': 'video output',
  goodput: '--goodput',
  'usage-diff': 'client counts tokens',
  'fixed-schedule': 'fixed schedule',
  'open-loop': 'open loop',
  'network-rtt': 'known network RTT',
  'gpu-power': 'GPU telemetry',
  experimental: 'experimental switch',
  accuracy: '`--accuracy-benchmark`',
  'not-accuracy': 'not in accuracy runs',
}

const cell = (text) => String(text).replaceAll('|', '\\|')

function row(metric) {
  const unit = metric.displayUnit ?? metric.unit
  const marks = [
    metric.internal && 'internal',
    metric.records === 'error' && 'failed requests',
    metric.records === 'all' && 'all requests',
    metric.largerIsBetter && 'larger is better',
    metric.wholePhaseOnly && 'whole phases only',
    metric.errorAdjusted && '**adj**',
    metric.censoredBy && '**unfinished**',
    ...(metric.gates ?? []).map((gate) => GATES[gate] ?? gate),
  ].filter(Boolean)
  return `| \`${metric.tag}\` | ${cell(metric.header)} | ${cell(unit)} | ${metric.kind} | ${cell(metric.description)} | ${marks.join(', ')} |`
}

/** The page. */
export async function reference() {
  const families = await loadFamilies()
  const sections = families.map(
    ({ description, metrics }) => `## ${description}\n\n| tag | header | unit | kind | what it is | conditions |\n|---|---|---|---|---|---|\n${metrics.map(row).join('\n')}\n`,
  )
  return `${HEAD}\n${sections.join('\n')}`
}

if (process.argv[1] === import.meta.filename) writeFileSync(referencePath, await reference())
