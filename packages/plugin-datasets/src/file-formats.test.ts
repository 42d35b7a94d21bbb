import { gzipSync } from 'node:zlib'
import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Table, tableToIPC, Utf8, vectorFromArray, type Vector } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { detects, fileOf, jsonLines, loadDataset, textOf, tokenizer } from '../test/loadDataset.js'
import bailian from './bailian-trace.js'
import baseten from './baseten-trace.js'
import burstGpt from './burst-gpt-trace.js'
import inputsJson from './inputs-json.js'
import mooncake from './mooncake-trace.js'
import multiTurn from './multi-turn.js'
import randomPool from './random-pool.js'
import rawPayload from './raw-payload.js'
import sagemaker from './sagemaker-data-capture.js'
import sharegpt from './sharegpt.js'
import singleTurn from './single-turn.js'
import speedBench from './speed-bench.js'

const folder = () => mkdtempSync(join(tmpdir(), 'aiperf-dataset-'))
const texts = (values: string[]) => vectorFromArray(values, new Utf8())
/** An Arrow file of these columns. */
const arrowOf = (columns: Record<string, Vector>) => tableToIPC(new Table(columns), 'file')
const refusal = (loading: Promise<unknown>) => loading.then(() => '', (error: Error) => error.message)

describe('detection', () => {
  const rows = {
    single_turn: fileOf('a.jsonl', jsonLines({ text: 'x' })),
    multi_turn: fileOf('b.jsonl', jsonLines({ turns: [{ text: 'x' }] })),
    mooncake_trace: fileOf('c.jsonl', jsonLines({ input_length: 5, timestamp: 0 })),
    'mooncake_trace (messages)': fileOf('c2.jsonl', jsonLines({ messages: [{ role: 'user', content: 'x' }], timestamp: 0, output_length: 3 })),
    bailian_trace: fileOf('d.jsonl', jsonLines({ chat_id: 1, parent_chat_id: -1, timestamp: 0, input_length: 3, output_length: 3, hash_ids: [1] })),
    raw_payload: fileOf('e.jsonl', jsonLines({ model: 'm', messages: [{ role: 'user', content: 'x' }], max_tokens: 5 })),
    inputs_json: fileOf('inputs.json', JSON.stringify({ data: [{ session_id: 's', payloads: [{ prompt: 'x' }] }] }, null, 2)),
    sagemaker_data_capture: fileOf('g.jsonl', jsonLines({ captureData: {}, eventMetadata: {} })),
    burst_gpt_trace: fileOf('h.csv', 'Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n'),
    'single_turn (CSV)': fileOf('j.csv', 'text,output_length\n"a, b",3\n'),
    'mooncake_trace (TSV)': fileOf('k.tsv', 'timestamp\tinput_length\n0\t30\n'),
    sharegpt: fileOf('i.json', JSON.stringify([{ id: 'a', conversations: [] }], null, 1)),
    speed_bench_qualitative: fileOf('qualitative.jsonl', jsonLines({ question_id: 'q', category: 'math', messages: [{ role: 'user', content: 'x' }] })),
  }
  const loaders: Record<string, unknown> = {
    single_turn: singleTurn, multi_turn: multiTurn, mooncake_trace: mooncake, bailian_trace: bailian, raw_payload: rawPayload, inputs_json: inputsJson,
    sagemaker_data_capture: sagemaker, burst_gpt_trace: burstGpt, sharegpt, speed_bench_qualitative: speedBench, baseten_trace: baseten, random_pool: randomPool,
  }
  const folders = {
    random_pool: { 'a.jsonl': jsonLines({ text: 'x' }), 'b.jsonl': jsonLines({ image: 'http://h/a.png' }) },
    raw_payload: { 'a.jsonl': jsonLines({ messages: [] }), 'b.jsonl': jsonLines({ messages: [], model: 'm' }) },
    sagemaker_data_capture: { 'a.jsonl': jsonLines({ captureData: {}, eventMetadata: {} }) },
    nothing: { 'notes.txt': 'x' },
  }
  it.each(Object.entries(folders))('a folder of %s is told from all others', async (name, files) => {
    const root = folder()
    for (const [file, content] of Object.entries(files)) writeFileSync(join(root, file), content)
    const found: string[] = []
    for (const [type, loader] of Object.entries(loaders)) if (await detects(loader, root, type)) found.push(type)
    expect(found).toEqual(name === 'nothing' ? [] : [name])
  })

  it.each(Object.entries(rows))('%s is told from all others', async (name, path) => {
    const found: string[] = []
    for (const [type, loader] of Object.entries(loaders)) if (await detects(loader, path, type)) found.push(type)
    expect(found).toEqual([name.split(' ')[0]])
  })
})

