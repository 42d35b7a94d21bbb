import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { html, json } from '../src/report/markup.js'
import { shown } from '../src/report/numbers.js'
import { comparisonReport } from '../src/report/comparison-report.js'
import { runReport } from '../src/report/run-report.js'
import type { RunPageData } from '../src/report/page-data.js'
import { syntheticRun } from './synthetic-run.js'

const MB = 1e6

/** The data of a page, packed or not. */
export function dataOf<T>(page: string): T {
  const [, attributes, text] = /<script type="(?:application\/json|text\/plain)" id="data"([^>]*)>([\s\S]*?)<\/script>/.exec(page)!
  return JSON.parse(attributes!.includes('packed') ? gunzipSync(Buffer.from(text!, 'base64')).toString() : text!) as T
}

describe('the report of a run', () => {
  test('of 100,000 requests stays under 2 MB, with the slowest requests in it', async () => {
    const run = syntheticRun({ requests: 100_000, concurrency: 64, slowEvery: 10_000, failed: 40 })
    const page = await runReport(run)
    expect(page.length).toBeLessThan(2 * MB)
    const { points, count, failed } = dataOf<RunPageData>(page).requests
    expect([count, failed]).toEqual([100_000, 40])
    expect(points.values['time_to_first_token']!.filter((v) => v !== null && v > 3000).length).toBe(10)
    expect(points.error.filter((e) => e !== 0).length).toBe(40)
  })

  test('loads nothing from elsewhere, and says so to the browser', async () => {
    const page = await runReport(syntheticRun({ requests: 30 }))
    expect(page.includes('default-src &#39;none&#39;')).toBe(true)
    expect(/(?:src|href)="(?!#|data:)[^"]+/.exec(page.replace(/<!--[\s\S]*?-->/g, '').replace(/<script[\s\S]*?<\/script>/g, ''))).toBeNull()
  })

  test('what a server says is text, never markup', async () => {
    const run = syntheticRun({ requests: 5 })
    const evil = '</script><script>alert(1)</script><img src=x onerror=alert(2)>'
    const about = { ...run.about, errors: [{ type: evil, message: evil, count: 1 }], notices: [evil], manifest: { note: evil }, command: evil }
    const page = await runReport({ ...run, facts: { ...run.facts, model: evil }, about })
    expect(page.includes('<script>alert(1)')).toBe(false)
    expect(page.includes('<img src=x')).toBe(false)
  })

  test('a percentile that the sample cannot carry is not shown, what is missing says so', async () => {
    const run = syntheticRun({ requests: 30 })
    const metrics = new Map(run.metrics)
    metrics.set('time_to_first_token', { ...metrics.get('time_to_first_token')!, withheld: { p99: 368 }, intervals: { p50: [1, 2] } })
    const page = await runReport({ ...run, metrics, about: { ...run.about, absent: [{ tag: 'goodput', reason: 'no objectives were given' }], verdict: { verdict: 'suspect', reasons: [{ code: 'too-few-samples', level: 'suspect', message: 'too few' }] } } })
    expect((page).includes('n&lt;368')).toBe(true)
    expect(/data-tag="time_to_first_token" data-stat="p99"/.test(page)).toBe(false)
    expect((page).includes('95 % confidence interval: 1 to 2')).toBe(true)
    expect((page).includes('no objectives were given')).toBe(true)
    expect(page.indexOf('too-few-samples')).toBeLessThan(page.indexOf('id="charts"'))
  })

  test('runs without success, without requests and without streaming have a page too', async () => {
    expect((await runReport(syntheticRun({ requests: 6, failed: 6 }))).includes('No request succeeded: 6 failed')).toBe(true)
    expect((await runReport(syntheticRun({ requests: 0 }))).includes('There are no single requests to draw')).toBe(true)
    const run = syntheticRun({ requests: 5 })
    const metrics = new Map([...run.metrics].filter(([tag]) => !tag.includes('token')))
    expect(dataOf<RunPageData>(await runReport({ ...run, metrics })).requests.metrics.map((m) => m.tag)).not.toContain('time_to_first_token')
  })
})

test('a comparison never calls an invalid run the best', async () => {
  const verdict = (v: 'valid' | 'invalid') => ({ verdict: v, reasons: [] })
  const runs = ([['valid', 4], ['invalid', 32], ['valid', 8]] as const).map(([v, concurrency]) => {
    const run = syntheticRun({ requests: 40, concurrency })
    return { ...run, about: { ...run.about, verdict: verdict(v) } }
  })
  const page = await comparisonReport(runs, '/x/report.html')
  const best = [...page.matchAll(/data-tag="output_token_throughput" data-stat="avg" data-value="([\d.]+)"><span class="best">/g)].map((m) => Number(m[1]))
  expect(best).toEqual([runs[2]!.metrics.get('output_token_throughput')!.avg])
  expect((page).includes('1 run is invalid')).toBe(true)
})

test('markup escapes what is put into it, scripts cannot be ended by data', () => {
  expect(html`<b title="${'"<'}">${['a', html`<i>${'&'}</i>`, undefined, false]}</b>`.html).toBe('<b title="&quot;&lt;">a<i>&amp;</i></b>')
  expect(json({ a: '</script>\u2028' }).html).toBe('{"a":"\\u003c/script>\\u2028"}')
})

test('numbers as people read them', () => {
  expect([1234567, 0, 12.3456, 0.00012345, 1234.5, undefined, Number.NaN, -1234567.8].map((v) => shown(v))).toEqual(['1,234,567', '0', '12.35', '0.000123', '1,235', '–', '–', '-1,234,568'])
})
