import { AssertionError } from 'node:assert'

/** One thing that is checked: a test of whatever runner is used. */
export interface Check {
  title: string
  run(): void | Promise<void>
  /** Why it is not run. */
  skip?: string
}

/** Checks that belong together: one capability, or one promise of the contract. */
export interface Group {
  title: string
  checks: Check[]
}

/** What `describe` and `test` of vitest and of node:test have in common. */
export interface Runner {
  describe(title: string, body: () => void): unknown
  test: {
    (title: string, body: () => void | Promise<void>): unknown
    skip(title: string, body: () => void | Promise<void>): unknown
  }
}

export const group = (title: string, checks: Record<string, Check['run']>): Group => ({
  title,
  checks: Object.entries(checks).map(([name, run]) => ({ title: name, run })),
})

/** A promise that was not kept. The message is for the plugin's author: what was expected, what came. */
export function broken(message: string): never {
  throw new AssertionError({ message, stackStartFn: broken })
}

export function ensure(condition: unknown, message: string | (() => string)): asserts condition {
  if (!condition) throw new AssertionError({ message: typeof message === 'string' ? message : message(), stackStartFn: ensure })
}

/** A value as a message shows it: short. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : value instanceof Uint8Array ? `${value.length} bytes` : typeof value === 'bigint' || typeof value === 'function' || value === undefined ? String(value) : JSON.stringify(value)
  return (text ?? String(value)).length > 300 ? `${text!.slice(0, 300)}…` : (text ?? String(value))
}

/** Rejects when the promise takes longer: a hanging plugin must not hang the tests. */
export async function within<T>(ms: number, what: string, promise: Promise<T> | T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([promise, new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new AssertionError({ message: `${what} took longer than ${ms} ms` })), ms)))])
  } finally {
    clearTimeout(timer)
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
