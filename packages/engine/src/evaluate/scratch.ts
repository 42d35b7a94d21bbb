const all: Scratch[] = []

/** Room for values that is used again and again, until an evaluation ends. */
export class Scratch {
  #values = new Float64Array(0)

  constructor() {
    all.push(this)
  }

  /** At least `length` values; the next call overwrites them. */
  room(length: number): Float64Array {
    if (this.#values.length < length) this.#values = new Float64Array(Math.ceil(length * 1.25))
    return this.#values
  }

  release(): void {
    this.#values = new Float64Array(0)
  }
}

/** Lets go of all room: of a large run it is tens of megabytes, which writing the files can use. */
export function releaseScratch(): void {
  for (const scratch of all) scratch.release()
}
