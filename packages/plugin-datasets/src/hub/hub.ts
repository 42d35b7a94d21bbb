import { AiperfError, type ErrorCode } from '@aiperf/core'
import { HubCache, type Repository } from './hubCache.js'
import { hubSettings, type HubSettings } from './settings.js'

export type { Repository } from './hubCache.js'

/** Told while a file is fetched. */
export type FetchProgress = (path: string, bytes: number, total: number) => void

/** Repositories of the Hugging Face hub, through the cache of this machine. */
export class Hub {
  readonly settings: HubSettings
  readonly #cache: HubCache
  readonly #code: ErrorCode

  /** `code` is the code of its errors: what is missing when the hub cannot be used. */
  constructor(code: ErrorCode, settings: HubSettings = hubSettings()) {
    this.settings = settings
    this.#cache = new HubCache(settings.cache)
    this.#code = code
  }

  get #access() {
    const { url, token } = this.settings
    if (token === undefined) return { hubUrl: url }
    const { origin } = new URL(url)
    // The library takes tokens of huggingface.co alone; mirrors have their own. Nobody else is shown the token.
    const withToken: typeof fetch = (input, init) => {
      const target = new URL(input instanceof Request ? input.url : input)
      return fetch(input, target.origin === origin ? { ...init, headers: { ...(init?.headers as Record<string, string>), Authorization: `Bearer ${token}` } } : init)
    }
    return { hubUrl: url, fetch: withToken }
  }

  /** The commit of a revision: the one known here, else asked for. Offline it must be known. */
  async commit(repository: Repository, revision: string): Promise<string> {
    const known = this.#cache.commit(repository, revision)
    if (known !== undefined) return known
    if (this.settings.offline) throw this.#offline(repository, `revision ${revision}`)
    const { modelInfo, datasetInfo } = await import('@huggingface/hub')
    const ask = { name: repository.name, revision, additionalFields: ['sha'] as ['sha'], ...this.#access }
    const info = await this.#asked(repository, () => (repository.type === 'model' ? modelInfo(ask) : datasetInfo(ask)))
    await this.#cache.keepCommit(repository, revision, info.sha)
    return info.sha
  }

  /** Path of a file of a revision on this machine, fetched if need be; undefined when the repository has none of that name. */
  async file(repository: Repository, revision: string, path: string, progress?: FetchProgress): Promise<string | undefined> {
    const commit = await this.commit(repository, revision)
    const here = this.#cache.file(repository, commit, path)
    if (here !== undefined || this.settings.offline) return here
    const { downloadFile, fileDownloadInfo } = await import('@huggingface/hub')
    const ask = { repo: repository, path, revision: commit, ...this.#access }
    const info = await this.#asked(repository, () => fileDownloadInfo(ask))
    if (!info) return undefined
    const blob = await this.#asked(repository, () => downloadFile({ ...ask, downloadInfo: info }))
    if (!blob) return undefined
    let bytes = 0
    const counted = blob.stream().pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.length
          progress?.(path, bytes, info.size)
          controller.enqueue(chunk)
        },
      }),
    )
    const place = await this.#asked(repository, () => this.#cache.keep(repository, commit, path, info.etag, counted))
    return place
  }

  /** Paths of all files of a revision; offline, of those that are here. */
  async files(repository: Repository, revision: string): Promise<string[]> {
    const commit = await this.commit(repository, revision)
    if (this.settings.offline) {
      const { readdir } = await import('node:fs/promises')
      const entries = await readdir(this.#cache.snapshot(repository, commit), { recursive: true }).catch(() => [])
      return entries.map((path) => path.replaceAll('\\', '/')).sort()
    }
    const { listFiles } = await import('@huggingface/hub')
    return this.#asked(repository, async () => {
      const paths: string[] = []
      for await (const entry of listFiles({ repo: repository, revision: commit, recursive: true, ...this.#access })) if (entry.type === 'file') paths.push(entry.path)
      return paths.sort()
    })
  }

  /** Names of models that a search finds, the most downloaded first. */
  async search(text: string, limit = 20): Promise<string[]> {
    const { listModels } = await import('@huggingface/hub')
    return this.#asked({ type: 'model', name: text }, async () => {
      const found: { name: string; downloads: number }[] = []
      for await (const model of listModels({ search: { query: text }, limit, ...this.#access })) found.push(model)
      return found.sort((a, b) => b.downloads - a.downloads).map((model) => model.name)
    })
  }

  /** What else can be done. */
  get #instead(): string {
    return this.#code === 'E_TOKENIZER' ? '; or give --tokenizer builtin, or a folder with a tokenizer.json' : ''
  }

  #offline({ type, name }: Repository, what: string): AiperfError {
    return new AiperfError(this.#code, `The ${type} ${name} (${what}) is not in ${this.settings.cache}, and HF_HUB_OFFLINE forbids fetching it`, {
      hint: `unset HF_HUB_OFFLINE, or fetch it before with "hf download ${name}"${this.#instead}`,
    })
  }

  async #asked<T>(repository: Repository, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      throw this.#explained(repository, error as Error & { statusCode?: number; cause?: { code?: string } })
    }
  }

  #explained({ type, name }: Repository, error: Error & { statusCode?: number; cause?: { code?: string } }): AiperfError {
    if (error.name === 'AiperfError') return error as AiperfError
    const { url, token } = this.settings
    const what = `The ${type} ${name}`
    switch (error.statusCode) {
      case 401:
      case 403:
        return new AiperfError(this.#code, `${what} needs permission at ${url} (status ${error.statusCode})`, {
          hint: token === undefined ? 'accept its terms there and give an access token by HF_TOKEN' : 'the token of HF_TOKEN has no access to it: accept its terms there, or use another token',
          cause: error,
        })
      case 404:
        return new AiperfError(this.#code, `${what} does not exist at ${url}, or not in this revision`, { hint: `check the name and the revision; private ones need HF_TOKEN${this.#instead}`, cause: error })
      case undefined:
        return new AiperfError(this.#code, `${what} cannot be fetched from ${url}: ${error.cause?.code ?? error.message}`, {
          hint: 'check the network, or HF_ENDPOINT for a mirror; with HF_HUB_OFFLINE=1 only files that are already here are used' + this.#instead,
          cause: error,
        })
      default:
        return new AiperfError(this.#code, `${what} cannot be fetched from ${url}: status ${error.statusCode}`, { hint: 'try again later', cause: error })
    }
  }
}
