import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExpositionReader, type Exposition, type Metric } from './read.js'

type Seen = { name: string; type: string; labels: Record<string, string>; bounds?: readonly number[]; help: string; unit: string }
const describeMetric = (m: Metric): Seen => ({
  name: m.name, type: m.family.type, labels: { ...m.labels }, help: m.family.help, unit: m.family.unit,
  ...(m.bounds ? { bounds: [...m.bounds] } : {}),
})
const reader = (options?: { maxSeries?: number }): ExpositionReader<Seen> => new ExpositionReader(describeMetric, options)
const number = (e: Exposition<Seen>, name: string, labels: Record<string, string> = {}): number | undefined => {
  const found = e.values.find((v) => v.series.name === name && Object.entries(labels).every(([k, x]) => v.series.labels[k] === x))
  return found && 'value' in found ? found.value : undefined
}
const histogram = (e: Exposition<Seen>, name: string) => {
  const found = e.values.find((v) => v.series.name === name)
  return found && 'buckets' in found ? found : undefined
}

describe('text of version 0.0.4', () => {
  const text = `# HELP http_requests_total The total\\nof \\\\ requests.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{method="post",code="400"}    3 1395066363000

# Escaping in label values:
msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\n\\"FILE.TXT\\""} 1.458255915e9
metric_without_timestamp_and_labels 12.47
something_weird{problem="division by zero"} +Inf -3982045
  spaced\t{ a = "x" , b="}{ # \\"," , } \t 7\r
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{le="0.05"} 24054
http_request_duration_seconds_bucket{le="0.1"} 33444
http_request_duration_seconds_bucket{le="+Inf"} 144320
http_request_duration_seconds_sum 53423
http_request_duration_seconds_count 144320
# TYPE rpc_duration_seconds summary
rpc_duration_seconds{quantile="0.5"} 4773
rpc_duration_seconds_sum 1.7560473e+07
rpc_duration_seconds_count 2693
`
  it('reads values, escapes, time stamps, blanks and types', () => {
    const e = reader().read(text)
    expect(number(e, 'http_requests_total', { code: '200' })).toBe(1027)
    expect(number(e, 'http_requests_total', { code: '400' })).toBe(3)
    const first = e.values[0]!.series
    expect(first).toMatchObject({ type: 'counter', help: 'The total\nof \\ requests.' })
    expect(number(e, 'msdos_file_access_time_seconds', { path: 'C:\\DIR\\FILE.TXT', error: 'Cannot find file:\n"FILE.TXT"' })).toBe(1.458255915e9)
    expect(number(e, 'metric_without_timestamp_and_labels')).toBe(12.47)
    expect(number(e, 'something_weird')).toBe(Infinity)
    expect(number(e, 'spaced', { a: 'x', b: '}{ # ",' })).toBe(7)
    expect(e.truncated).toBe(false)
    expect(e.malformed).toBe(0)
  })
  it('joins the lines of a histogram and leaves summaries out', () => {
    const e = reader().read(text)
    const h = histogram(e, 'http_request_duration_seconds')!
    expect([...h.buckets]).toEqual([24054, 33444, 144320])
    expect(h.series.bounds).toEqual([0.05, 0.1, Infinity])
    expect(h).toMatchObject({ sum: 53423, count: 144320 })
    expect(e.values.some((v) => v.series.name.startsWith('rpc'))).toBe(false)
  })
  it('hands out the same series each time, and new values', () => {
    const r = reader()
    const a = r.read(text)
    const b = r.read(text.replace('} 1027 ', '} 1028 ').replace(' 12.47', ' 13'))
    expect(b.values.map((v) => v.series)).toEqual(a.values.map((v) => v.series))
    b.values.forEach((v, i) => expect(v.series).toBe(a.values[i]!.series))
    expect(number(b, 'http_requests_total', { code: '200' })).toBe(1028)
    expect(number(b, 'metric_without_timestamp_and_labels')).toBe(13)
  })
  it('follows lines that move, appear and vanish', () => {
    const r = reader()
    r.read('a 1\nb 2\nc 3\n')
    const e = r.read('c 30\nd 40\na 10\n')
    expect(Object.fromEntries(e.values.map((v) => [v.series.name, 'value' in v && v.value]))).toEqual({ c: 30, d: 40, a: 10 })
    expect(number(r.read('a 1\nb 5\n'), 'b')).toBe(5)
  })
  it('orders buckets, adds the last one, and sees a server that has other buckets after a restart', () => {
    const r = reader()
    const h = histogram(r.read('# TYPE h histogram\nh_bucket{le="5"} 3\nh_bucket{le="1"} 2\nh_sum 9\nh_count 4\n'), 'h')!
    expect(h.series.bounds).toEqual([1, 5, Infinity])
    expect([...h.buckets]).toEqual([2, 3, 4])
    r.read('# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="8"} 3\nh_sum 9\nh_count 4\n')
    const later = histogram(r.read('# TYPE h histogram\nh_bucket{le="1"} 3\nh_bucket{le="8"} 4\nh_sum 9\nh_count 5\n'), 'h')!
    expect(later.series.bounds).toEqual([1, 8, Infinity])
    expect([...later.buckets]).toEqual([3, 4, 5])
  })
  it('reads quoted names and UTF-8', () => {
    const e = reader().read('# TYPE "größe.m" gauge\n{"größe.m",ort="Köln"} 4\nplain{ü="ä"} 5\n')
    expect(number(e, 'größe.m', { ort: 'Köln' })).toBe(4)
    expect(e.values[0]!.series.type).toBe('gauge')
    expect(number(e, 'plain', { ü: 'ä' })).toBe(5)
  })
  it('passes NaN and infinities on', () => {
    const e = reader().read('a NaN\nb -Inf\nc nan\n')
    expect(number(e, 'a')).toBeNaN()
    expect(number(e, 'b')).toBe(-Infinity)
    expect(number(e, 'c')).toBeNaN()
  })
  it('counts lines it cannot read and keeps the rest', () => {
    const e = reader().read('ok 1\nbad{a="x 2\nworse{=} 3\nnot a number\n} 4\nfine 5\n')
    expect(e.malformed).toBe(4)
    expect(e.firstProblem).toContain('bad{a=')
    expect(number(e, 'ok')).toBe(1)
    expect(number(e, 'fine')).toBe(5)
  })
})

