import { mkdtempSync, readFileSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRandom, type Tokenizer } from '@aiperf/core'
import { hubServer } from '../test/hubServer.js'
import { loadDataset, textOf } from '../test/loadDataset.js'
import huggingface from './huggingface.js'
import synthetic from './synthetic.js'
import { openCorpus } from './text/corpus.js'

const FOLDER = join(import.meta.dirname, '../test/tokenizers')
const make = async (name: string, options: Record<string, unknown> = {}) => (await huggingface.create({ name, options })) as Tokenizer
const refusal = (loading: Promise<unknown>) => loading.then(() => undefined, (error: Error & { code: string; hint?: string }) => error)
/** Ids recorded from the tokenizers library (Python). */
const fixture = JSON.parse(readFileSync(join(FOLDER, 'hard-strings.json'), 'utf8')) as { strings: string[]; ids: Record<string, number[][]> }

describe.each(Object.keys(fixture.ids))('a %s tokenizer.json', (kind) => {
  it('gives the ids of the reference implementation for hard strings', async () => {
    const tokenizer = await make(join(FOLDER, kind))
    fixture.strings.forEach((text, at) => expect(tokenizer.encode(text), JSON.stringify(text)).toEqual(fixture.ids[kind]![at]))
  })

  it('makes prompts of exact length that add up', async () => {
    const tokenizer = await make(join(FOLDER, kind, 'tokenizer.json'))
    const corpus = await openCorpus({}, tokenizer)
    for (const length of [1, 2, 7, 40, 300]) {
      const texts = [1, 2].map((key) => corpus.text(createRandom(length, 'x').fork(key), length))
      expect(texts.map((text) => tokenizer.count(text))).toEqual([length, length])
      expect(tokenizer.count(corpus.join(texts, 2 * length))).toBe(2 * length)
    }
  })
})

describe('chat templates', () => {
  const messages = [{ role: 'user', content: ' hello ' }, { role: 'assistant', content: 'yes' }]
  it('are rendered as the model has them, when asked for', async () => {
    const tokenizer = await make(join(FOLDER, 'bytelevel'), { applyChatTemplate: true })
    expect(tokenizer.chat!(messages)).toBe('<|begin|><|user|>hello<|end|><|assistant|>yes<|end|><|assistant|>')
    expect((await make(join(FOLDER, 'bytelevel'))).chat).toBeUndefined()
    expect((await refusal(make(join(FOLDER, 'unigram'), { applyChatTemplate: true })))?.message).toContain('no chat template')
  })

  it('are taken off the length of synthetic prompts', async () => {
    const tokenizer = await make(join(FOLDER, 'bytelevel'), { applyChatTemplate: true })
    const { sessions } = await loadDataset(synthetic, undefined, { tokenizer, entries: 3, options: { prompts: { isl: { mean: 30 } }, turns: { mean: 3 } } })
    for (const session of sessions) {
      const users = session.turns.map((_, at) => ({ role: 'user', content: textOf(session, at) }))
      expect(tokenizer.count(tokenizer.chat!(users.slice(0, 1)))).toBe(30)
      const rest = tokenizer.count(tokenizer.chat!(users)) - 30
      expect(rest).toBe(60)
    }
  })
})

