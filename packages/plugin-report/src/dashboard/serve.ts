import { AiperfError } from '@aiperf/core'
import type { ThemeName } from '../figure/theme.js'
import type { ReadContext } from '../runs/read.js'

export interface DashboardRequest {
  paths: readonly string[]
  host: string
  port: number
  theme: ThemeName
  config?: string
}

export async function serveDashboard(_request: DashboardRequest, _context: ReadContext): Promise<{ url: string; close(): Promise<void> }> {
  throw new AiperfError('E_CONFIG', 'The dashboard is not there yet.')
}
