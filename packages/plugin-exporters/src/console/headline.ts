import type { MetricResult, PhaseInfo, PhaseResult, RunResult, VerdictReason } from '@aiperf/core'
import { brief, readable, readableSeconds } from '@aiperf/core/numbers'
import { requestCounts } from '../summary/counts.js'
import { cell } from './metric-tables.js'
import type { Style } from './style.js'
import { oneLine, padEnd, padStart, wrap } from './text.js'

const LABEL = 12
const LEVELS = { valid: 'good', suspect: 'warn', invalid: 'bad' } as const
const MARKS = { invalid: '✗', suspect: '!', note: '·' } as const

/** What a person wants to know first: can it be trusted, how much, how fast. */
export function headline(run: RunResult, width: number, style: Style, verbose: boolean): string {
  const { manifest, profiling } = run
  const { endpoint } = manifest
  const title = `AIPerf ${manifest.aiperfVersion}`
  const what = [`${endpoint.type}${endpoint.streaming ? ', streaming' : ''}`, endpoint.models.join(', '), endpoint.urls.join(', ')].filter((part) => part !== '').join(' · ')
  const [first, ...more] = wrap(oneLine(what), Math.max(20, width - title.length - 2))
  const lines = [`${style.bold(title)}  ${style.dim(first!)}`, ...more.map((line) => style.dim(' '.repeat(title.length + 2) + line)), '', ...verdictLines(run, width, style), '']
  for (const [label, text] of [requests(profiling, style), rate(profiling), load(profiling), goodput(profiling), steady(profiling)])
    if (text !== '') lines.push(...hanging(label, text, width, style))
  lines.push(...percentiles(profiling, style, verbose))
  return `${lines.join('\n')}\n`
}

function verdictLines({ verdict, manifest }: RunResult, width: number, style: Style): string[] {
  const badge = style.badge(verdict.verdict.toUpperCase(), LEVELS[verdict.verdict])
  const partial = manifest.complete ? '' : `  ${style.warn('INCOMPLETE')} ${manifest.incompleteReason ?? 'the run did not reach its end'}`
  const interrupted = manifest.wasCancelled && manifest.complete ? `  ${style.warn('INTERRUPTED')} what was measured until then is here` : ''
  const lines = [`${badge}${verdict.reasons.length === 0 ? style.dim('  nothing speaks against this result') : ''}${partial}${interrupted}`]
  for (const reason of verdict.reasons) lines.push(...reasonLines(reason, width, style))
  return lines
}

function reasonLines({ level, code, message }: VerdictReason, width: number, style: Style): string[] {
  const paint = level === 'invalid' ? style.bad : level === 'suspect' ? style.warn : style.dim
  return wrap(`${oneLine(message)} (${code})`, Math.max(20, width - 4)).map((text, i) => (i === 0 ? `  ${paint(MARKS[level])} ${text}` : `    ${text}`))
}

function hanging(label: string, text: string, width: number, style: Style): string[] {
  return wrap(text, Math.max(30, width - LABEL)).map((part, i) => (i === 0 ? style.accent(padEnd(label, LABEL)) : ' '.repeat(LABEL)) + part.replaceAll('\u00A0', ' '))
}

const value = (phase: PhaseResult, tag: string): number | undefined => phase.metrics.get(tag)?.avg
/** Parts in a row, broken over lines only between them. */
const list = (...parts: (string | undefined | false)[]) => parts.filter((part) => part).map((part) => (part as string).replaceAll(' ', '\u00A0')).join('\u00A0· ')

function requests(phase: PhaseResult, style: Style): [string, string] {
  const { succeeded, failed, cancelled, unfinished } = requestCounts(phase)
  const share = failed > 0 ? ` (${brief((100 * failed) / (succeeded + failed))} %)` : ''
  const counts = [
    `${readable(succeeded)} succeeded`,
    failed > 0 ? style.bad(`${readable(failed)} failed${share}`) : '0 failed',
    cancelled > 0 && `${readable(cancelled)} cancelled`,
    unfinished > 0 && style.warn(`${readable(unfinished)} unfinished`),
  ]
  const seconds = phase.window.seconds
  return ['Requests', list(...counts, Number.isFinite(seconds) && seconds > 0 && `in ${readableSeconds(seconds)}`)]
}

function rate(phase: PhaseResult): [string, string] {
  const per = (tag: string, unit: string) => value(phase, tag) !== undefined && `${brief(value(phase, tag)!)} ${unit}`
  return ['Throughput', list(per('request_throughput', 'requests/s'), per('output_token_throughput', 'output tokens/s'), per('input_token_throughput', 'input tokens/s'))]
}

