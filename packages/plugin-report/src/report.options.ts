import { z } from 'zod'

export default z.strictObject({
  report: z.enum(['auto', 'always', 'never']).default('auto').describe('Write report.html, a page that holds everything of the run: auto leaves it out of runs of so many requests that it would hold up their end').meta({ flag: '--report', group: 'Output' }),
  autoPlot: z.boolean().optional().describe('Draw the default plots into the folder plots when all has ended; without it, as the search recipe wishes').meta({ flag: '--auto-plot', group: 'Output' }),
  plotRequired: z.boolean().default(false).describe('Plots that cannot be drawn make the exit code 1').meta({ flag: '--plot-required', group: 'Output' }),
})
