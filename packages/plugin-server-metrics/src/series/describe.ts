import type { TelemetrySeries } from '@aiperf/core'
import type { Metric } from '@aiperf/exposition/read'
import { gaugeHeader } from '../families/servers.js'
import { unitOf } from './units.js'

/** What a server's metric becomes; undefined for what says nothing about a benchmark. Names stay as the server writes them. */
export function describe({ family, name, labels, bounds }: Metric): TelemetrySeries | undefined {
  if (family.type === 'summary' || family.type === 'gaugehistogram' || /_created$|_uptime(_|$)/.test(name)) return undefined
  const header = gaugeHeader(name)
  return { name, type: seriesType(family.type, name), unit: unitOf(name, family.help, family.unit), description: family.help, labels, ...(header === undefined ? {} : { header }), ...(bounds ? { bounds } : {}) }
}

function seriesType(type: Metric['family']['type'], name: string): TelemetrySeries['type'] {
  if (type === 'counter' || type === 'histogram') return type
  if (type === 'info' || (type === 'gauge' && name.endsWith('_info'))) return 'info'
  return type === 'gauge' || type === 'stateset' ? 'gauge' : 'unknown'
}
