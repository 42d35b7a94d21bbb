import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { AiperfError, type LoadReport } from '@aiperf/core'
import { hubSettings } from '../hub/settings.js'

/** Where files are kept that come from elsewhere than the hub. */
const cacheFolder = (): string => process.env['AIPERF_CACHE_DIR'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'aiperf')

/** Path of the questions of Spec-Bench, fetched from its repository on GitHub once. */
export async function specBenchFile(revision: string, report: LoadReport): Promise<string> {
  const base = process.env['AIPERF_GITHUB_RAW_URL'] ?? 'https://raw.githubusercontent.com'
  const url = `${base}/hemingkx/Spec-Bench/${revision}/data/spec_bench/question.jsonl`
  const place = join(cacheFolder(), 'datasets', 'spec_bench', revision, 'question.jsonl')
  if (!existsSync(place)) {
    if (hubSettings().offline)
      throw new AiperfError('E_DATASET', `Spec-Bench is not in ${place}, and HF_HUB_OFFLINE forbids fetching it`, { hint: 'unset HF_HUB_OFFLINE, or put the file there' })
    const bytes = await fetched(url)
    report.progress(url, bytes.length, bytes.length)
    await mkdir(dirname(place), { recursive: true })
    await writeFile(`${place}.incomplete`, bytes)
    await rename(`${place}.incomplete`, place)
  }
  report.provenance({ dataset: 'hemingkx/Spec-Bench', revision, url, sha256: createHash('sha256').update(await readFile(place)).digest('hex') })
  return place
}

async function fetched(url: string): Promise<Buffer> {
  const wrong = (reason: string, cause?: unknown) => new AiperfError('E_DATASET', `${url} cannot be fetched: ${reason}`, { hint: 'check the network', cause })
  let response: Response
  try {
    response = await fetch(url)
  } catch (error) {
    throw wrong((error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message, error)
  }
  if (!response.ok) throw wrong(`status ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}
