import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { hubServer } from '../test/hubServer.js'
import { jsonLines, loadDataset, textOf, type Setting } from '../test/loadDataset.js'
import { parquetOf, type Shape } from '../test/parquet.js'
import { wav } from './media/audio.js'
import { CATALOG } from './public/catalog.js'
import { chooseFiles } from './public/splitFiles.js'
import publicSet from './public-set.js'
import sharegpt from './sharegpt.js'
import specBench from './spec-bench.js'

const COMMIT = 'b'.repeat(40)
const CONVERTED = 'c'.repeat(40)
const MEDIA: Shape = { struct: { bytes: 'bytes', path: 'text' } }
const load = async (name: string, setting: Setting = {}) => loadDataset(publicSet, undefined, { ...setting, name })
const refusal = (loading: Promise<unknown>) => loading.then(() => undefined, (error: Error & { hint?: string }) => error)

const png = await sharp({ create: { width: 3, height: 2, channels: 4, background: '#f00' } }).png().toBuffer()
const clip = (seconds: number) => wav(new Float32Array(8000 * seconds), 8000, 1, 8)
/** The head of a FLAC file of 44,100 Hz and this many samples. */
const flac = (samples: number): Buffer => {
  const bytes = Buffer.alloc(42)
  bytes.write('fLaC', 'latin1')
  bytes.writeUIntBE((44_100 << 4) | 2, 18, 3)
  bytes.writeUInt32BE(samples, 22)
  return bytes
}

let hub: Awaited<ReturnType<typeof hubServer>>
beforeAll(async () => {
  const hosted = (name: string, files: Record<string, string | Uint8Array>, more = {}) => ({ type: 'dataset' as const, name, commit: COMMIT, files, ...more })
  hub = await hubServer([
    hosted('AI-MO/NuminaMath-TIR', {
      'README.md': 'x',
      'data/train-00000-of-00002.parquet': parquetOf({ problem: ['text', ['1+1?', '', '2+2?']], solution: ['text', ['2', 'x', '4']] }),
      'data/train-00001-of-00002.parquet': parquetOf({ problem: ['text', ['3+3?']], solution: ['text', ['6']] }),
      'data/test-00000-of-00001.parquet': parquetOf({ problem: ['text', ['not this']] }),
    }),
    hosted('AI-MO/NuminaMath-CoT', { 'data/train.parquet': parquetOf({ question: ['text', ['x']], answer: ['text', ['y']] }) }),
    hosted('Lin-Chen/MMStar', { 'mmstar.tsv': 'x', 'data/val-00000.parquet': parquetOf({ question: ['text', ['what?']], image: [MEDIA, [{ bytes: png, path: 'a.png' }]] }) }),
    hosted('yale-nlp/MMVU', { 'validation.json': JSON.stringify([{ question: 'Which?', choices: { A: 'one', B: 'two', C: '' }, video: 'https://h/v.mp4' }]) }),
    hosted('lmarena-ai/VisionArena-Chat', {
      'data/train-0.parquet': parquetOf({
        conversation: [{ list: { list: { struct: { role: 'text', content: 'text' } } } }, Array.from({ length: 6 }, (_, at) => [[{ role: 'user', content: `see ${at}` }], [{ role: 'assistant', content: 'yes' }]])],
        images: [{ list: MEDIA }, Array.from({ length: 6 }, () => [{ bytes: png, path: 'a.png' }])],
      }),
    }),
    hosted('lmms-lab/LLaVA-OneVision-Data', {
      'sharegpt4o/train-0.parquet': parquetOf({ conversations: [{ list: { struct: { from: 'text', value: 'text' } } }, [[{ from: 'human', value: '<image>\nDescribe.' }]]], image: [MEDIA, [{ bytes: png, path: null }]] }),
      'other/train-0.parquet': parquetOf({ conversations: ['text', ['wrong']] }),
    }),
    hosted('openai/gsm8k', { 'main/test-0.parquet': parquetOf({ question: ['text', ['main']] }), 'socratic/test-0.parquet': parquetOf({ question: ['text', ['socratic']] }) }),
    hosted('HuggingFaceH4/MATH-500', { 'test.jsonl': jsonLines({ problem: 'p1' }, { problem: 'p2' }) }),
    hosted('HuggingFaceH4/mt_bench_prompts', { 'raw/question.jsonl': jsonLines({ prompt: ['a', 'b'] }), 'data/train-0.parquet': parquetOf({ prompt: [{ list: 'text' }, [['first', 'second']]] }) }),
    hosted('vdaita/edit_5k_char', { 'data/train-0.parquet': parquetOf({ code: ['text', ['x = 1']], change_request: ['text', ['make it 2']] }) }),
    hosted('openslr/librispeech_asr', {
      'clean/test/0000.parquet': parquetOf({ audio: [MEDIA, [{ bytes: clip(2), path: 'a' }, { bytes: clip(31), path: 'b' }, { bytes: flac(44_100 * 3), path: 'c' }]], text: ['text', ['a', 'b', 'c']] }),
    }),
    hosted('kensho/spgispeech', { 'test/test-0.parquet': parquetOf({ audio: [MEDIA, [{ bytes: clip(1), path: 'a' }]] }) }, { token: 'hf_secret' }),
    hosted('likaixin/InstructCoder', { 'train.zip': 'x' }, { converted: { commit: CONVERTED, files: { 'default/train/0000.parquet': parquetOf({ instruction: ['text', ['converted']] }) } } }),
    hosted('anon8231489123/ShareGPT_Vicuna_unfiltered', {
      'ShareGPT_V3_unfiltered_cleaned_split.json': JSON.stringify([{ id: 'x', conversations: [{ from: 'human', value: 'How many days has a week?' }, { from: 'gpt', value: 'A week has seven days.' }] }, { id: 'y', conversations: [] }], null, 2),
    }),
  ])
})
afterAll(() => hub.close())
beforeEach(() => {
  for (const name of ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'HF_HUB_OFFLINE', 'TRANSFORMERS_OFFLINE', 'HF_HUB_CACHE', 'HUGGINGFACE_HUB_CACHE']) vi.stubEnv(name, undefined)
  vi.stubEnv('HF_HOME', mkdtempSync(join(tmpdir(), 'aiperf-public-')))
  vi.stubEnv('HF_ENDPOINT', hub.url)
  hub.requests.length = 0
})

