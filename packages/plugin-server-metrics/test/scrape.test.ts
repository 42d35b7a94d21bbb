import { describe, expect, it as base } from 'vitest'
import type { ServerResponse } from 'node:http'
import source from '../dist/server-metrics.js'
import { Lab, type Phase } from './lab.js'

const it = base.extend<{ lab: Lab }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the parameter list
  lab: async ({}, use) => {
    const lab = new Lab()
    await use(lab)
    await lab.close()
  },
})
const wait = (ms: number) => () => new Promise<void>((resolve) => setTimeout(resolve, ms))
const text = (response: ServerResponse, body: string, type = 'text/plain; version=0.0.4'): void => void response.setHeader('content-type', type).end(body)
const one = (phase: Phase, name: string) => phase.results[0]!.summarise([phase.window], name)[0]

describe.concurrent('the endpoint of the server under test', () => {
  it('is found at the root of a URL that carries /v1, with the credentials of the run, and counted exactly', async ({ lab }) => {
    let requests = 100
    const seen: (string | undefined)[] = []
    const url = await lab.serve((request, response) => {
      if (request.url !== '/metrics') return void response.writeHead(404).end('{}')
      seen.push(request.headers.authorization)
      text(response, `# TYPE served_total counter\nserved_total ${requests}\n`)
    })
    const phase = await lab.phase([`${url}/v1`], {}, async () => {
      for (let i = 0; i < 37; i++) {
        requests++
        if (i % 9 === 0) await wait(30)()
      }
    }, { headers: { Authorization: 'Bearer secret', 'Content-Type': 'application/json' } })
    expect(phase.results[0]!.targets).toEqual([expect.objectContaining({ name: `${url}/metrics`, asked: false, reached: true })])
    expect(one(phase, 'served_total')!.counter).toMatchObject({ total: 37, exact: true, resets: 0 })
    expect(new Set(seen)).toEqual(new Set(['Bearer secret']))
    expect(phase.said).toEqual([])
  })
  it('is absent in one quiet line', async ({ lab }) => {
    const url = await lab.serve((_, response) => void response.writeHead(404).end('{"detail":"Not Found"}'))
    const phase = await lab.phase([`${url}/v1`], {}, wait(100))
    expect(phase.said).toEqual([`info: No server metrics from ${url}/metrics: HTTP status 404.`])
    expect(phase.results[0]!.targets[0]).toMatchObject({ reached: false, samples: 0, lastError: 'HTTP status 404' })
  })
  it('may come up after the run has begun to look', async ({ lab }) => {
    let up = false
    const url = await lab.serve((_, response) => (up ? text(response, 'x_total 1\n') : void response.writeHead(503).end()))
    const phase = await lab.phase([url], {}, wait(300), { before: () => void (up = true) })
    expect(phase.said).toEqual([`info: No server metrics from ${url}/metrics: HTTP status 503.`, `info: ${url}/metrics can be sampled now`])
    expect(phase.results[0]!.targets[0]).toMatchObject({ reached: true })
    expect(phase.results[0]!.targets[0]!.samples).toBeGreaterThan(1)
  })
  it('is beside the JSON of TensorRT-LLM', async ({ lab }) => {
    const url = await lab.serve((request, response) => (request.url === '/prometheus/metrics' ? text(response, '# TYPE trtllm_kv_cache_utilization gauge\ntrtllm_kv_cache_utilization 0.5\n') : text(response, '[{"iter": 1}]', 'application/json')))
    const phase = await lab.phase([url], {}, wait(100))
    expect(phase.results[0]!.targets[0]!.name).toBe(`${url}/prometheus/metrics`)
    expect(one(phase, 'trtllm_kv_cache_utilization')!.gauge!.avg).toBe(0.5)
  })
})

describe.concurrent('further endpoints', () => {
  it('have headers of their own, keep the credentials of the run from others, and are warned of when they refuse', async ({ lab }) => {
    const seen: unknown[] = []
    const other = await lab.serve((request, response) => {
      seen.push([request.headers.authorization, request.headers['x-scrape']])
      text(response, 'other 1\n')
    })
    const closed = await lab.serve((_, response) => void response.writeHead(401).end())
    const run = await lab.serve((_, response) => text(response, 'own 1\n'))
    const phase = await lab.phase([run], { urls: [`${other.replace('//', '//u:p@')}/custom`, closed], headers: [['X-Scrape', 'yes']] }, wait(150), { headers: { Authorization: 'Bearer secret' } })
    expect(phase.results[0]!.targets.map(({ name, reached }) => [name, reached])).toEqual([[`${run}/metrics`, true], [`${other}/custom`, true], [`${closed}/metrics`, false]])
    expect(seen[0]).toEqual([`Basic ${Buffer.from('u:p').toString('base64')}`, 'yes'])
    expect(phase.said).toEqual([expect.stringMatching(/^warn: No server metrics from .*401: it wants other credentials/)])
    expect(JSON.stringify(phase.results[0]!.targets)).not.toContain('u:p')
  })
})