describe('single_turn', () => {
  it('keeps rows of one session in file order, each for itself', async () => {
    const path = fileOf('x.jsonl', jsonLines({ text: 'a', session_id: 's' }, { text: 'b' }, { text: 'c', session_id: 's', delay: 5, output_length: 9, extra: { temperature: 0 }, role: 'user' }))
    const { sessions } = await loadDataset(singleTurn, path)
    expect(sessions.map((session) => session.turns.map((turn) => turn.texts![0]!.contents[0]))).toEqual([['a', 'c'], ['b']])
    expect(sessions[0]).toMatchObject({ id: 's', contextMode: 'message_array_with_responses' })
    expect(sessions[0]!.turns[1]).toMatchObject({ delayMs: 5, maxTokens: 9, extraBody: { temperature: 0 }, role: 'user' })
  })

  it('reads media beside the dataset file, and keeps URLs and inline data', async () => {
    const path = fileOf('x.jsonl', jsonLines({ text: 'look', images: ['cat.png', 'http://h/i.jpg', 'data:image/png;base64,AA=='], audio: 'wav,AAAA' }))
    writeFileSync(join(path, '../cat.png'), 'not really')
    const { sessions } = await loadDataset(singleTurn, path)
    const [turn] = sessions[0]!.turns
    expect(turn!.images![0]!.contents).toEqual([`data:image/png;base64,${Buffer.from('not really').toString('base64')}`, 'http://h/i.jpg', 'data:image/png;base64,AA=='])
    expect(turn!.audios![0]!.contents).toEqual(['wav,AAAA'])
  })

  it.each([
    [{ image: 'gone.png' }, 'gone.png'],
    [{ image: 'http://' }, 'scheme and host'],
    [{ texts: [] }, 'texts: expected at least one'],
    [{ text: '' }, 'text: expected a text that is not empty'],
    [{ text: 5 }, 'text: expected a text, got 5'],
    [{ text: 'a', timestamp: 1, delay: 1 }, 'timestamp or delay'],
    [{ text: 'a', output_length: 0 }, 'output_length: expected a whole number of tokens of at least 1, got 0'],
    [{ text: 'a', output_length: 2.5 }, 'output_length'],
    [{ text: 'a', timestamp: -1 }, 'timestamp'],
    [{ text: 'a', extra: [1] }, 'extra: expected an object, got an array'],
    [{ session_id: 's' }, 'at least one of text'],
    [{ images: ['http://h/a.png'], image_uuids: ['1', '2'] }, 'image_uuids'],
  ])('%j is refused by line and field', async (row, words) => {
    const message = await refusal(loadDataset(singleTurn, fileOf('x.jsonl', jsonLines({ text: 'ok' }, row))))
    expect(message).toContain('x.jsonl, line 2: ')
    expect(message).toContain(words)
  })

  it('lists all bad lines at once, or counts them', async () => {
    const path = fileOf('x.jsonl', `{"text": "a"}\n[1]\n{"text": 1}\n"x"\n{"text": "b"}\nnull\n`)
    expect((await refusal(loadDataset(singleTurn, path))).split('\n').map((line) => /line (\d+)/.exec(line)![1])).toEqual(['2', '3', '4', '6'])
    const { sessions, counts } = await loadDataset(singleTurn, path, { onBadLine: 'skip' })
    expect([sessions.length, counts.bad]).toEqual([2, 4])
  })

  it('says which key was probably meant', async () => {
    const { counts } = await loadDataset(singleTurn, fileOf('x.jsonl', jsonLines({ text: 'a', ouput_length: 4 }, { text: 'b', ouput_length: 4 })))
    expect(counts.warnings).toEqual([expect.stringMatching(/"ouput_length".*did you mean "output_length"/)])
  })
})