describe('public datasets', () => {
  it('take the prompts of a column from every file of the split', async () => {
    const { sessions, counts } = await load('aimo')
    expect(sessions.map((session) => textOf(session))).toEqual(['1+1?', '2+2?', '3+3?'])
    expect(counts).toMatchObject({ skipped: 1, provenance: [{ dataset: 'AI-MO/NuminaMath-TIR', commit: COMMIT, split: 'train' }] })
    expect(hub.requests.some((path) => path.includes('test-00000'))).toBe(false)
  })

  it('are read from the cache the second time, and offline', async () => {
    await load('aimo')
    vi.stubEnv('HF_HUB_OFFLINE', '1')
    hub.requests.length = 0
    expect((await load('aimo')).sessions).toHaveLength(3)
    expect(hub.requests).toEqual([])
    expect((await refusal(load('mmstar')))?.hint).toContain('HF_HUB_OFFLINE')
  })

  it('may have images, which are sent as JPEG', async () => {
    const [turn] = (await load('mmstar')).sessions[0]!.turns
    const [image] = turn!.images![0]!.contents
    expect(image).toMatch(/^data:image\/jpeg;base64,/)
    expect(await sharp(Buffer.from(image!.split(',')[1]!, 'base64')).metadata()).toMatchObject({ width: 3, height: 2, format: 'jpeg' })
  })

  it('may be questions with choices about a video', async () => {
    const [turn] = (await load('mmvu')).sessions[0]!.turns
    expect(turn).toEqual({ texts: [{ contents: ['Which?\nA. one\nB. two'] }], videos: [{ contents: ['https://h/v.mp4'] }] })
  })

  it('that are large are read as far as entries are asked for', async () => {
    const { sessions } = await load('vision_arena', { entries: 4 })
    expect(sessions.map((session) => textOf(session))).toEqual(['see 0', 'see 1', 'see 2', 'see 3'])
    expect(sessions[0]!.turns[0]!.images![0]!.contents).toHaveLength(1)
  })

  it('take the usual subset, or the one asked for', async () => {
    expect((await load('llava_onevision')).sessions.map((session) => textOf(session))).toEqual(['Describe.'])
    expect((await load('spec_al_gsm8k')).sessions.map((session) => textOf(session))).toEqual(['main'])
    expect((await load('spec_al_gsm8k', { options: { subset: 'socratic' } })).sessions.map((session) => textOf(session))).toEqual(['socratic'])
    expect((await refusal(load('spec_al_gsm8k', { options: { subset: 'nonesuch' } })))?.message).toContain('subset nonesuch, split test')
  })

  it('may be JSON lines, lists of turns, or filled into a template', async () => {
    expect((await load('spec_al_math500')).sessions.map((session) => textOf(session))).toEqual(['p1', 'p2'])
    const [talk] = (await load('spec_al_mtbench')).sessions
    expect(talk!.turns.map((_, at) => textOf(talk!, at))).toEqual(['first', 'second'])
    const text = textOf((await load('blazedit_5k')).sessions[0]!)
    expect(text).toContain('make it 2')
    expect(text).toContain('x = 1')
  })

  it('are taken from the Parquet of the hub when they have no tables of their own', async () => {
    const { sessions, counts } = await load('instruct_coder')
    expect(sessions.map((session) => textOf(session))).toEqual(['converted'])
    expect(counts.provenance).toMatchObject([{ revision: 'refs/convert/parquet', commit: CONVERTED }])
  })

  it('may be speech of up to 30 seconds', async () => {
    const { sessions, counts } = await load('librispeech')
    expect(sessions.map(({ turns: [turn] }) => [turn!.audios![0]!.contents[0]!.split(',')[0], turn!.audioSeconds])).toEqual([['wav', 2], ['flac', 3]])
    expect(counts.reasons).toEqual({ 'speech of more than 30 s': 1 })
  })

  it('that are gated need a token', async () => {
    expect((await refusal(load('spgispeech')))?.hint).toContain('HF_TOKEN')
    vi.stubEnv('HF_TOKEN', 'hf_secret')
    expect((await load('spgispeech')).sessions).toHaveLength(1)
  })

  it('take the output length that is asked for', async () => {
    const { sessions } = await load('aimo', { options: { prompts: { osl: { mean: 12 } } } })
    expect(sessions.map((session) => session.turns[0]!.maxTokens)).toEqual([12, 12, 12])
  })

  it('name the columns there are when one is missing', async () => {
    expect((await refusal(load('aimo_numina_cot')))?.message).toContain('no column problem: it has question, answer')
  })

  it('are all in the manifest', async () => {
    const { default: manifest } = (await import('../package.json', { with: { type: 'json' } })) as { default: { aiperf: { contributes: { dataset_loader: Record<string, { entry: string }> } } } }
    const named = Object.entries(manifest.aiperf.contributes.dataset_loader).filter(([, { entry }]) => entry.endsWith('/public-set.js'))
    expect(named.map(([name]) => name).sort()).toEqual(Object.keys(CATALOG).sort())
  })
})

