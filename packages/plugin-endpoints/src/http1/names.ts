import { lookup, type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'

/** Called at once when the answer is known. `resolved` tells that a lookup was waited for. */
export type NameCallback = (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[], resolved: boolean) => void

interface Entry {
  addresses: readonly LookupAddress[]
  staleNs: number
  waiting: NameCallback[] | undefined
}

/** Resolves each host name once per `ttlNs`, whoever asks meanwhile waits for the same lookup. */
export class Names {
  readonly #now: () => number
  readonly #ttlNs: number
  readonly #entries = new Map<string, Entry>()

  constructor(now: () => number, ttlNs: number) {
    this.#now = now
    this.#ttlNs = ttlNs
  }

  resolve(host: string, family: 0 | 4 | 6, done: NameCallback): void {
    const literal = isIP(host)
    if (literal !== 0) return done(null, [{ address: host, family: literal }], false)
    const key = `${family} ${host}`
    const known = this.#entries.get(key)
    if (known?.waiting !== undefined) return void known.waiting.push(done)
    if (known !== undefined && this.#now() < known.staleNs) return done(null, known.addresses, false)
    const entry: Entry = { addresses: [], staleNs: 0, waiting: [done] }
    this.#entries.set(key, entry)
    lookup(host, { family, all: true, verbatim: true }, (error, addresses) => {
      const waiting = entry.waiting ?? []
      entry.waiting = undefined
      if (error !== null) this.#entries.delete(key)
      else {
        entry.addresses = addresses
        entry.staleNs = this.#now() + this.#ttlNs
      }
      for (const callback of waiting) callback(error, addresses ?? [], true)
    })
  }

  /** Puts the address that answered first, or, when it failed, last. */
  rate(host: string, family: 0 | 4 | 6, address: string, good: boolean): void {
    const entry = this.#entries.get(`${family} ${host}`)
    if (entry === undefined || entry.addresses.length < 2) return
    const same = entry.addresses.filter((a) => a.address === address)
    const others = entry.addresses.filter((a) => a.address !== address)
    entry.addresses = good ? [...same, ...others] : [...others, ...same]
  }
}
