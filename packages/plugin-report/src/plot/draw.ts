import { AiperfError, type Figure, type JsonObject, type PlotRun, type PlotStyle, type Plot } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'
import { checkValue, withDefaults } from '@aiperf/core/options'
import type { CatalogEntry } from './catalog.js'

export type Drawn = { entry: CatalogEntry; figure: Figure } | { entry: CatalogEntry; absent: string } | { entry: CatalogEntry; error: AiperfError }

const noRandom = (): never => {
  throw new Error('plots draw no random numbers')
}

/** Draws one plot. Options that do not fit and faults of the plot are errors of it alone. */
export async function drawPlot(host: Host, entry: CatalogEntry, runs: readonly PlotRun[], style: PlotStyle): Promise<Drawn> {
  try {
    const plot = await openPlot(host, entry)
    const figure = await plot.draw(runs, style)
    return 'absent' in figure ? { entry, absent: figure.absent } : { entry, figure }
  } catch (cause) {
    const known = (cause as Error).name === 'AiperfError' || (cause as Error).name === 'ConfigurationError'
    return { entry, error: known ? (cause as AiperfError) : new AiperfError('E_EXPORT', `The plot "${entry.name}" failed: ${(cause as Error).message}`, { cause }) }
  }
}

async function openPlot(host: Host, { name, contribution, options: given }: CatalogEntry): Promise<Plot> {
  const schema = contribution.options
  const options = (schema ? withDefaults(schema, given) : given) as JsonObject
  const issues = schema ? checkValue(schema, options) : []
  if (issues.length > 0)
    throw new AiperfError('E_CONFIG', `The plot "${name}": ${issues.map((issue) => `${issue.path.join('.')} ${issue.message}${issue.got === undefined ? '' : `, got ${JSON.stringify(issue.got)}`}`).join('; ')}.`)
  return host.activate('plot', `${contribution.package}:${contribution.name}`, { options, random: noRandom })
}
