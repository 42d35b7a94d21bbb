import { readdirSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { AiperfError } from '@aiperf/core'
import { html } from '../report/markup.js'
import { shell } from '../report/shell.js'
import { readConversations, type MessageLimits } from './conversations.js'
import type { Analysed } from './swim-lane.js'

export interface TurnMessagesRequest extends MessageLimits {
  directories: readonly string[]
  out?: string
}

/** Writes what was said in each run as a page. Runs without raw records are told and passed over. */
export async function turnMessages({ directories, out, ...limits }: TurnMessagesRequest): Promise<Analysed> {
  const done: Analysed = { files: [], skipped: [] }
  for (const directory of directories) {
    try {
      const files = rawFiles(directory)
      const { data, all } = await readConversations(files, limits)
      if (data.conversations.length === 0) throw new AiperfError('E_INPUT_FILE', 'the raw records hold no request of the profiling phase')
      const name = basename(resolve(directory))
      const page = shell({
        title: `Messages of ${name} – AIPerf`, code: 'messages', nav: [], wide: true, footer: '',
        body: html`<section id="messages" aria-labelledby="title"><h1 id="title">Messages of ${name}</h1><p class="about">${data.conversations.length} of ${all} conversations. Equal messages are shown alike wherever they were sent; long ones are cut at ${limits.content.toLocaleString('en-US')} characters.</p><div id="messages-body"><p class="wait">The messages are laid out by the page's script, which has not run here.</p></div></section>`,
        data,
      })
      const file = resolve(out ?? join(directory, 'turn_messages.html'))
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, page)
      done.files.push(file)
    } catch (error) {
      done.skipped.push({ directory, reason: (error as Error).message })
    }
  }
  return done
}

function rawFiles(directory: string): string[] {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw new AiperfError('E_INPUT_FILE', 'it is no folder')
  const names = readdirSync(directory)
  const whole = names.filter((name) => name.endsWith('_raw.jsonl'))
  if (whole.length > 0) return [join(directory, whole.includes('profile_export_raw.jsonl') ? 'profile_export_raw.jsonl' : whole[0]!)]
  const parts = names.includes('raw_records') ? readdirSync(join(directory, 'raw_records')).filter((name) => name.endsWith('.jsonl')) : []
  if (parts.length === 0) throw new AiperfError('E_INPUT_FILE', 'there are no raw records (measure with --export-level raw)')
  return parts.map((name) => join(directory, 'raw_records', name))
}
