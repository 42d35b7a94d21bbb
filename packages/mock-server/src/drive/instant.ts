import type { Generation } from '../answer/generation.js'
import { nowMs } from '../timing/clock.js'

/** Sends an answer at once: every event in a write of its own, or all of them in one. */
export function sendInstantly(generation: Generation, coalesce: boolean): void {
  let bytes = ''
  while (!generation.over) {
    bytes += generation.pull(nowMs())
    if (coalesce && !generation.over) continue
    generation.write(bytes)
    bytes = ''
  }
}