describe('files of a split', () => {
  it.each([
    [['data/train-0.parquet', 'data/test-0.parquet'], { split: 'train' }, ['data/train-0.parquet']],
    [['a/train-0.parquet', 'b/train-0.parquet'], { split: 'train', subset: 'b' }, ['b/train-0.parquet']],
    [['train.jsonl', 'train.parquet'], { split: 'train' }, ['train.parquet']],
    [['clean/test/0000.parquet', 'clean/train.100/0000.parquet', 'other/test/0000.parquet'], { split: 'test', subset: 'clean' }, ['clean/test/0000.parquet']],
    [['default/partial-train/0000.parquet'], { split: 'train' }, ['default/partial-train/0000.parquet']],
    [['retrain.jsonl', 'data/strain-0.parquet', 'notes.md'], { split: 'train' }, []],
    [['xs/train-0.parquet'], { split: 'train' }, ['xs/train-0.parquet']],
  ])('of %j for %j are %j', (paths, set, expected) => {
    expect(chooseFiles(paths, set)).toEqual(expected)
  })
})

describe('sets from files', () => {
  it('ShareGPT is downloaded when no file is given', async () => {
    const { sessions, counts } = await loadDataset(sharegpt, undefined)
    expect(sessions.map((session) => session.id)).toEqual(['x'])
    expect(counts).toMatchObject({ skipped: 1, provenance: [{ commit: COMMIT }] })
  })

  it('Spec-Bench is fetched once', async () => {
    let asked = 0
    const server = createServer((request, response) => {
      asked++
      response.writeHead(request.url!.endsWith('/data/spec_bench/question.jsonl') ? 200 : 404)
      response.end(jsonLines({ question_id: 1, turns: ['a', 'b'] }, { question_id: 2, turns: ['c'] }))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    try {
      vi.stubEnv('AIPERF_GITHUB_RAW_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      vi.stubEnv('AIPERF_CACHE_DIR', mkdtempSync(join(tmpdir(), 'aiperf-cache-')))
      for (let run = 0; run < 2; run++) {
        const { sessions, counts } = await loadDataset(specBench, undefined)
        expect(sessions.map((session) => textOf(session))).toEqual(['a', 'c'])
        expect(counts.provenance[0]).toHaveProperty('sha256')
      }
      expect(asked).toBe(1)
    } finally {
      server.close()
    }
  })
})