describe.concurrent('a server that misbehaves', () => {
  it('by restarting: counters go on, and the verdict hears of it', async ({ lab }) => {
    let n = 1000
    const url = await lab.serve((_, response) => text(response, `# TYPE a_total counter\na_total ${n}\n# TYPE h histogram\nh_bucket{le="1"} ${n}\nh_bucket{le="+Inf"} ${n}\nh_sum ${n}\nh_count ${n}\n`))
    const phase = await lab.phase([url], { intervalSeconds: 0.02 }, async () => {
      n = 1010
      await wait(200)()
      n = 3
      await wait(200)()
      n = 5
    })
    expect(one(phase, 'a_total')!.counter).toMatchObject({ total: 15, resets: 1, exact: false })
    expect(one(phase, 'h')!.histogram).toMatchObject({ count: 15, buckets: [15, 15], resets: 1 })
    expect(source.judge!(phase.results[0]!, phase.window)).toContainEqual(expect.objectContaining({ code: 'server-restarted', level: 'suspect' }))
  })
  it('by values that are no numbers, a label with escapes, exemplars, and a text that is cut', async ({ lab }) => {
    const body = `# TYPE bad gauge\nbad NaN\n# TYPE inf gauge\ninf +Inf\n# TYPE ok gauge\nok{path="C:\\\\x \\"y\\"\\n}"} 4\n# TYPE r counter\nr_total 7 # {trace_id="abc"} 1 1.5\n# TYPE h histogram\nh_bucket{le="1"} 3 # {t="x"} 0.5\nh_bucket{le="+Inf"} 3\nh_sum 1\nh_count 3\n# EOF\n`
    let nth = 0
    const url = await lab.serve((_, response) => text(response, nth++ % 2 === 1 ? body.slice(0, body.indexOf('h_sum')) : body, 'application/openmetrics-text; version=1.0.0; charset=utf-8'))
    const phase = await lab.phase([url], {}, wait(400))
    const [target] = phase.results[0]!.targets
    expect(Object.keys(target!.dropped).sort()).toEqual(['bad', 'inf'])
    expect(one(phase, 'ok')).toMatchObject({ series: { labels: { path: 'C:\\x "y"\n}' } }, gauge: { avg: 4 } })
    expect(one(phase, 'r_total')!.counter).toMatchObject({ total: 0 })
    expect(one(phase, 'h')!.histogram).toMatchObject({ count: 0, resets: 0 })
    expect(phase.said.filter((line) => line.includes('the text is cut'))).toHaveLength(1)
  })
  it('by hanging, dying, and answering pages of something else: the rest of the phase is measured', async ({ lab }) => {
    let nth = 0
    const url = await lab.serve((_, response) => {
      nth++
      if (nth % 6 === 3) return
      if (nth % 6 === 4) response.destroy()
      else if (nth % 6 === 5) text(response, '<!doctype html><html>Bad gateway</html>', 'text/html')
      else text(response, '# TYPE g gauge\ng 5\n')
    })
    const phase = await lab.phase([url], { timeoutSeconds: 0.1, intervalSeconds: 0.02 }, wait(1500))
    const [target] = phase.results[0]!.targets
    expect(target!.failures).toBeGreaterThan(2)
    expect(one(phase, 'g')!.gauge).toMatchObject({ avg: 5 })
    expect(one(phase, 'g')!.gauge!.coverage).toBeLessThan(1)
  })
})

it('an endpoint that hangs from the beginning does not keep others from being sampled', async ({ lab }) => {
  const hangs = await lab.serve(() => {})
  const good = await lab.serve((_, response) => text(response, 'g 1\n'))
  const phase = await lab.phase([good], { urls: [hangs], reachabilitySeconds: 60 }, wait(300))
  const byName = Object.fromEntries(phase.results[0]!.targets.map((t) => [t.name, t]))
  expect(byName[`${good}/metrics`]!.samples).toBeGreaterThanOrEqual(2)
  expect(byName[`${hangs}/metrics`]).toMatchObject({ reached: false })
  expect(phase.said.join()).toContain(`No server metrics from ${hangs}/metrics: no answer yet, 1 s after others. It is asked again.`)
})

// One after the other: each takes all that a core gives.
describe('a server that sends too much', () => {
  it('an answer without an end: it is given up, and other endpoints are not held up', async ({ lab }) => {
    const flood = await lab.serve((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    const good = await lab.serve((_, response) => text(response, 'g 1\n'))
    const phase = await lab.phase([good], { urls: [flood], reachabilitySeconds: 1 }, wait(300))
    const byName = Object.fromEntries(phase.results[0]!.targets.map((t) => [t.name, t]))
    expect(byName[`${good}/metrics`]!.samples).toBeGreaterThanOrEqual(2)
    expect(byName[`${flood}/metrics`]).toMatchObject({ reached: false })
  })
  it('20 MB per scrape: it is read', async ({ lab }) => {
    const filler = 'x'.repeat(1000)
    const row = (i: number): string => `large_total{adapter="${i}",${['a', 'b'].map((name) => `${name}="${filler}"`).join(',')}} ${i}\n`
    const body = `# TYPE large_total counter\n${Array.from({ length: 10_000 }, (_, i) => row(i)).join('')}`
    expect(body.length).toBeGreaterThan(20e6)
    const url = await lab.serve((_, response) => text(response, body))
    const phase = await lab.phase([url], { intervalSeconds: 0.333 }, wait(700))
    expect(phase.results[0]!.series).toHaveLength(10_000)
    expect(phase.results[0]!.targets[0]!.samples).toBeGreaterThanOrEqual(2)
    expect(phase.results[0]!.points(4321).values[0]).toBe(4321)
  })
})
