import { cpSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runReport } from '../src/report/run-report.js'
import { chromiumPath, openBrowser, openPage, screenshot } from './chromium.js'
import { aiperf, serving } from './program.js'
import { syntheticRun } from './synthetic-run.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'aiperf-pages-'))
const one = join(folder, 'one')
const sweep = join(folder, 'sweep')

const profile = (url: string, more: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  aiperf(['profile', '--model', 'm', '--url', url, '--endpoint-type', 'chat', '--streaming', '--tokenizer', 'builtin', '--isl', '60', '--osl', '8', '--ui', 'none', '--random-seed', '1', ...more], folder)

beforeAll(async () => {
  const server = await serving(['mock-server', '--port', '0', '--batching', '--fault-error-rate', '0.03', '--seed', '3'], folder, /"url"/)
  const { url } = JSON.parse(server.line) as { url: string }
  const ran = await profile(url, ['--artifact-dir', one, '--concurrency', '8', '--num-conversations', '60', '--conversation-turn-mean', '2', '--slice-duration', '0.5', '--export-level', 'raw'])
  expect(ran.code, ran.stderr).toBe(0)
  const swept = await profile(url, ['--artifact-dir', sweep, '--concurrency', '2,8', '--request-count', '40', '--auto-plot'])
  expect(swept.code, swept.stderr).toBe(0)
  await server.stop()
}, 60_000)

describe('the program', () => {
  test('writes a report with every run and every sweep, and plots when asked', () => {
    expect(statSync(join(one, 'report.html')).size).toBeLessThan(2e6)
    expect(statSync(join(sweep, 'report.html')).size).toBeLessThan(2e6)
    expect(readdirSync(join(sweep, 'plots'))).toEqual(expect.arrayContaining(['pareto_curve_throughput_per_gpu_vs_latency.png', 'latency_cdf.png', 'summary.txt']))
  })

  test('plots a run and tells what was not possible; draws runs of AIPerf 0.13.0', async () => {
    const out = join(folder, 'pictures')
    const { code, stdout } = await aiperf(['plot', one, '--output', out, '--format', 'svg,json', '--plots', 'ttft_over_time,gpu_power_over_time'], folder)
    expect(code).toBe(0)
    expect(stdout).toContain('ttft_over_time.svg')
    expect(readFileSync(join(out, 'summary.txt'), 'utf8')).toMatch(/Not drawn:\n {2}gpu_power_over_time: the run has no telemetry/)
    const reference = join(folder, 'reference')
    cpSync(join(import.meta.dirname, 'reference/single'), reference, { recursive: true })
    const drawn = await aiperf(['plot', reference, '--format', 'svg'], folder)
    expect(drawn.code).toBe(0)
    expect(readdirSync(join(reference, 'plots')).length).toBeGreaterThan(8)
  })

  test('nothing drawn is a failure unless it is allowed', async () => {
    const args = ['plot', one, '--output', join(folder, 'none'), '--plots', 'gpu_power_over_time']
    const { code, stderr } = await aiperf(args, folder)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/gpu_power_over_time: the run has no telemetry[\s\S]*Nothing could be drawn/)])
    expect((await aiperf([...args, '--allow-empty'], folder)).code).toBe(0)
  })

  test('compares two runs in a page beside theirs, which stay as they are', async () => {
    const [a, b] = [join(sweep, 'concurrency_2'), join(sweep, 'concurrency_8')]
    const own = readFileSync(join(a, 'report.html'), 'utf8')
    const compared = await aiperf(['compare', a, b, '--force', '--report', 'compared.html'], folder)
    expect(compared.code, compared.stderr).toBe(0)
    const reported = await aiperf(['report', a, b], folder)
    expect(reported.stdout.trim()).toMatch(/concurrency_2[/\\]comparison\.html$/)
    for (const page of [join(folder, 'compared.html'), join(a, 'comparison.html')]) expect(readFileSync(page, 'utf8')).toMatch(/concurrency 2[\s\S]*concurrency 8/)
    expect(readFileSync(join(a, 'report.html'), 'utf8')).toBe(own)
  })

  test('draws swim lanes, and passes over what it cannot read with a word on it', async () => {
    const { code, stdout, stderr } = await aiperf(['analyze', 'swim-lane', one, folder + '/nowhere', '--html'], folder)
    expect([code, stdout.split('\n').length]).toEqual([1, 3])
    expect(stderr).toMatch(/1 of 2 folders passed over:\n.*nowhere/)
    expect((await aiperf(['analyze', 'turn-messages', one], folder)).code).toBe(0)
  })
})

