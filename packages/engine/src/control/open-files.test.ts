import type { RunModel } from '@aiperf/core'
import { describe, expect, it } from 'vitest'
import { checkOpenFiles, mostSessions } from './open-files.js'

const model = (concurrency: number | undefined, requests?: number, urls = ['http://a']) =>
  ({ endpoint: { urls }, phases: [{ options: concurrency === undefined ? {} : { concurrency }, ...(requests === undefined ? {} : { requests }) }] }) as unknown as RunModel

describe('limits of the system', () => {
  it('refuse a concurrency with more connections than files may be open, and say what to do', () => {
    expect(() => checkOpenFiles(model(1000), { openFiles: 1024 })).toThrow(/--concurrency 1000 needs about 1150 open files, this process may have 1024/)
    try {
      checkOpenFiles(model(1000), { openFiles: 1024 })
    } catch (error) {
      expect((error as { problems: { hint: string }[] }).problems[0]!.hint).toMatch(/ulimit -n 2048.*below 874/)
    }
  })

  it('let pass what fits: by concurrency, by the number of requests, without a bound', () => {
    checkOpenFiles(model(874), { openFiles: 1024 })
    checkOpenFiles(model(5000, 100), { openFiles: 1024 })
    checkOpenFiles(model(undefined), { openFiles: 1024 })
    checkOpenFiles(model(1_000_000), {})
  })

  it('bound an open loop that nothing else bounds', () => {
    expect(mostSessions({ openFiles: 1024 })).toBe(874)
    expect(mostSessions({ openFiles: 100 })).toBe(1)
    expect(mostSessions({})).toBeUndefined()
  })

  it('count local ports towards each server', () => {
    expect(() => checkOpenFiles(model(30_000), { openFiles: 1e6, localPorts: 28_232 })).toThrow(/28232 towards each of 1 server\b/)
    checkOpenFiles(model(30_000, undefined, ['http://a', 'http://b']), { openFiles: 1e6, localPorts: 28_232 })
  })
})
