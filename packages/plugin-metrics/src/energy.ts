import { defineMetric, type DerivedMetric, type Scope } from '@aiperf/core'
import { quotient } from './facts.js'

/** Series of each vendor's GPUs in the telemetry. */
const VENDORS = {
  nvidia: { power: 'nvidia_power_usage', energy: 'nvidia_energy_consumption', order: 700 },
  amd: { power: 'amd_power', energy: 'amd_energy_consumption', order: 800 },
} as const
type Vendor = keyof typeof VENDORS

const JOULES: Readonly<Record<string, number>> = { J: 1, mJ: 1e-3, kJ: 1e3, MJ: 1e6, Wh: 3600, kWh: 3.6e6 }

/** Sum over the vendor's GPUs; a GPU that several sources saw counts once. Undefined when none has a value. */
function sumOverGpus(scope: Scope, series: string, value: (summary: ReturnType<Scope['telemetry']>[number]) => number | undefined): number | undefined {
  const seen = new Set<string>()
  let sum: number | undefined
  for (const summary of scope.telemetry(series)) {
    const subject = summary.series.subject
    const key = subject?.attributes?.['uuid'] ?? `${summary.target}/${subject?.id ?? ''}`
    const v = value(summary)
    if (v === undefined || seen.has(key)) continue
    seen.add(key)
    sum = (sum ?? 0) + v
  }
  return sum
}

/** Sum over GPUs of the time-weighted mean power in the window, W. */
const power = (scope: Scope, vendor: Vendor): number | undefined => sumOverGpus(scope, VENDORS[vendor].power, (s) => s.gauge?.avg)

/** Growth of the energy counters, J; undefined without counters or when none grew. */
function countedEnergy(scope: Scope, vendor: Vendor): number | undefined {
  const joules = sumOverGpus(scope, VENDORS[vendor].energy, (s) => {
    const unit = JOULES[s.series.unit]
    return unit === undefined || s.counter === undefined ? undefined : s.counter.total * unit
  })
  return joules !== undefined && joules > 0 ? joules : undefined
}

function family(vendor: Vendor): DerivedMetric[] {
  const at = VENDORS[vendor].order
  const metric = (name: string, header: string, unit: string, order: number, description: string, d: Partial<DerivedMetric> & Pick<DerivedMetric, 'compute'>): DerivedMetric => ({
    kind: 'derived',
    tag: `${vendor}_${name}`,
    header,
    unit,
    gates: ['gpu-power'],
    group: 'power',
    order: at + order,
    description,
    ...d,
  })
  const tag = (name: string): string => `${vendor}_${name}`
  const energyPer = (scope: Scope, amount: number | undefined): number | undefined => quotient(scope.value(tag('total_gpu_energy')), amount)
  const perWatt = (scope: Scope, of: string): number | undefined => quotient(scope.value(of), scope.value(tag('average_gpu_power')))
  return [
    metric('total_gpu_power', 'Total GPU Power', 'W', 40, 'Sum over GPUs of the time-weighted mean power in the window.', {
      compute: (scope) => power(scope, vendor),
    }),
    metric('total_gpu_energy', 'Total GPU Energy', 'J', 30, "Growth of the GPUs' energy counters over exactly the window; without counters mean power × window.", {
      compute: (scope) => {
        const watts = power(scope, vendor)
        return countedEnergy(scope, vendor) ?? (watts === undefined ? undefined : watts * scope.windowSeconds)
      },
    }),
    metric('average_gpu_power', 'Average GPU Power', 'W', 20, 'total_gpu_energy / window: energy and power over the same time.', {
      requires: [tag('total_gpu_energy')],
      compute: (scope) => energyPer(scope, scope.windowSeconds),
    }),
    metric('energy_per_request', 'Energy per Request', 'joules/request', 55, 'total_gpu_energy / request_count.', {
      requires: [tag('total_gpu_energy'), 'request_count'],
      compute: (scope) => energyPer(scope, scope.value('request_count')),
    }),
    metric('energy_per_output_token', 'Energy per Output Token', 'mJ/token', 50, '1000 × total_gpu_energy / total_osl.', {
      gates: ['gpu-power', 'tokens'],
      requires: [tag('total_gpu_energy'), 'total_osl'],
      compute: (scope) => energyPer(scope, scope.value('total_osl')! / 1000),
    }),
    metric('energy_per_total_token', 'Energy per Total Token', 'mJ/token', 45, '1000 × total_gpu_energy / (total_isl + total_osl).', {
      requires: [tag('total_gpu_energy'), 'total_isl', 'total_osl'],
      compute: (scope) => energyPer(scope, (scope.value('total_isl')! + scope.value('total_osl')!) / 1000),
    }),
    metric('output_tokens_per_joule', 'Output Tokens per Joule', 'tokens/J', 60, 'total_osl / total_gpu_energy.', {
      gates: ['gpu-power', 'tokens'],
      largerIsBetter: true,
      requires: [tag('total_gpu_energy'), 'total_osl'],
      compute: (scope) => quotient(scope.value('total_osl'), scope.value(tag('total_gpu_energy'))),
    }),
    metric('energy_per_user', 'Energy per User', 'joules/user', 65, 'total_gpu_energy / average effective_concurrency: the users there were, not those configured.', {
      requires: [tag('total_gpu_energy'), 'effective_concurrency'],
      compute: (scope) => energyPer(scope, scope.statistic('effective_concurrency', 'avg')),
    }),
    metric('energy_delay_product', 'Energy Delay Product', 'J*s', 0, 'energy_per_request × mean request_latency in seconds.', {
      requires: [tag('energy_per_request'), 'request_latency'],
      compute: (scope) => {
        const ns = scope.statistic('request_latency', 'avg')
        return ns === undefined ? undefined : (scope.value(tag('energy_per_request'))! * ns) / 1e9
      },
    }),
    metric('performance_per_watt', 'Performance per Watt', 'requests/sec/W', 10, 'request_throughput / average_gpu_power.', {
      largerIsBetter: true,
      requires: [tag('average_gpu_power'), 'request_throughput'],
      compute: (scope) => perWatt(scope, 'request_throughput'),
    }),
    metric('output_tps_per_watt', 'Output Tokens per Second per Watt', 'tokens/sec/W', 12, 'output_token_throughput / average_gpu_power.', {
      gates: ['gpu-power', 'tokens'],
      largerIsBetter: true,
      requires: [tag('average_gpu_power'), 'output_token_throughput'],
      compute: (scope) => perWatt(scope, 'output_token_throughput'),
    }),
    metric('goodput_per_watt', 'Goodput per Watt', 'good-req/s/W', 14, 'goodput / average_gpu_power.', {
      gates: ['gpu-power', 'goodput'],
      largerIsBetter: true,
      requires: [tag('average_gpu_power'), 'goodput'],
      compute: (scope) => perWatt(scope, 'goodput'),
    }),
  ]
}

/** Energy and power of the GPUs, from telemetry. */
export default defineMetric(...family('nvidia'), ...family('amd'))
