import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/** Bytes of heap in use after a full collection. */
export function heapInUse(): number {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = (globalThis as { gc?: () => void }).gc ?? (runInNewContext('gc') as () => void)
  }
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