describe('one set of rows in every format', () => {
  const rows = [{ text: 'a, "b"\nc', output_length: 3 }, { text: 'ü 漢', output_length: 4 }]
  const csv = 'text,output_length\r\n"a, ""b""\nc",3\r\n\r\nü 漢,4\r\n'
  const arrow = arrowOf({ text: texts(rows.map((row) => row.text)), output_length: vectorFromArray([3, 4]) })
  it.each([
    ['x.jsonl', jsonLines(...rows)],
    ['x.jsonl.gz', gzipSync(jsonLines(...rows))],
    ['x.json', JSON.stringify(rows, null, 2)],
    ['x.csv', `\ufeff${csv}`],
    ['x.csv.gz', gzipSync(csv)],
    ['x.tsv', csv.replace('text,output', 'text\toutput').replace('",3', '"\t3').replace('漢,4', '漢\t4')],
    ['x.arrow', arrow],
  ])('%s', async (name, content) => {
    const { sessions } = await loadDataset(singleTurn, fileOf(name, content))
    expect(sessions.map((session) => ({ text: textOf(session), output_length: session.turns[0]!.maxTokens }))).toEqual(rows)
  })

  it('zstd', async () => {
    // A frame with one raw block, as RFC 8878 describes it: magic, single-segment header, content size, block.
    const text = Buffer.from(jsonLines(...rows))
    const block = Buffer.from([0, 0, 0])
    block.writeUIntLE((text.length << 3) | 1, 0, 3)
    const frame = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, text.length]), block, text])
    const { sessions } = await loadDataset(singleTurn, fileOf('x.jsonl.zst', frame))
    expect(sessions.map((session) => textOf(session))).toEqual(rows.map((row) => row.text))
  })

  it('lines end as text files of any system do', async () => {
    const { sessions } = await loadDataset(singleTurn, fileOf('x.jsonl', jsonLines(...rows).replaceAll('\n', '\r')))
    expect(sessions.map((session) => textOf(session))).toEqual(rows.map((row) => row.text))
    expect(await detects(singleTurn, fileOf('x.jsonl', jsonLines(...rows).replaceAll('\n', '\r')), 'single_turn')).toBe(true)
    expect(await refusal(loadDataset(singleTurn, fileOf('x.jsonl', '{"text": "a"}\r\r{"text": 1}\r\n{"text": "b"}\r[1]\r')))).toMatch(/line 3: text.*\n.*line 5: expected a JSON object/)
  })

  it.each(['single_turn', undefined])('UTF-16 is refused, and how to convert it said (type %s)', async (type) => {
    const path = fileOf('x.jsonl', Buffer.from(`\ufeff${jsonLines(...rows)}`, 'utf16le'))
    const reading = type === undefined ? detects(singleTurn, path, 'single_turn') : loadDataset(singleTurn, path)
    await expect(reading).rejects.toMatchObject({ message: expect.stringContaining('is UTF-16 text, expected UTF-8'), hint: expect.stringContaining('iconv -f UTF-16') })
  })

  it('CSV names the physical line of a record', async () => {
    const message = await refusal(loadDataset(singleTurn, fileOf('x.csv', 'text,output_length\n"a\nb",1\nc,zero\nd\n')))
    expect(message.split('\n')).toEqual([expect.stringContaining('line 4: output_length'), expect.stringContaining('line 5: expected 2 cells')])
  })

  it('JSON names the physical line of an element', async () => {
    const message = await refusal(loadDataset(singleTurn, fileOf('x.json', '[\n  {"text": "a"},\n\n  {\n    "text": 7\n  }\n]')))
    expect(message).toContain('line 4: text')
  })

  it('records of a config file are numbered', async () => {
    const message = await refusal(loadDataset(singleTurn, undefined, { records: [{ text: 'a' }, { text: 2 }] }))
    expect(message).toContain('inline records, line 2: text')
  })
})

describe('multi_turn', () => {
  it('continues a conversation on later lines', async () => {
    const path = fileOf('x.jsonl', jsonLines({ session_id: 's', turns: [{ text: 'a' }] }, { turns: [{ text: 'x' }] }, { session_id: 's', turns: [{ text: 'b', delay: 5 }] }))
    const { sessions } = await loadDataset(multiTurn, path)
    expect(sessions.map((session) => [session.id === 's', session.turns.length])).toEqual([[true, 2], [false, 1]])
    expect(sessions[0]!.contextMode).toBeUndefined()
  })

  it('makes a leading system turn the system message, where the endpoint has one', async () => {
    const path = fileOf('x.jsonl', jsonLines(
      { turns: [{ role: 'system', text: 'Be brief.' }, { text: 'Q' }] },
      { turns: [{ role: 'system', text: 'alone' }] },
      { turns: [{ role: 'system', text: 'one' }, { role: 'system', text: 'two' }, { text: 'Q' }] },
      { turns: [{ role: 'system', text: 'limited', output_length: 4 }, { text: 'Q' }] },
    ))
    const { sessions } = await loadDataset(multiTurn, path)
    expect(sessions.map((session) => [session.system, session.turns.length])).toEqual([['Be brief.', 1], [undefined, 1], [undefined, 3], [undefined, 2]])
    const plain = await loadDataset(multiTurn, path, { endpoint: { consumesSystemMessage: false } })
    expect(plain.sessions[0]!.turns).toHaveLength(2)
  })

  it('names the turn that is wrong', async () => {
    const message = await refusal(loadDataset(multiTurn, fileOf('x.jsonl', jsonLines({ turns: [{ text: 'a' }, { texts: ['b'], text: 'c' }] }))))
    expect(message).toContain('line 1: turns[1]: expected text or texts, got both')
  })
})

