import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteText } from './byte-text.js'
import { csvLine } from './csv-line.js'
import { jsonText, type JsonValue } from './json-text.js'
import { brief, readable, readableSeconds } from '@aiperf/core/numbers'
import { csvNumber } from './numbers.js'
import { isoUtc, UnixTime } from './unix-time.js'

const finite = fc.double({ noNaN: true, min: -1e300, max: 1e300 })
const everyday = fc.oneof(finite, fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.integer(), fc.integer({ min: -1e12, max: 1e12 }).map((n) => n / 1e6), fc.constantFrom(0, -0, 1e15, -1e15, 1e-6, 1e-7, 999.95, 999.94999, 99.995, 0.0001, 1e21))
const bytesOf = (write: (text: ByteText) => void) => {
  const text = new ByteText(4)
  write(text)
  return Buffer.from(text.take()).toString()
}

describe('numbers for people', () => {
  test('keep three to four significant digits, and only zero is printed as zero', () => {
    fc.assert(fc.property(everyday, (value) => {
      const text = readable(value)
      expect(text).toMatch(/^-?(\d{1,3}(,\d{3})*(\.\d+)?|\d\.\d+e[+-]\d+)$/)
      const back = Number(text.replaceAll(',', ''))
      if (value === 0) expect(text).toBe('0')
      else expect(Math.abs(back / value - 1)).toBeLessThanOrEqual(0.0051)
    }), { numRuns: 3000 })
  })

  test('look as expected', () => {
    const cases: [number, string][] = [[0, '0'], [-0, '0'], [26, '26'], [1234567, '1,234,567'], [1962.34, '1,962'], [168.2457, '168.2'], [44.029, '44.03'], [4.96866, '4.969'],
      [224, '224'], [223.96, '224.0'], [0.81672, '0.817'], [0.0123456, '0.0123'], [0.00098765, '0.000988'], [0.0000123, '1.23e-5'], [999.96, '1,000'], [99.996, '100.0'], [9.99996, '10.00'], [0.99996, '1.000'], [0.09999, '0.100'], [-3.14159, '-3.142'], [2e15, '2.000e+15'], [Number.NaN, '']]
    for (const [value, text] of cases) expect(readable(value), String(value)).toBe(text)
  })

  test('running text has three digits and no zeros at the end', () => {
    expect([7.5, 0.02, 100, 23.664, 2366, 1e7, 0, 0.00001234, 999.6].map(brief)).toEqual(['7.5', '0.02', '100', '23.7', '2,366', '10,000,000', '0', '1.23e-5', '1,000'])
  })

  test('durations', () => {
    expect([0.85, 2.0384, 59.4, 200, 3900, 3599.6, 0.00123].map(readableSeconds)).toEqual(['850 ms', '2.04 s', '59.4 s', '3 min 20 s', '1 h 05 min', '1 h 00 min', '1.23 ms'])
  })
})

describe('CSV', () => {
  test('numbers have two decimals or four significant digits, whichever is more', () => {
    expect([0, 40, 510.2083, 44.0291, 4.96866, 3.48, 0.9, 0.00123456, 1e-9, 27155.06].map(csvNumber)).toEqual(['0.00', '40.00', '510.21', '44.03', '4.969', '3.48', '0.90', '0.001235', '1.000e-9', '27155.06'])
    expect(csvNumber(undefined)).toBe('')
    expect(csvNumber(Number.POSITIVE_INFINITY)).toBe('')
    fc.assert(fc.property(everyday, (value) => {
      const back = Number(csvNumber(value))
      if (value === 0) expect(back).toBe(0)
      else expect(Math.abs(back / value - 1)).toBeLessThanOrEqual(0.00051)
    }))
  })

  test('any cells come back from a reader of RFC 4180', () => {
    fc.assert(fc.property(fc.array(fc.array(fc.string({ unit: fc.constantFrom('a', ',', '"', '\r', '\n', ' ', 'é') }), { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (rows) => {
      expect(readCsv(rows.map(csvLine).join('\r\n'))).toEqual(rows)
    }))
  })
})

function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y
  for (;;) {
    const found = cell.exec(text)
    if (!found) throw new Error(`no CSV at ${cell.lastIndex}`)
    rows.at(-1)!.push(found[1]?.replaceAll('""', '"') ?? found[2]!)
    if (found[3] === '') return rows
    if (found[3] === '\r\n') rows.push([])
  }
}

describe('JSON', () => {
  test('equals JSON.stringify where both can write the value', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      expect(jsonText(value as JsonValue)).toBe(JSON.stringify(value, null, 2))
    }))
  })

  test('writes bigints as digits and leaves out what is no JSON', () => {
    expect(jsonText({ a: 1796036061854766080n, b: Number.NaN, c: undefined, d: [1, Number.POSITIVE_INFINITY, null], e: null })).toBe('{\n  "a": 1796036061854766080,\n  "d": [\n    1,\n    null,\n    null\n  ],\n  "e": null\n}')
  })
})

describe('bytes', () => {
  test('numbers are the shortest that read back', () => {
    fc.assert(fc.property(everyday, (value) => {
      expect(bytesOf((t) => t.number(value))).toBe(JSON.stringify(value))
    }), { numRuns: 5000 })
  })

  test('strings are what JSON.stringify makes', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      expect(bytesOf((t) => texts.forEach((text) => t.string(text)))).toBe(texts.map((text) => JSON.stringify(text)).join(''))
    }))
  })

  test('taken bytes stay as they were', () => {
    const text = new ByteText(8)
    text.ascii('one')
    const one = text.take()
    text.ascii('two')
    expect(Buffer.from(one).toString()).toBe('one')
    expect(text.length).toBe(3)
  })
})

describe('times', () => {
  test('digits are those of the exact sum', () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 4_000_000_000_000_000_000n }), fc.integer({ min: 0, max: 2 ** 52 }), (zero, ns) => {
      expect(new UnixTime(zero).digits(ns)).toBe(String(zero + BigInt(ns)))
    }))
  })

  test('ISO times are UTC and keep microseconds', () => {
    expect(isoUtc(1796036061854766080n)).toBe('2026-11-30T10:54:21.854766+00:00')
    expect(isoUtc(1796036061000000999n)).toBe('2026-11-30T10:54:21.000000+00:00')
  })
})
