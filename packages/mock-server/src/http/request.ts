/** A complete HTTP request. */
export class HttpRequest {
  body: Buffer = EMPTY
  /** The path without the query. */
  readonly path: string
  keepAlive: boolean

  constructor(
    readonly method: string,
    readonly target: string,
    readonly version: '1.0' | '1.1',
    /** Lower-case names; `values` has the value at the same index. */
    readonly names: readonly string[],
    readonly values: readonly string[],
  ) {
    const query = target.indexOf('?')
    this.path = query < 0 ? target : target.slice(0, query)
    this.keepAlive = version === '1.1'
  }

  /** The value of a header (its first, where it comes several times), by its lower-case name. */
  header(name: string): string | undefined {
    const index = this.names.indexOf(name)
    return index < 0 ? undefined : this.values[index]
  }

  /** The body as JSON. Throws a SyntaxError where it is none. */
  json(): unknown {
    return JSON.parse(this.body.toString())
  }
}

export const EMPTY: Buffer = Buffer.alloc(0)
