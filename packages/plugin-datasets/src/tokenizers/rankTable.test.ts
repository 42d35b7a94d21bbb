import { describe, expect, it } from 'vitest'
import { BytePairs } from './bytePairs.js'
import { readRankTable } from './rankTable.js'

const file = (...lines: [token: string, rank: number][]) => Buffer.from(lines.map(([token, rank]) => `${Buffer.from(token).toString('base64')} ${rank}\n`).join(''))
function rankOf(table: ReturnType<typeof readRankTable>, token: string): number {
  const pairs = new BytePairs(table)
  pairs.piece.set(Buffer.from(token))
  return pairs.find(0, token.length)
}

describe('rank files', () => {
  it.each([
    ['in order', [['a', 0], ['b', 1], ['ab', 2]]],
    ['in another order', [['ab', 2], ['b', 1], ['a', 0]]],
    ['with a gap', [['a', 0], ['b', 1], ['ab', 9]]],
  ] as [string, [string, number][]][])('are read %s', (_, lines) => {
    const table = readRankTable(file(...lines), 'x.tiktoken')
    for (const [token, rank] of lines) expect(rankOf(table, token)).toBe(rank)
    expect(rankOf(table, 'c')).toBe(-1)
    expect(table.longest).toBe(2)
  })

  it('may have Windows line ends, blank lines and no last line end', () => {
    const table = readRankTable(Buffer.from('YQ== 0\r\n\r\nYg== 1'), 'x.tiktoken')
    expect([rankOf(table, 'a'), rankOf(table, 'b')]).toEqual([0, 1])
  })

  it.each([['YQ== 0\nYg==\n', 2], ['YQ== 0\n?? 1\n', 2], ['YQ== x\n', 1], ['{"a": 1}\n', 1], ['YQ==0\n', 1]])('%j is refused by line', (text, line) => {
    expect(() => readRankTable(Buffer.from(text), 'x.tiktoken')).toThrow(`x.tiktoken, line ${line}: expected`)
  })

  it('must hold tokens', () => {
    expect(() => readRankTable(Buffer.from('\n'), 'x.tiktoken')).toThrow('holds no tokens')
  })
})
