import type { PlotRequest } from './command.js'

/** How plots are drawn when nothing else is said. */
export const PLOT_DEFAULTS = { theme: 'light', formats: ['png'], width: 1000, height: 560, scale: 2, plots: [], mode: 'auto' } as const satisfies Partial<PlotRequest>