describe('mooncake_trace', () => {
  it.each([
    [{ input_length: 5, hash_ids: [1, 'x'] }, 'hash_ids[1]'],
    [{ input_length: 5.5 }, 'input_length'],
    [{ input_length: 0 }, 'input_length'],
    [{ text_input: 'x', hash_ids: [1] }, 'hash_ids: expected only beside input_length'],
    [{ messages: [] }, 'messages: expected at least one'],
    [{ messages: [{ content: 'x' }] }, 'messages[0].role'],
    [{ payload: {} }, 'payload'],
    [{ timestamp: 'soon', input_length: 3 }, 'timestamp: expected a time of 0 or more, ms, got "soon"'],
    [{ delay: -1, input_length: 3 }, 'delay'],
    [{ output_length: true, input_length: 3 }, 'output_length'],
    [{ timestamp: 5 }, 'exactly one of input_length, text_input, messages, payload, got none'],
  ])('%j is refused by line and field', async (row, words) => {
    const message = await refusal(loadDataset(mooncake, fileOf('x.jsonl', jsonLines({ input_length: 3 }, row))))
    expect(message).toContain('line 2: ')
    expect(message).toContain(words)
  })

  it('keeps 64-bit ids apart that differ in the last digit', async () => {
    const path = fileOf('x.jsonl', '{"input_length": 512, "hash_ids": [18446744073709551615]}\n{"input_length": 512, "hash_ids": [18446744073709551614]}\n{"input_length": 512, "hash_ids": [18446744073709551615]}\n')
    const { sessions } = await loadDataset(mooncake, path)
    const [first, second, third] = sessions.map((session) => textOf(session))
    expect(first).not.toBe(second)
    expect(first).toBe(third)
    const ids = sessions.map((session) => session.turns[0]!.hashIds![0])
    expect(ids[0]).toBe(ids[2])
    expect(ids[0]).not.toBe(ids[1])
  })

  it('leaves digits inside texts alone', async () => {
    const { sessions } = await loadDataset(mooncake, fileOf('x.jsonl', '{"text_input": "pi \\" 31415926535897932384", "timestamp": 1760000000000123}\n'))
    expect(textOf(sessions[0]!)).toBe('pi " 31415926535897932384')
    expect(sessions[0]!.turns[0]!.timestampMs).toBe(1760000000000123)
  })

  it('sends messages and payloads as they stand, and no session mixes them', async () => {
    const rows = [
      { session_id: 'u', messages: [{ role: 'user', content: 'go' }], tools: [{ type: 'function' }], output_length: 30 },
      { payload: { prompt: 'p', max_tokens: 3 } },
      { session_id: 'u', input_length: 5 },
    ]
    const { sessions, counts } = await loadDataset(mooncake, fileOf('x.jsonl', jsonLines(...rows)), { onBadLine: 'skip' })
    expect(sessions[0]).toMatchObject({ id: 'u', contextMode: 'message_array_with_responses', turns: [{ rawMessages: rows[0]!.messages, rawTools: rows[0]!.tools, maxTokens: 30 }] })
    expect(sessions[1]!.turns).toEqual([{ rawPayload: { prompt: 'p', max_tokens: 3 } }])
    expect(counts.firstBad).toEqual([expect.stringContaining('line 3: session_id')])
  })

  it('fills up what the hash ids do not stand for, and says so', async () => {
    const { sessions, counts } = await loadDataset(mooncake, fileOf('x.jsonl', jsonLines({ input_length: 600, hash_ids: [1] }, { input_length: 700, hash_ids: [1] })))
    expect(sessions.map((session) => tokenizer().count(textOf(session)))).toEqual([600, 700])
    expect(counts.warnings).toEqual([expect.stringContaining('hash_ids stand for fewer tokens')])
  })

  it('takes the block size that is asked for', async () => {
    const path = fileOf('x.jsonl', jsonLines({ input_length: 30, hash_ids: [1, 2] }, { input_length: 16, hash_ids: [1] }))
    const { sessions } = await loadDataset(mooncake, path, { options: { prompts: { blockSize: 16 } } })
    expect(textOf(sessions[0]!).startsWith(textOf(sessions[1]!))).toBe(true)
    expect(sessions[0]!.turns[0]!.blockSize).toBe(16)
  })

  it('reads lengths as those of the whole context when told so', async () => {
    const path = fileOf('x.jsonl', jsonLines({ session_id: 'a', input_length: 600, hash_ids: [1, 2] }, { session_id: 'a', input_length: 1100, hash_ids: [1, 2, 3] }))
    const { sessions } = await loadDataset(mooncake, path, { options: { traceContext: 'cumulative' } })
    expect(sessions[0]!.contextMode).toBe('message_array_with_responses')
    expect(textOf(sessions[0]!, 1).startsWith(textOf(sessions[0]!, 0))).toBe(true)
  })

  it('needs no tokenizer for texts and messages', async () => {
    const path = fileOf('x.jsonl', jsonLines({ text_input: 'a' }, { messages: [{ role: 'user', content: 'x' }] }))
    const broken = new Proxy({}, { get: () => { throw new Error('asked for the tokenizer') } })
    expect((await loadDataset(mooncake, path, { tokenizer: broken as never })).sessions).toHaveLength(2)
  })
})

