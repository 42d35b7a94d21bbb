import { expect, test } from 'vitest'
import { MOCK_SERVER_OPTIONS, MockServerOptionError, optionsFromFlags, startMockServer, type MockServerOptions } from '../index.js'

async function problemsOf(options: object): Promise<readonly string[]> {
  const failure = await startMockServer(options as MockServerOptions).then(
    (server) => server.close(),
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(MockServerOptionError)
  return (failure as MockServerOptionError).problems
}

test('all that is wrong is said at once, with what was expected', async () => {
  const problems = await problemsOf({ ttftMss: 3, port: 70_000, roleChunk: 'x', models: [], faults: { cutRate: 2, cutRat: 1 }, model: { maxRunning: 0 }, done: 'no' })
  expect(problems).toEqual([
    'ttftMss: there is no such option; did you mean ttftMs?',
    'faults.cutRat: there is no such option; did you mean faults.cutRate?',
    'port: expected a whole number from 0 to 65535, got 70000',
    'roleChunk: expected one of separate, merged, early, none, got "x"',
    'done: expected true or false, got "no"',
    'models: expected a list of names, got []',
    'model.maxRunning: expected a whole number, 1 or more, got 0',
    'faults.cutRate: expected a number from 0 to 1, got 2',
  ])
})

test.each([
  [{ instant: true, ttftMs: 5 }, 'instant: leave out ttftMs, or instant'],
  [{ coalesce: true }, 'coalesce: it needs instant'],
  [{ model: {}, itlMs: 3 }, 'model: it makes its own times, so leave out itlMs'],
  [{ ttftMs: 5, ttftStddevMs: 1, ttftDistribution: 'exponential' }, 'ttftStddevMs: a distribution that is exponential has no standard deviation to set'],
  [{ outputTokensStddev: 1 }, 'outputTokensStddev: it needs outputTokens, the mean'],
])('options that contradict each other: %j', async (options, problem) => {
  expect(await problemsOf(options)).toContain(problem)
})

test('each option has a flag of its own and a default that is valid', async () => {
  expect(new Set(MOCK_SERVER_OPTIONS.map((option) => option.flag)).size).toBe(MOCK_SERVER_OPTIONS.length)
  const flags = Object.fromEntries(MOCK_SERVER_OPTIONS.map((option) => [option.flag, option.default]))
  await using server = await startMockServer({ ...optionsFromFlags(flags), model: false })
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
})

test('flags as text become options', () => {
  const flags = { 'ttft-ms': '12.5', 'fault-cut-rate': '0.1', 'fault-error-statuses': '500,503', 'batching-max-running': 4, batching: true, models: 'a, b', instant: 'true' }
  expect(optionsFromFlags(flags)).toEqual({ ttftMs: 12.5, faults: { cutRate: 0.1, errorStatuses: [500, 503] }, model: { maxRunning: 4 }, models: ['a', 'b'], instant: true })
  expect(() => optionsFromFlags({ 'ttft-m': '1', 'itl-ms': 'soon' })).toThrow(/--ttft-m: there is no such flag; did you mean ttft-ms\?\n.*--itl-ms: expected number, got "soon"/)
})

test('a port that is taken and a log that cannot be written are errors', async () => {
  await using server = await startMockServer()
  await expect(startMockServer({ port: server.port })).rejects.toThrow(/EADDRINUSE/)
  await expect(startMockServer({ log: '/nowhere/truth.jsonl' })).rejects.toThrow(/ENOENT/)
})
