const SLAB = 1 << 16

/** Room for the send times of one answer: a piece of a larger typed array, as one array each would cost too much. */
export interface SendTimes {
  readonly us: Uint32Array
  readonly from: number
}

let slab = new Uint32Array(SLAB)
let used = 0

/** Room for `count` times. */
export function reserveTimes(count: number): SendTimes {
  if (count > SLAB / 4) return { us: new Uint32Array(count), from: 0 }
  if (used + count > SLAB) {
    slab = new Uint32Array(SLAB)
    used = 0
  }
  const from = used
  used += count
  return { us: slab, from }
}

export const NO_TIMES: SendTimes = { us: new Uint32Array(0), from: 0 }
