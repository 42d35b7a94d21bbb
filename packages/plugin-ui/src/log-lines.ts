import type { Ui } from '@aiperf/core'
import { clean } from './text.js'

export type Level = Parameters<Ui['log']>[0]

const COLORS: Record<Level, string> = { debug: '2', info: '36', warn: '33', error: '31' }

/** A log line for a stream: the level in front, in colour where the stream has any. */
export function logLine(stream: Partial<Pick<NodeJS.WriteStream, 'hasColors' | 'isTTY'>>, level: Level, message: string): string {
  const name = level === 'info' ? '' : `${level}: `
  const painted = name && stream.isTTY && stream.hasColors?.() ? `\x1b[${COLORS[level]}m${name}\x1b[0m` : name
  return `${painted}${message.split('\n').map(clean).join('\n')}\n`
}
