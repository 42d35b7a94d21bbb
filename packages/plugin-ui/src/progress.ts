import type { LiveSnapshot } from '@aiperf/core'
import { clock, count, percent } from './format.js'

/** How far a phase is, from what is expected of it. */
export interface Progress {
  /** 0 to 1; undefined when nothing is known of the end. */
  share: number | undefined
  /** Seconds until the phase ends as it goes now; undefined when that cannot be told. */
  leftSeconds: number | undefined
  /** `1,234 / 2,000 requests`, by the condition that will end the phase. */
  text: string
}

type Part = { share: number; left: number; text: string }

/** Whether requests are on their way, so that there are figures of them. */
export const sending = ({ stage }: LiveSnapshot): boolean => stage === 'warmup' || stage === 'profiling' || stage === 'grace'

/** The condition that will be met first is the one that is shown. */
export function progressOf(s: LiveSnapshot): Progress {
  if (!sending(s)) return s.stage === 'preparing' ? preparing(s) : { share: undefined, leftSeconds: undefined, text: '' }
  const { requests, sessions, seconds } = s.expected
  const parts: Part[] = []
  const counted = (done: number, of: number, what: string) => {
    const share = Math.min(1, done / of)
    parts.push({ share, left: done > 0 ? ((1 - share) / share) * s.elapsedSeconds : Infinity, text: `${count(done)} / ${count(of)} ${what}` })
  }
  if (requests) counted(s.completed, requests, 'requests')
  if (sessions && s.sessionsCompleted !== undefined) counted(s.sessionsCompleted, sessions, 'sessions')
  if (seconds) {
    const left = Math.max(0, seconds - s.elapsedSeconds)
    parts.push({ share: Math.min(1, s.elapsedSeconds / seconds), left, text: `${clock(Math.min(s.elapsedSeconds, seconds))} / ${clock(seconds)}` })
  }
  const first = parts.sort((a, b) => b.share - a.share)[0]
  if (!first) return { share: undefined, leftSeconds: undefined, text: `${count(s.completed)} requests` }
  const left = Math.min(...parts.map((p) => p.left))
  return { share: first.share, leftSeconds: Number.isFinite(left) ? left : undefined, text: first.text }
}

function preparing({ preparing: p }: LiveSnapshot): Progress {
  if (!p) return { share: undefined, leftSeconds: undefined, text: '' }
  const of = p.total === undefined ? '' : ` / ${count(p.total)}`
  return { share: p.total ? Math.min(1, p.done / p.total) : undefined, leftSeconds: undefined, text: `${count(p.done)}${of}` }
}

/** What the run is doing, for a person. */
export function stageName(s: LiveSnapshot): string {
  const names = { preparing: `preparing${s.preparing ? ` ${s.preparing.what}` : ''}`, warmup: s.phase, profiling: s.phase, grace: `${s.phase}, last replies`, records: 'reading records', exporting: 'writing files', done: 'done' }
  return names[s.stage] || s.stage
}

export const errorText = (s: LiveSnapshot): string => (s.errors === 0 ? 'no errors' : `${count(s.errors)} error${s.errors === 1 ? '' : 's'} (${percent(s.errors / Math.max(1, s.completed))})`)
