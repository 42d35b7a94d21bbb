import { defineExporter } from '@aiperf/core'
import { energyOf, joulesPerToken } from './energy.js'

/** `power_meter.csv`, a key of the summary JSON, and a table on the console. Runs without a meter get none of these. */
export default defineExporter({
  create: () => ({
    adds(run) {
      const rows = energyOf(run)
      if (rows.length === 0) return {}
      const perToken = joulesPerToken(run)
      return {
        json: {
          power_meter: {
            outlets: rows.map(({ phase, outlet, joules, watts, exact }) => ({ phase, outlet, energy_joules: joules, ...(watts === undefined ? {} : { power_watts: watts }), exact })),
            ...(perToken === undefined ? {} : { joules_per_output_token: perToken }),
          },
        },
        tables: [{ title: 'Power Meter', columns: ['Outlet', 'Phase', 'Energy (J)', 'Power (W)'], rows: rows.map(({ phase, outlet, joules, watts }) => [outlet, phase, joules, watts]), ...(perToken === undefined ? {} : { after: [`${perToken.toPrecision(3)} J per output token`] }) }],
      }
    },
    async write(run, dir) {
      const rows = energyOf(run)
      if (rows.length > 0) await dir.write(dir.named('power_meter.csv', '_power_meter.csv'), csv(rows))
    },
  }),
})

function csv(rows: ReturnType<typeof energyOf>): string {
  const cell = (value: string | number | undefined) => (value === undefined ? '' : typeof value === 'string' && /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value))
  return [['Phase', 'Outlet', 'Energy (J)', 'Power (W)', 'Exact'], ...rows.map(({ phase, outlet, joules, watts, exact }) => [phase, outlet, joules, watts, exact ? 'yes' : 'no'])].map((row) => `${row.map(cell).join(',')}\n`).join('')
}