describe('names of the hub', () => {
  const commit = 'a'.repeat(40)
  const files = Object.fromEntries(['tokenizer.json', 'tokenizer_config.json'].map((name) => [name, readFileSync(join(FOLDER, 'bytelevel', name), 'utf8')]))
  let hub: Awaited<ReturnType<typeof hubServer>>
  let home = ''
  beforeAll(async () => {
    hub = await hubServer([
      { type: 'model', name: 'acme/tiny', commit, files, downloads: 10 },
      { type: 'model', name: 'other/tiny', commit, files, downloads: 99 },
      { type: 'model', name: 'other/large-a', commit, files },
      { type: 'model', name: 'other/large-b', commit, files },
      { type: 'model', name: 'acme/gated', commit, files, token: 'secret' },
      { type: 'model', name: 'acme/remote', commit, files: { 'tokenizer_config.json': '{"auto_map": {}}' } },
    ])
  })
  afterAll(() => hub.close())
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'aiperf-hub-'))
    hub.requests.length = 0
    for (const name of ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'HF_HUB_OFFLINE', 'TRANSFORMERS_OFFLINE', 'HF_HUB_CACHE', 'HUGGINGFACE_HUB_CACHE', 'HF_TOKEN_PATH']) vi.stubEnv(name, undefined)
    vi.stubEnv('HF_HOME', home)
    vi.stubEnv('HF_ENDPOINT', `${hub.url}/`)
  })
  const ids = fixture.ids['bytelevel']![45]

  it('are fetched once, into the layout that other programs share', async () => {
    const tokenizer = await make('acme/tiny')
    expect(tokenizer.encode(fixture.strings[45]!)).toEqual(ids)
    const repository = join(home, 'hub/models--acme--tiny')
    expect(readFileSync(join(repository, 'refs/main'), 'utf8')).toBe(commit)
    expect(readlinkSync(join(repository, 'snapshots', commit, 'tokenizer.json'))).toMatch(/^\.\.\/\.\.\/blobs\//)
    const asked = hub.requests.length
    await make('acme/tiny')
    // Files that the repository does not have are asked for again, the others are not.
    expect(hub.requests.slice(asked).filter((path) => !path.includes('chat_template'))).toEqual([])
  })

  it('work offline when they are here, and say what is missing when not', async () => {
    await make('acme/tiny')
    vi.stubEnv('HF_HUB_OFFLINE', '1')
    const asked = hub.requests.length
    expect((await make('acme/tiny')).encode(fixture.strings[45]!)).toEqual(ids)
    expect(hub.requests).toHaveLength(asked)
    const error = await refusal(make('acme/gated'))
    expect(error?.code).toBe('E_TOKENIZER')
    expect(error?.message).toContain(join(home, 'hub'))
    expect(error?.hint).toContain('HF_HUB_OFFLINE')
  })

  it('work offline for a path', async () => {
    vi.stubEnv('HF_HUB_OFFLINE', '1')
    expect((await make(join(FOLDER, 'unigram'))).vocabularySize).toBeGreaterThan(100)
    expect(hub.requests).toEqual([])
  })

  it('without an owner mean the most downloaded model of that name', async () => {
    expect((await make('tiny')).name).toBe('other/tiny')
    const error = await refusal(make('large'))
    expect(error?.message).toContain('other/large-a, other/large-b')
    expect((await refusal(make('nonesuch')))?.message).toContain('nonesuch')
  })

  it('may be pinned to a revision', async () => {
    expect((await make('acme/tiny', { revision: commit })).encode(fixture.strings[45]!)).toEqual(ids)
    expect((await refusal(make('acme/tiny', { revision: 'v9' })))?.message).toMatch(/does not exist at .* or not in this revision/)
  })

  it('need a token where they are gated', async () => {
    const error = await refusal(make('acme/gated'))
    expect(error?.hint).toContain('HF_TOKEN')
    vi.stubEnv('HF_TOKEN', 'secret')
    expect((await make('acme/gated')).encode(fixture.strings[45]!)).toEqual(ids)
  })

  it('never run code of a model', async () => {
    const error = await refusal(make('acme/remote'))
    expect(error?.message).toContain('no tokenizer.json')
    expect(error?.hint).toContain('never run')
  })

  it('are not looked up for what is a path', async () => {
    for (const path of ['./nowhere', '/nowhere/x', '../x', 'a/b/c']) expect((await refusal(make(path)))?.message).toContain(`No tokenizer at "${path}"`)
    expect(hub.requests).toEqual([])
  })

  it('that cannot be reached say where they were looked for', async () => {
    vi.stubEnv('HF_ENDPOINT', 'http://127.0.0.1:9')
    const error = await refusal(make('acme/tiny'))
    expect(error?.message).toContain('http://127.0.0.1:9')
    expect(error?.hint).toContain('HF_ENDPOINT')
  })
})
