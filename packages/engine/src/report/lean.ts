import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** From this many bytes of typed arrays on, those no longer used are looked for: a collection takes some 20 ms. */
const WORTH_COLLECTING = 16 * 2 ** 20

/** Does work that makes much garbage in little memory: the heap's young space grows no further meanwhile, of which the process holds three. */
export async function leanly<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString('--semi-space-growth-factor=1')
  try {
    return await work()
  } finally {
    setFlagsFromString('--semi-space-growth-factor=2')
  }
}

/**
 * Gives back the typed arrays of a stage that has ended. The runtime knows what they hold, but sees no hurry before they are several
 * times as large as its heap.
 */
export function collectTypedArrays(): void {
  if (process.memoryUsage().arrayBuffers < WORTH_COLLECTING) return
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}