describe('bailian_trace', () => {
  const row = (chat: number, parent: number, seconds: number, turn: number, ids: number[]) => ({ chat_id: chat, parent_chat_id: parent, timestamp: seconds, input_length: ids.length * 16, output_length: 5, type: 'text', turn, hash_ids: ids })
  it('chains requests to conversations, with times in ms and prompts that grow', async () => {
    const path = fileOf('x.jsonl', jsonLines(row(11, -1, 3.2, 1, [5, 6]), row(20, -1, 3.3, 1, [9]), row(13, 12, 20, 3, [5, 6, 7, 8]), row(12, 11, 9.001, 2, [5, 6, 7]), row(30, 999, 4, 2, [1])))
    const { sessions } = await loadDataset(bailian, path, { fixedSchedule: true })
    expect(sessions.map((session) => [session.id, session.turns.map((turn) => turn.timestampMs)])).toEqual([['11', [3200, 9001, 20_000]], ['20', [3300]], ['30', [4000]]])
    const texts = sessions[0]!.turns.map((_, at) => textOf(sessions[0]!, at))
    expect(texts[2]!.startsWith(texts[1]!) && texts[1]!.startsWith(texts[0]!)).toBe(true)
    expect(texts.map((text) => tokenizer().count(text))).toEqual([32, 48, 64])
    expect(sessions[0]!.contextMode).toBe('message_array_with_responses')
  })

  it('ends at a loop of parents', async () => {
    const { sessions } = await loadDataset(bailian, fileOf('x.jsonl', jsonLines(row(1, 2, 0, 1, [1]), row(2, 1, 1, 2, [1, 2]))))
    expect(sessions.flatMap((session) => session.turns)).toHaveLength(2)
  })
})

describe('burst_gpt_trace', () => {
  const header = 'Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n'
  it('makes a request of each row, and counts those that had failed', async () => {
    const { sessions, counts } = await loadDataset(burstGpt, fileOf('x.csv', `${header}5,ChatGPT,31,18,49,API log\n45.5,GPT-4,10,0,10,API log\n118,GPT-4,20,7,27,"Conversation, log"\n`))
    expect(sessions.map(({ turns: [turn] }) => [turn!.timestampMs, turn!.inputTokens, turn!.maxTokens])).toEqual([[5000, 31, 18], [118_000, 20, 7]])
    expect(tokenizer().count(textOf(sessions[0]!))).toBe(31)
    expect(counts.skipped).toBe(1)
  })

  it('does not lose bad rows in silence', async () => {
    expect(await refusal(loadDataset(burstGpt, fileOf('x.csv', `${header}5,m,many,18,49,x\n`)))).toContain('line 2: Request tokens: expected')
    expect(await refusal(loadDataset(burstGpt, fileOf('x.csv', 'time,in,out\n1,2,3\n')))).toContain('Timestamp, Request tokens, Response tokens')
  })
})