describe('OpenMetrics', () => {
  const text = `# TYPE req counter
# UNIT req requests
# HELP req Requests \\"done\\".
req_total{code="200"} 17.0 1520879607.789 # {trace_id="KOO5S4vxi0o"} 0.67 1520879607.0
req_created{code="200"} 1520430000.123
# TYPE lat_seconds histogram
# UNIT lat_seconds seconds
lat_seconds_bucket{le="0.01"} 0
lat_seconds_bucket{le="0.1"} 8 # {} 0.054
lat_seconds_bucket{le="+Inf"} 17 # {trace_id="oHg5SJYRHA0"} 9.8 1520879607.789
lat_seconds_count 17
lat_seconds_sum 324789.3
lat_seconds_created 1520430000.123
# TYPE build info
build_info{version="1"} 1
# EOF
`
  it('reads totals by their own names, exemplars, units, and no births', () => {
    const e = reader().read(text, { openMetrics: true })
    expect(e.truncated).toBe(false)
    expect(number(e, 'req_total')).toBe(17)
    expect(e.values.map((v) => v.series.name)).toEqual(['req_total', 'lat_seconds', 'build_info'])
    expect(e.values[0]!.series).toMatchObject({ type: 'counter', unit: 'requests', help: 'Requests "done".' })
    expect([...histogram(e, 'lat_seconds')!.buckets]).toEqual([0, 8, 17])
    expect(e.values[2]!.series.type).toBe('info')
  })
  it('tells a text that was cut by its missing end, and uses no half histogram', () => {
    const cut = reader().read(text.slice(0, text.indexOf('lat_seconds_bucket{le="+Inf"}') + 12), { openMetrics: true })
    expect(cut.truncated).toBe(true)
    expect(number(cut, 'req_total')).toBe(17)
    expect(histogram(cut, 'lat_seconds')).toBeUndefined()
  })
})

