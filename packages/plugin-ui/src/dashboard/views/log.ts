import { cut } from '../../text.js'
import type { Line, Style } from '../line.js'
import type { LiveModel } from '../model.js'

const STYLES: Record<string, Style> = { debug: 'dim', info: 'plain', warn: 'warn', error: 'bad' }

/** The newest lines, or those that were scrolled to. */
export function logView(model: LiveModel, width: number, height: number): Line[] {
  if (model.log.length === 0) return [[['nothing logged yet', 'dim']]]
  const end = Math.max(Math.min(height, model.log.length), model.log.length - model.logOffset)
  return model.log.slice(Math.max(0, end - height), end).map(({ time, level, message }): Line => {
    const style = STYLES[level] ?? 'plain'
    const name = level === 'warn' || level === 'error' ? `${level} ` : ''
    return [[`${time.toTimeString().slice(0, 8)} `, 'dim'], [name, style], [cut(message, width - 9 - name.length), style === 'plain' ? 'plain' : style]]
  })
}