describe('baseten_trace', () => {
  const table = (extra: Record<string, Vector> = {}) =>
    fileOf('trace.arrow', arrowOf({
      timestamp_start_unix_ms: vectorFromArray(BigInt64Array.from([1_700_000_000_500n, 1_700_000_000_000n, 1_700_000_004_000n])),
      prompt: texts(['second', 'first', 'third']),
      input_tokens: vectorFromArray(Int32Array.from([9, 12, 7])),
      output_tokens: vectorFromArray(Int32Array.from([0, 40, 8])),
      provided_session_id: texts(['s', 's', 't']),
      duration_e2e_ms: vectorFromArray(Float64Array.from([10, 100, 10])),
      ...extra,
    }))
  const turnsOf = async (options: Record<string, unknown> = {}) => (await loadDataset(baseten, table(), { options: options as never })).sessions.map((session) => session.turns)

  it('replays literal prompts in the order of their times, from 0 on', async () => {
    const path = table()
    expect(await detects(baseten, path)).toBe(true)
    const { sessions } = await loadDataset(baseten, path)
    expect(sessions.map((session) => session.turns.map((turn) => [turn.texts![0]!.contents[0], turn.timestampMs, turn.maxTokens, turn.extraBody]))).toEqual([
      [['first', 0, 40, { min_tokens: 40 }], ['second', 500, 1, { min_tokens: 1 }]],
      [['third', 4000, 8, { min_tokens: 8 }]],
    ])
  })

  it('waits the recorded think time when the loop is closed', async () => {
    const [first] = await turnsOf({ openLoopReplay: false })
    expect(first!.map((turn) => [turn.timestampMs, turn.delayMs])).toEqual([[0, undefined], [undefined, 400]])
  })

  it('splits, speeds up and shortens as asked', async () => {
    expect((await turnsOf({ openLoopStrict: true })).map((turns) => turns[0]!.timestampMs)).toEqual([0, 500, 4000])
    expect((await turnsOf({ replaySpeedup: 2 })).flat().map((turn) => turn.timestampMs)).toEqual([0, 250, 2000])
    expect((await turnsOf({ maxIdleGapCapSeconds: 1 })).flat().map((turn) => turn.timestampMs)).toEqual([0, 500, 1500])
    expect((await turnsOf({ forceMinTokens: false })).flat().every((turn) => turn.extraBody!['min_tokens'] === undefined)).toBe(true)
    await expect(turnsOf({ openLoopStrict: true, openLoopReplay: false })).rejects.toThrow('--open-loop-strict')
  })

  it('passes hash ids on', async () => {
    const path = table({ total_hashes: vectorFromArray([[1, 2], [1], [3]]), block_size: vectorFromArray([64, 64, 64]) })
    const { sessions } = await loadDataset(baseten, path)
    expect(sessions[0]!.turns[1]).toMatchObject({ hashIds: [1, 2], blockSize: 64, extraBody: { hash_ids: [1, 2], block_size: 64 } })
    const plain = await loadDataset(baseten, path, { options: { omitKvHints: true } })
    expect(plain.sessions[0]!.turns[1]!.extraBody).toEqual({ min_tokens: 1 })
  })

  it('keeps whole sessions of a sample', async () => {
    const ids = Array.from({ length: 400 }, (_, at) => `s${at % 100}`)
    const ones = () => vectorFromArray(new Int32Array(400).fill(1))
    const path = fileOf('big.arrow', arrowOf({
      timestamp_start_unix_ms: vectorFromArray(Float64Array.from(ids.keys())), prompt: texts(ids), input_tokens: ones(), output_tokens: ones(), provided_session_id: texts(ids),
    }))
    const { sessions } = await loadDataset(baseten, path, { options: { traceSessionSampleRatio: 0.3 } })
    expect(sessions.every((session) => session.turns.length === 4)).toBe(true)
    expect(sessions.length).toBeGreaterThan(15)
    expect(sessions.length).toBeLessThan(48)
  })
})

describe('sagemaker_data_capture', () => {
  const event = (id: string, time: string, body: object, encoding = 'JSON', output?: object) => ({
    captureData: {
      endpointInput: { data: encoding === 'JSON' ? JSON.stringify(body) : Buffer.from(JSON.stringify(body)).toString('base64'), ...(encoding === 'JSON' ? { encoding } : {}) },
      ...(output ? { endpointOutput: { data: JSON.stringify(output), encoding: 'JSON' } } : {}),
    },
    eventMetadata: { eventId: id, inferenceTime: time },
  })
  const messages = [{ role: 'user', content: 'hi' }]

  it('sends what was captured at the distances it came at, whatever the file', async () => {
    const root = folder()
    mkdirSync(join(root, '2025/01'), { recursive: true })
    writeFileSync(join(root, '2025/01/b.jsonl'), jsonLines(event('e2', '2025-01-01T00:00:01.500Z', { messages, max_completion_tokens: 4 }, 'BASE64')))
    writeFileSync(join(root, 'a.jsonl'), jsonLines(event('e3', '2025-01-01T00:00:09Z', { messages }), event('e1', '2025-01-01T00:00:00Z', { messages, max_tokens: 8, tools: [{}] }, 'JSON', { usage: { prompt_tokens: 77 } })))
    const { sessions } = await loadDataset(sagemaker, root)
    expect(sessions.map((session) => [session.id, session.turns[0]!.timestampMs, session.turns[0]!.maxTokens])).toEqual([['e1', 0, 8], ['e2', 1500, 4], ['e3', 9000, undefined]])
    expect(sessions[0]!.turns[0]).toMatchObject({ rawMessages: messages, rawTools: [{}], inputTokens: 77 })
  })

  it('names the event that is wrong', async () => {
    const message = await refusal(loadDataset(sagemaker, fileOf('x.jsonl', jsonLines(event('e9', '2025-01-01T00:00:00Z', { prompt: 'x' }), event('e8', 'soon', { messages })))))
    expect(message).toContain('line 1: event e9: messages')
    expect(message).toContain('line 2: event e8: eventMetadata.inferenceTime')
  })
})

