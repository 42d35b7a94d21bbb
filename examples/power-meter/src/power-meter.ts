import { defineTelemetrySource, type PolledTarget, type TelemetrySeries, type TelemetryValue } from '@aiperf/core'
import { isReading, type Reading } from './reading.js'
import type options from './power-meter.options.js'

const JOULES_PER_KWH = 3.6e6

/** Series of an outlet: made once, handed in again with every sample. */
interface Outlet {
  power: TelemetrySeries
  energy: TelemetrySeries
}

export default defineTelemetrySource<typeof options>({
  create({ options, now, log }) {
    const outlets = new Map<string, Outlet>()
    const seriesOf = (name: string): Outlet => {
      let known = outlets.get(name)
      if (!known) {
        const subject = { kind: 'outlet', id: name, name }
        known = {
          power: { name: 'power_meter_power', type: 'gauge', unit: 'W', description: 'Power drawn at the outlet.', labels: {}, header: 'Power', subject },
          // Grows all the time, so its value at a border of a phase may be interpolated.
          energy: { name: 'power_meter_energy', type: 'counter', unit: 'J', description: 'Energy drawn at the outlet since the meter was made.', labels: {}, header: 'Energy', subject, continuous: true },
        }
        outlets.set(name, known)
      }
      return known
    }
    const read = async (signal: AbortSignal): Promise<Reading[]> => {
      const response = await fetch(options.url, { signal, headers: { accept: 'application/json' } })
      if (!response.ok) throw new Error(`${options.url} answered ${response.status}`)
      const body = (await response.json()) as { outlets?: unknown }
      const readings = Array.isArray(body?.outlets) ? body.outlets.filter(isReading) : []
      if (readings.length === 0) throw new Error(`${options.url} answered without outlets`)
      return readings
    }
    const target = (absent?: string): PolledTarget => ({
      name: options.url.replace(/\/\/[^/@]*@/, '//'),
      asked: true,
      intervalMs: options.intervalMs,
      ...(absent === undefined ? {} : { absent }),
      async sample(signal) {
        const askedNs = now()
        const readings = await read(signal)
        const values = readings.flatMap(({ name, watts, kilowattHours }): TelemetryValue[] => {
          const { power, energy } = seriesOf(name)
          return [{ series: power, value: watts }, { series: energy, value: kilowattHours * JOULES_PER_KWH }]
        })
        // The reading held somewhere between the question and the answer.
        return { ns: (askedNs + now()) / 2, askedNs, values }
      },
    })
    return {
      async discover(signal) {
        try {
          await read(signal)
          return [target()]
        } catch (error) {
          const reason = (error as Error).cause instanceof Error ? ((error as Error).cause as Error).message : (error as Error).message
          log('warn', `The power meter cannot be read: ${reason}. It is tried again.`)
          return [target(reason)]
        }
      },
      live: (readings) => readings.filter(({ series, value }) => series.name === 'power_meter_power' && value !== undefined).map(({ series, value }) => ({ label: series.subject?.name ?? '', value: `${value!.toFixed(0)} W` })),
    }
  },
})
