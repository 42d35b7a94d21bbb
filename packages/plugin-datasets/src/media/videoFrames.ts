import type { Random } from '@aiperf/core'
import { noiseBytes } from './noiseBytes.js'

export type VideoPattern = 'moving-shapes' | 'grid-clock' | 'noise'

interface Film {
  width: number
  height: number
  fps: number
  count: number
}

/** The frames of a film as RGB bytes. */
export function* videoFrames(pattern: VideoPattern, film: Film, random: Random): Generator<Buffer> {
  const { width, height, count } = film
  if (pattern === 'noise') for (let frame = 0; frame < count; frame++) yield noiseBytes(random.fork(frame), width * height * 3)
  else yield* pattern === 'grid-clock' ? gridClock(film) : movingShapes(film, random)
}

function fillRectangle(frame: Buffer, film: Film, x: number, y: number, w: number, h: number, color: readonly number[]): void {
  for (let row = Math.max(0, y); row < Math.min(film.height, y + h); row++)
    for (let column = Math.max(0, x); column < Math.min(film.width, x + w); column++) frame.set(color, (row * film.width + column) * 3)
}

/** Rectangles that move evenly and come back at the edges. */
function* movingShapes(film: Film, random: Random): Generator<Buffer> {
  const shapes = Array.from({ length: 6 }, () => ({
    x: random.next(), y: random.next(), dx: random.next() - 0.5, dy: random.next() - 0.5, side: 0.1 + random.next() * 0.2,
    color: [random.integer(40, 255), random.integer(40, 255), random.integer(40, 255)],
  }))
  for (let at = 0; at < film.count; at++) {
    const frame = Buffer.alloc(film.width * film.height * 3, 16)
    const seconds = at / film.fps
    for (const { x, y, dx, dy, side, color } of shapes) {
      const place = (start: number, speed: number) => (((start + speed * seconds) % 1) + 1) % 1
      const extent = Math.max(1, Math.round(side * Math.min(film.width, film.height)))
      fillRectangle(frame, film, Math.round(place(x, dx) * film.width), Math.round(place(y, dy) * film.height), extent, extent, color)
    }
    yield frame
  }
}

const CELLS = 8

/** A grid in which the cell whose turn it is lights up, as a clock that can be read from any frame. */
function* gridClock(film: Film): Generator<Buffer> {
  const w = Math.max(1, Math.ceil(film.width / CELLS))
  const h = Math.max(1, Math.ceil(film.height / CELLS))
  for (let at = 0; at < film.count; at++) {
    const frame = Buffer.alloc(film.width * film.height * 3, 24)
    for (let cell = 0; cell < CELLS * CELLS; cell++)
      fillRectangle(frame, film, (cell % CELLS) * w, Math.floor(cell / CELLS) * h, w - 1, h - 1, cell === at % (CELLS * CELLS) ? [255, 210, 60] : [60, 70, 90])
    yield frame
  }
}