describe('raw_payload and inputs_json', () => {
  it('send bodies as they are', async () => {
    const bodies = [{ model: 'm', messages: [{ role: 'user', content: 'x' }] }, { messages: [], stream: true }]
    const { sessions, counts } = await loadDataset(rawPayload, fileOf('x.jsonl', jsonLines(...bodies)))
    expect(sessions.map((session) => session.turns)).toEqual(bodies.map((rawPayload) => [{ rawPayload }]))
    expect(counts.warnings).toHaveLength(1)
    expect(await refusal(loadDataset(rawPayload, fileOf('x.jsonl', jsonLines({ prompt: 'x' }))))).toContain('line 1: messages')
  })

  it('make a conversation of each file of a folder', async () => {
    const root = folder()
    writeFileSync(join(root, 'b.jsonl'), jsonLines({ messages: [] }, { messages: [1] }))
    writeFileSync(join(root, 'a.jsonl'), jsonLines({ messages: [] }))
    const { sessions } = await loadDataset(rawPayload, root)
    expect(sessions.map((session) => [session.id, session.turns.length])).toEqual([['a', 1], ['b', 2]])
  })

  it('read the sessions of an earlier run', async () => {
    const data = [{ session_id: 's1', payloads: [{ messages: [] }, { messages: [] }] }, { session_id: 's2', payloads: [{ prompt: 'z' }] }]
    const { sessions } = await loadDataset(inputsJson, fileOf('inputs.json', JSON.stringify({ data }, null, 2)))
    expect(sessions.map((session) => [session.id, session.turns.length])).toEqual([['s1', 2], ['s2', 1]])
    const message = await refusal(loadDataset(inputsJson, fileOf('inputs.json', JSON.stringify({ data: [data[0], data[0], { session_id: 'x', payloads: [] }] }))))
    expect(message).toContain('data[1].session_id: "s1" was there before')
    expect(message).toContain('data[2].payloads')
    expect(await refusal(loadDataset(inputsJson, fileOf('inputs.json', '{"data": [}')))).toContain('invalid JSON')
  })
})

describe('random_pool', () => {
  it('draws as many requests as asked for', async () => {
    const path = fileOf('pool.jsonl', jsonLines({ text: 'a' }, { text: 'b' }, { text: 'c' }))
    const { sessions } = await loadDataset(randomPool, path, { entries: 60 })
    expect(sessions).toHaveLength(60)
    expect(new Set(sessions.map((session) => textOf(session)))).toEqual(new Set(['a', 'b', 'c']))
    expect((await loadDataset(randomPool, path, { entries: 20 })).sessions).toEqual(sessions.slice(0, 20))
  })

  it('puts one draw of each file together, named after the files', async () => {
    const root = folder()
    writeFileSync(join(root, 'query.jsonl'), jsonLines({ text: 'q1' }, { text: 'q2' }))
    writeFileSync(join(root, 'passages.jsonl'), jsonLines({ texts: ['p1', 'p2'] }))
    const { sessions } = await loadDataset(randomPool, root, { entries: 5 })
    for (const { turns } of sessions) expect(turns[0]!.texts).toEqual([{ name: 'passages', contents: ['p1', 'p2'] }, { name: 'query', contents: [expect.stringMatching(/^q[12]$/)] }])
  })

  it('draws each kind of content by itself with a batch size', async () => {
    const path = fileOf('pool.jsonl', jsonLines({ text: 'a', image: 'http://h/1.png' }, { text: 'b', image: 'http://h/2.png' }))
    const { sessions } = await loadDataset(randomPool, path, { entries: 30, options: { prompts: { batchSize: 3 } } })
    expect(sessions.every(({ turns: [turn] }) => turn!.texts![0]!.contents.length === 3 && turn!.images![0]!.contents.length === 1)).toBe(true)
    expect(new Set(sessions.map(({ turns: [turn] }) => turn!.texts![0]!.contents[0]! + turn!.images![0]!.contents[0]!)).size).toBe(4)
  })
})