describe.skipIf(!chromiumPath)('pages in a browser', () => {
  let browser: Browser
  beforeAll(async () => void (browser = await openBrowser()))
  afterAll(() => browser?.close())

  /** No faults, nothing loaded from elsewhere, and accessible in both themes. */
  async function sound(page: Page, complaints: string[], loaded: string[], own: RegExp): Promise<void> {
    expect(complaints).toEqual([])
    expect(loaded.filter((address) => !own.test(address))).toEqual([])
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      await page.evaluate(axe)
      // Themes differ in their colours alone.
      const faults = await page.evaluate(async (only) => {
        const { violations } = await (globalThis as unknown as { axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }).axe.run(only)
        return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')}`)
      }, theme === 'dark' ? { runOnly: ['color-contrast'] } : {})
      expect(faults, theme).toEqual([])
    }
  }
  const datasets = (page: Page, selector: string): Promise<Record<string, string>[]> => page.evaluate(`[...document.querySelectorAll('${selector}')].map((found) => ({ ...found.dataset }))`)
  const file = (path: string): string => `file://${path}`
  const told = (page: Page): Promise<string> => page.locator('.selection').innerText()

  test('the report of a run: its numbers are those of the summary file', async () => {
    const { page, complaints, loaded } = await openPage(browser, file(join(one, 'report.html')))
    await page.locator('#chart-time svg').waitFor()
    const summary = JSON.parse(readFileSync(join(one, 'profile_export_aiperf.json'), 'utf8')) as Record<string, Record<string, number>>
    const cells = await datasets(page, '[data-scope="profiling"]')
    expect(cells.length).toBeGreaterThan(150)
    for (const { tag, stat, value } of cells) expect(Number(value), `${tag} ${stat}`).toBe(summary[tag!]![stat!])
    const headline = await datasets(page, '#headline [data-tag]')
    for (const { tag, stat, value } of headline) expect(Number(value)).toBe(summary[tag!]![stat!])
    // What the charts say of the whole run is what the tables say.
    expect(await told(page)).toContain(`p50 ${Number(summary['time_to_first_token']!['p50']!.toPrecision(4))}`)
    expect(await page.locator('#title').innerText()).toContain('concurrency 8')
    await screenshot(page, 'run-light')
    await sound(page, complaints, loaded, /^file:.*report\.html$|^data:/)
    await screenshot(page, 'run-dark')
    await page.close()
  })

  test('a stretch of time chosen in one chart is chosen in all, by pointer and by keys', async () => {
    const { page } = await openPage(browser, file(join(one, 'report.html')))
    await page.locator('#chart-time svg').waitFor()
    const lines = readFileSync(join(one, 'profile_export.jsonl'), 'utf8').trim().split('\n').map((line) => (JSON.parse(line) as { metadata: { request_start_ns: number } }).metadata.request_start_ns)
    const first = Math.min(...lines)
    const starts = lines.map((ns) => (ns - first) / 1e9)
    const plot = page.locator('#chart-in-flight .plot')
    await plot.scrollIntoViewIfNeeded()
    const box = (await plot.boundingBox())!
    await page.mouse.move(box.x + box.width * 0.4, box.y + 60)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.7, box.y + 60, { steps: 4 })
    await page.mouse.up()
    const range = await Promise.all(['#range-from', '#range-to'].map(async (id) => Number(await page.inputValue(id))))
    expect(range[1]).toBeGreaterThan(range[0]!)
    const within = starts.filter((t) => t >= range[0]! && t < range[1]!).length
    const counted = Number(/: (\d+) requests started/.exec(await told(page))![1])
    expect(Math.abs(counted - within)).toBeLessThanOrEqual(1)
    expect(counted).toBeLessThan(starts.length)
    for (const id of ['chart-time', 'chart-tokens', 'chart-lag']) expect(await page.locator(`#${id} .mark-rect path`).count(), id).toBeGreaterThan(0)
    await plot.focus()
    await page.keyboard.press('Escape')
    expect(await told(page)).toContain('Whole run')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    expect(await told(page)).not.toContain('Whole run')
    await page.close()
  })

  test('by keys alone: skip link, theme, choice of metric, sorted table', async () => {
    const { page } = await openPage(browser, file(join(one, 'report.html')))
    await page.keyboard.press('Tab')
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Skip to the results')
    await page.locator('#theme').focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.locator('#charts select').first().selectOption('request_latency')
    expect(await page.locator('#chart-time figcaption').innerText()).toBe('Request latency over time')
    const head = page.locator('#slowest-table th button').nth(2)
    await head.focus()
    await page.keyboard.press('Enter')
    const values = (await datasets(page, '#slowest-table tbody tr td:nth-child(3)')).map(({ value }) => Number(value))
    expect(values).toEqual([...values].sort((a, b) => b - a))
    await page.close()
  })

  test('on paper, on a narrow screen, and of 100,000 requests', async () => {
    const path = join(folder, 'long.html')
    writeFileSync(path, await runReport(syntheticRun({ requests: 100_000, concurrency: 64, slowEvery: 9000, failed: 50 })))
    const { page, complaints } = await openPage(browser, file(path), { width: 420 })
    await page.locator('#chart-time svg').waitFor()
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await screenshot(page, 'long-narrow')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.bar').isVisible()).toBe(false)
    await screenshot(page, 'long-print')
    expect(complaints).toEqual([])
    await page.close()
    // Reports as the program makes them hold longer names, and tables wider than a sheet of paper.
    for (const directory of [join(sweep, 'concurrency_8'), sweep]) {
      const { page } = await openPage(browser, file(join(directory, 'report.html')), { width: 400 })
      await page.locator('main svg').first().waitFor()
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), directory).toBeLessThanOrEqual(400)
      await page.setViewportSize({ width: 720, height: 900 })
      await page.emulateMedia({ media: 'print' })
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), directory).toBeLessThanOrEqual(720)
      await page.close()
    }
  })

  test('the report of a sweep: points, differences from one of them, charts of any two measures', async () => {
    const { page, complaints, loaded } = await openPage(browser, file(join(sweep, 'report.html')))
    await page.locator('#chart-pareto svg').waitFor()
    for (const c of [2, 8]) {
      const summary = JSON.parse(readFileSync(join(sweep, `concurrency_${c}/profile_export_aiperf.json`), 'utf8')) as Record<string, Record<string, number>>
      const row = page.locator('#points-table tbody tr', { hasText: `concurrency ${c}` })
      expect(Number(await row.locator('[data-tag="request_throughput"]').getAttribute('data-value'))).toBe(summary['request_throughput']!['avg'])
    }
    await page.locator('#points-tools select').selectOption({ index: 1 })
    expect(await page.locator('.against:not(:empty)').count()).toBeGreaterThan(3)
    await page.locator('#charts select').first().selectOption('time_to_first_token|p99')
    expect(await page.locator('#chart-pareto figcaption').innerText()).toContain('time to first token, p99')
    await screenshot(page, 'sweep')
    await sound(page, complaints, loaded, /^file:.*report\.html$|^data:/)
    await page.close()
  })

  test('swim lanes and messages', async () => {
    const lanes = await openPage(browser, file(join(one, 'swim_lane.html')))
    await lanes.page.locator('#curve-0 svg').waitFor()
    await lanes.page.locator('canvas').focus()
    await lanes.page.keyboard.press('+')
    expect(await told(lanes.page)).toMatch(/ to .* s$/)
    await screenshot(lanes.page, 'swim-lane')
    await sound(lanes.page, lanes.complaints, lanes.loaded, /^file:.*swim_lane\.html$|^data:/)
    await lanes.page.close()
    const said = await openPage(browser, file(join(one, 'turn_messages.html')))
    expect(await said.page.locator('[role="option"]').count()).toBe(40)
    await said.page.locator('[role="listbox"]').focus()
    await said.page.keyboard.press('ArrowDown')
    expect(await said.page.locator('[role="option"]').nth(1).getAttribute('aria-selected')).toBe('true')
    await screenshot(said.page, 'messages')
    await sound(said.page, said.complaints, said.loaded, /^file:.*turn_messages\.html$|^data:/)
    await said.page.close()
  })

  test('the dashboard: runs, filters, plots, requests, files to take away', async () => {
    const server = await serving(['plot', one, sweep, '--dashboard', '--port', '0'], folder, /http:/)
    const url = /http:\/\/\S+/.exec(server.line)![0]
    try {
      const shows = async (page: Page, what: string): Promise<void> => page.locator(`#panel[data-shown^="${what}"]`).waitFor()
      const { page, complaints, loaded } = await openPage(browser, url)
      await shows(page, 'overview')
      await page.locator('#chart-pareto svg').waitFor()
      expect(await page.locator('.run').count()).toBe(3)
      await page.locator('.run', { hasText: /\(one\)|sessions|one/ }).first().getByRole('button').click()
      await page.locator('#chart-time svg').waitFor()
      await screenshot(page, 'dashboard-run')
      const count = page.locator('#filter-count')
      const all = Number(/^([\d,]+)/.exec(await count.innerText())![1]!.replace(',', ''))
      await page.locator('.filterbar select').first().selectOption('failed')
      await page.locator('#filter-count', { hasText: ' of ' }).waitFor()
      expect(Number(/^(\d+) of/.exec(await count.innerText())![1])).toBeLessThan(all)
      await page.locator('#tab-overview').focus()
      await page.keyboard.press('ArrowRight')
      await page.locator('#plot-ttft_over_time svg').waitFor()
      await page.keyboard.press('ArrowRight')
      await shows(page, 'requests')
      expect(await page.locator('#requests-table tbody tr').count()).toBeGreaterThan(0)
      await screenshot(page, 'dashboard-requests')
      await page.locator('#tab-runs').click()
      await shows(page, 'runs')
      await sound(page, complaints, loaded, new RegExp(`^${url}|^data:`))
      await page.close()
      const get = (path: string, headers = {}): Promise<Response> => fetch(new URL(path, url), { headers })
      const csv = await (await get('/api/requests.csv?runs=0')).text()
      expect(csv.split('\r\n')[0]).toMatch(/^request,id,session,turn,start_s,end_s,succeeded,error,time_to_first_token/)
      const png = await get('/plot?name=latency_cdf&runs=0,1&format=png')
      expect(png.headers.get('content-type')).toBe('image/png')
      expect((await get('/plot?name=nothing&runs=0')).status).toBe(404)
      expect((await get('/api/run?runs=99')).status).toBe(400)
      expect((await get('/report?runs=0')).headers.get('content-disposition')).toMatch(/attachment; filename=".*\.html"/)
    } finally {
      await server.stop()
    }
  })
})

test('the dashboard answers nobody who comes by another name, and beyond loopback asks for its key', async () => {
  const { request } = await import('node:http')
  const status = (url: URL, headers: Record<string, string>): Promise<number> => new Promise((resolve, reject) => request(url, { headers }, (r) => (r.resume(), resolve(r.statusCode!))).once('error', reject).end())
  const local = await serving(['plot', one, '--dashboard', '--port', '0'], folder, /http:/)
  const url = new URL(/http:\/\/\S+/.exec(local.line)![0])
  expect(await status(url, { host: 'evil.example' })).toBe(403)
  expect(await status(url, {})).toBe(200)
  const wide = await serving(['plot', one, '--dashboard', '--port', '0', '--host', '0.0.0.0'], folder, /http:/)
  const keyed = new URL(/http:\/\/\S+/.exec(wide.line)![0].replace('0.0.0.0', '127.0.0.1'))
  expect(await status(keyed, {})).toBe(200)
  keyed.search = '?key=00000000000000000000000000000000'
  expect(await status(keyed, {})).toBe(403)
  await Promise.all([local.stop(), wide.stop()])
})
