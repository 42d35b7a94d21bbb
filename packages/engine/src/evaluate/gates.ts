import type { Gate, Metric } from '@aiperf/core'
import type { EvaluateInput } from './input.js'

/** For each gate: why it is closed in this run; undefined when it is open. */
export type ClosedGates = Readonly<Record<Gate, string | undefined>>

const unless = (open: boolean, reason: string): string | undefined => (open ? undefined : reason)

/** Timing modes in which requests have due times of their own; any other mode with a rate or a schedule counts too. */
function openLoop(mode: string): boolean {
  return mode !== 'concurrency' && !mode.startsWith('adaptive')
}

export function closedGates(input: EvaluateInput, networkRttNs: number | undefined): ClosedGates {
  const { manifest, model } = input
  const { endpoint } = manifest
  const media = endpoint.media ?? []
  const modes = manifest.phases.filter((phase) => phase.kind === 'profiling').map((phase) => phase.mode)
  const gpuPower = (input.telemetry ?? []).some((source) => source.series.some(({ series }) => /_power|_energy/.test(series.name)))
  return {
    streaming: unless(endpoint.streaming, 'not streaming'),
    tokens: unless(endpoint.producesTokens ?? true, `the endpoint type ${endpoint.type} produces no tokens`),
    'input-tokens': unless(endpoint.tokenizesInput ?? true, `the endpoint type ${endpoint.type} takes no tokens`),
    audio: unless(media.includes('audio'), `the endpoint type ${endpoint.type} takes no audio`),
    image: unless(media.includes('image'), `the endpoint type ${endpoint.type} takes no images`),
    video: unless(media.includes('video'), `the endpoint type ${endpoint.type} takes no video`),
    'produces-video': unless(endpoint.producesVideos ?? false, `the endpoint type ${endpoint.type} produces no video`),
    goodput: unless(Object.keys(model.slos).length > 0, 'no objectives were given (--goodput)'),
    'usage-diff': unless(!model.endpoint.useServerTokenCount, "token counts are the server's own (--use-server-token-count)"),
    'fixed-schedule': unless(modes.includes('fixed_schedule'), 'no schedule was replayed'),
    'open-loop': unless(modes.some(openLoop), 'a closed loop: requests are sent when others end'),
    'network-rtt': unless(networkRttNs !== undefined, 'the network round trip was not measured or given'),
    'gpu-power': unless(gpuPower, 'no GPU power was sampled'),
    experimental: unless(model.metrics.experimental, 'experimental (AIPERF_DEV_SHOW_EXPERIMENTAL_METRICS)'),
    accuracy: unless(input.accuracy === true, 'no benchmark was asked (--accuracy-benchmark)'),
    'not-accuracy': unless(input.accuracy !== true, 'an accuracy run'),
  }
}

/** Splits metrics into those that exist for the run and the reasons why others do not; order is kept. */
export function admit(ordered: readonly Metric[], closed: ClosedGates): { admitted: Metric[]; refused: Map<string, string> } {
  const admitted: Metric[] = []
  const refused = new Map<string, string>()
  for (const metric of ordered) {
    const reason = refusal(metric, closed, refused)
    if (reason === undefined) admitted.push(metric)
    else refused.set(metric.tag, reason)
  }
  return { admitted, refused }
}

function refusal(metric: Metric, closed: ClosedGates, refused: ReadonlyMap<string, string>): string | undefined {
  for (const gate of metric.gates ?? []) if (closed[gate] !== undefined) return closed[gate]
  const needed = [...(metric.requires ?? [])]
  if (metric.kind === 'curve') for (const tag of [metric.plus, metric.dividedBy, metric.whilePositive]) if (tag !== undefined) needed.push(tag)
  for (const tag of needed) if (refused.has(tag)) return `needs ${tag}: ${refused.get(tag)}`
  return undefined
}