describe('speed_bench', () => {
  const question = (category: string, ...contents: string[]) => ({ question_id: `${category}${contents.length}`.padEnd(32, '0'), category, messages: contents.map((content) => ({ role: 'user', content })) })
  const path = fileOf('qualitative.jsonl', jsonLines(question('math', '1+1?', 'and 2+2?'), question('coding', 'sort')))

  it('makes a turn of each message, of all categories or one', async () => {
    const { sessions } = await loadDataset(speedBench, path, { name: 'speed_bench_qualitative' })
    expect(sessions.map((session) => session.turns.length)).toEqual([2, 1])
    const math = await loadDataset(speedBench, path, { name: 'speed_bench_math' })
    expect([math.sessions.length, math.counts.skipped]).toEqual([1, 1])
    const low = fileOf('throughput_1k.jsonl', jsonLines(question('low_entropy', 'x'), question('mixed', 'y')))
    expect((await loadDataset(speedBench, low, { name: 'speed_bench_throughput_1k_low_entropy' })).sessions).toHaveLength(1)
    expect((await loadDataset(speedBench, low, { name: 'speed_bench_throughput_1k' })).sessions).toHaveLength(2)
  })

  it('refuses the placeholders of the published file', async () => {
    const file = fileOf('qualitative.jsonl', jsonLines(question('math', 'FULL BENCHMARK DATA SHOULD BE FETCHED FROM THE SOURCE')))
    expect(await refusal(loadDataset(speedBench, file, { name: 'speed_bench_qualitative' }))).toContain('placeholder')
  })
})

describe('sharegpt', () => {
  it('keeps every question that has an answer, and counts what has none', async () => {
    const path = join(import.meta.dirname, '../test/traces/sharegpt-dirty.json')
    const { sessions, counts } = await loadDataset(sharegpt, path)
    expect(sessions.map((session) => session.turns.length)).toEqual([1, 2])
    expect(counts).toMatchObject({ skipped: 4, bad: 0 })
    expect(textOf(sessions[1]!, 1)).toBe('And how many in a normal year, please?')
    expect(sessions[0]!.turns[0]!.maxTokens).toBe(tokenizer().count('Red, green and blue are three of them.'))
  })

  it('leaves out conversations by length, unless told not to', async () => {
    const pair = (ask: string, answer: string) => ({ conversations: [{ from: 'human', value: ask }, { from: 'gpt', value: answer }] })
    const path = fileOf('x.json', JSON.stringify([pair('hi', 'A longer answer than that.'), pair('A question of some words?', 'no'), pair('word '.repeat(1100), 'A longer answer than that.')]))
    expect((await loadDataset(sharegpt, path)).sessions).toHaveLength(0)
    expect((await loadDataset(sharegpt, path, { options: { lengthFilter: false } })).sessions).toHaveLength(3)
    expect((await loadDataset(sharegpt, path, { options: { prompts: { osl: { mean: 20 } } } })).sessions.map((session) => session.turns[0]!.maxTokens)).toEqual([20])
  })
})

describe('output lengths where the data has none', () => {
  const lengths = async (loader: Parameters<typeof loadDataset>[0], path: string, osl: object, more: object = {}) => {
    const { sessions, counts } = await loadDataset(loader, path, { options: { prompts: { osl } } as never, ...more })
    return { lengths: sessions.map((session) => session.turns.map((turn) => turn.maxTokens)), warnings: counts.warnings }
  }

  it('are those asked for; recorded ones stay', async () => {
    const path = fileOf('x.jsonl', jsonLines({ text: 'a' }, { text: 'b', output_length: 3 }, { text: 'c' }))
    expect((await lengths(singleTurn, path, { mean: 20 })).lengths).toEqual([[20], [3], [20]])
    expect((await loadDataset(singleTurn, path)).sessions.map((session) => session.turns[0]!.maxTokens)).toEqual([undefined, 3, undefined])
    const talks = fileOf('y.jsonl', jsonLines({ turns: [{ text: 'a' }, { text: 'b', output_length: 4 }] }))
    expect((await lengths(multiTurn, talks, { mean: 7 })).lengths).toEqual([[7, 4]])
  })

  it('are drawn for each request by itself', async () => {
    const path = fileOf('x.jsonl', jsonLines(...Array.from({ length: 300 }, () => ({ text: 'a' }))))
    const drawn = (await lengths(singleTurn, path, { mean: 100, stddev: 20 })).lengths.flat() as number[]
    expect(new Set(drawn).size).toBeGreaterThan(30)
    expect(drawn.reduce((sum, length) => sum + length, 0) / 300).toBeGreaterThan(93)
    expect(drawn.reduce((sum, length) => sum + length, 0) / 300).toBeLessThan(107)
    const pool = (await lengths(randomPool, path, { mean: 100, stddev: 20 }, { entries: 40 })).lengths.flat()
    expect(new Set(pool).size).toBeGreaterThan(10)
  })

  it('change no body that is sent as it is, and say so', async () => {
    const path = fileOf('x.jsonl', jsonLines({ messages: [{ role: 'user', content: 'x' }] }))
    const { lengths: none, warnings } = await lengths(rawPayload, path, { mean: 9 })
    expect(none).toEqual([[undefined]])
    expect(warnings).toContainEqual(expect.stringContaining('--osl has no effect'))
  })
})