describe('bodies that are not what they should be', () => {
  it('does not use a last line without an end, unless the transfer vouches for it', () => {
    expect(reader().read('a 1\nb 12').values).toHaveLength(1)
    expect(reader().read('a 1\nb 12').truncated).toBe(true)
    expect(number(reader().read('a 1\nb 12', { complete: true }), 'b')).toBe(12)
  })
  it('stops taking new series at the limit, keeps the known ones, and counts', () => {
    const r = reader({ maxSeries: 10 })
    const lines = (from: number): string => Array.from({ length: 25 }, (_, i) => `m{i="${from + i}"} ${i}\n`).join('')
    const first = r.read(lines(0))
    expect(first.values).toHaveLength(10)
    expect(first.leftOut).toBe(15)
    const second = r.read(lines(5))
    expect(second.values).toHaveLength(5)
    expect(second.leftOut).toBe(20)
  })
  it('starts over when another program answers', () => {
    const r = reader()
    expect(r.read('# TYPE a gauge\na 1\n').values[0]!.series.type).toBe('gauge')
    r.read('# TYPE a counter\na 1\n')
    expect(r.read('# TYPE a counter\na 1\n').values[0]!.series.type).toBe('counter')
  })
  it('reads 20 MB, and the second time without taking lines apart', () => {
    const row = (i: number, v: number): string => `vllm:very_long_metric_name_for_tests_total{engine="0",model_name="meta-llama/Llama-3.1-8B",lora="${i}"} ${v}\n`
    const make = (v: number): string => Array.from({ length: 190_000 }, (_, i) => row(i, v)).join('')
    const r = new ExpositionReader((m) => m.name, { maxSeries: 200_000 })
    const text = make(1)
    expect(text.length).toBeGreaterThan(20e6)
    const t0 = performance.now()
    expect(r.read(text).values).toHaveLength(190_000)
    const t1 = performance.now()
    const again = r.read(make(2))
    const second = performance.now() - t1
    expect(again.values.every((v) => 'value' in v && v.value === 2)).toBe(true)
    expect(second).toBeLessThan(t1 - t0)
  })
})

describe('any text', () => {
  const name = fc.stringMatching(/^[a-zA-Z_:][a-zA-Z0-9_:]{0,12}$/)
  const label = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,6}$/).filter((l) => l !== 'le' && l !== 'quantile' && l !== '__proto__')
  const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer())
  const escape = (s: string): string => s.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
  const sample = fc.record({ name, labels: fc.dictionary(label, fc.string({ unit: 'grapheme' }).filter((s) => !/[\r\u2028]/.test(s)), { maxKeys: 3 }), value })
  const write = (s: { name: string; labels: Record<string, string>; value: number }): string =>
    `${s.name}{${Object.entries(s.labels).map(([k, v]) => `${k}="${escape(v)}"`).join(',')}} ${s.value}\n`

  it('what is written is read, in any order, twice', () => {
    fc.assert(
      fc.property(fc.uniqueArray(sample, { selector: (s) => write({ ...s, value: 0 }), maxLength: 12 }), (samples) => {
        const r = reader()
        for (const list of [samples, samples.toReversed(), samples]) {
          const e = r.read(list.map(write).join(''))
          expect(e.malformed).toBe(0)
          const got = e.values.map((v) => [v.series.name, Object.entries(v.series.labels).sort(), 'value' in v ? v.value + 0 : 0])
          const want = list.map((s) => [s.name, Object.entries({ ...s.labels }).sort(), s.value + 0])
          const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
          expect(got.sort(byText)).toEqual(want.sort(byText))
        }
      }),
    )
  })
  it('a cut anywhere loses only what follows, and nothing throws on noise', () => {
    const text = 'a{x="1"} 11\n# TYPE h histogram\nh_bucket{le="1"} 22\nh_bucket{le="+Inf"} 33\nh_sum 44\nh_count 33\nz 55\n'
    fc.assert(
      fc.property(fc.nat(text.length), fc.string({ unit: 'binary' }), (cut, noise) => {
        const e = reader().read(text.slice(0, cut))
        for (const v of e.values) if ('value' in v) expect([11, 55]).toContain(v.value)
        const r = reader()
        r.read(text.slice(0, cut) + noise)
        expect(number(r.read(text), 'z')).toBe(55)
      }),
    )
  })
})