function load(phase: PhaseResult): [string, string] {
  const offered = value(phase, 'offered_request_rate')
  const achieved = value(phase, 'achieved_request_rate')
  const lag = phase.metrics.get('schedule_lag')
  const { skipped, unsent } = phase.info.counts
  return ['Load', list(
    mode(phase.info),
    offered !== undefined && `${brief(offered)} requests/s offered`,
    achieved !== undefined && `${brief(achieved)} sent`,
    offered !== undefined && lag !== undefined && quantities('lag', lag, ['p50', 'p99']),
    skipped > 0 && `${readable(skipped)} arrivals dropped`,
    unsent > 0 && `${readable(unsent)} never reached`,
  )]
}

/** The timing mode with its plain options: `request rate (20 requests/s, pattern poisson)`. That arrivals wait their turn goes without saying. */
function mode({ mode, options }: PhaseInfo): string {
  const words = Object.entries(options)
    .filter(([name, value]) => (typeof value === 'number' || typeof value === 'string') && !(name === 'overload' && value === 'queue'))
    .slice(0, 4)
    .map(([name, value]) => name === 'rate' && typeof value === 'number' ? `${brief(value)} requests/s` : `${name.replace(/([A-Z])/g, (c) => ` ${c.toLowerCase()}`)} ${typeof value === 'number' ? brief(value) : String(value)}`)
  const named = mode.replaceAll('_', ' ')
  if (words[0]?.startsWith(`${named} `)) return words.join(', ')
  return words.length === 0 ? named : `${named} (${words.join(', ')})`
}

function steady(phase: PhaseResult): [string, string] {
  if (phase.steady === undefined) return ['Steady', '']
  const { metrics, startNs, endNs } = phase.steady
  const per = metrics.get('request_throughput')?.avg
  const ttft = metrics.get('time_to_first_token')
  const latency = metrics.get('request_latency')
  if (per === undefined) return ['Steady', '']
  return ['Steady', list(
    `${brief(per)} requests/s`,
    ttft !== undefined && quantities('TTFT', ttft, ['p50']),
    latency !== undefined && quantities('latency', latency, ['p50']),
    `over ${readableSeconds((endNs - startNs) / 1e9)} without ramp-up and drain`,
  )]
}

function goodput(phase: PhaseResult): [string, string] {
  const good = value(phase, 'goodput')
  const fraction = value(phase, 'good_request_fraction')
  return ['Goodput', list(good !== undefined && `${brief(good)} requests/s`, fraction !== undefined && `${brief(100 * fraction)} % met every objective`)]
}

/** `lag p50 0.02 ms, p99 1.4 ms`: of the percentiles those that the sample carries. */
function quantities(name: string, metric: MetricResult, percentiles: readonly ('p50' | 'p90' | 'p99')[]): string | undefined {
  const known = percentiles.filter((p) => metric[p] !== undefined && metric.withheld?.[p] === undefined)
  return known.length === 0 ? undefined : `${name} ${known.map((p) => `${p} ${brief(metric[p]!)} ${metric.unit}`).join(', ')}`
}

const HEADLINES = [
  ['TTFT', 'time_to_first_token'],
  ['ITL', 'inter_token_latency'],
  ['Latency', 'request_latency'],
  ['From due', 'response_time'],
] as const
const PERCENTILES = ['p50', 'p90', 'p99'] as const

function percentiles(phase: PhaseResult, style: Style, verbose: boolean): string[] {
  const rows = HEADLINES.flatMap(([label, tag]) => {
    const metric = phase.metrics.get(tag)
    return metric === undefined ? [] : [{ label, metric }]
  })
  if (rows.length === 0) return []
  const column = (text: string) => padStart(text, 10)
  const labels = rows.map(({ label, metric }) => `${label} (${metric.unit})`)
  const wide = Math.max(LABEL, ...labels.map((label) => label.length))
  const head = style.dim(' '.repeat(wide) + PERCENTILES.map(column).join(''))
  return ['', head, ...rows.map(({ metric }, i) => {
    const range = verbose ? metric.intervals?.p99 : undefined
    const interval = range === undefined || metric.withheld?.p99 !== undefined ? '' : style.dim(`   p99 within ${readable(range[0])} – ${readable(range[1])}`)
    return `${style.accent(padEnd(labels[i]!, wide))}${PERCENTILES.map((name) => column(cell(metric, name))).join('')}${interval}`
  })]
}
