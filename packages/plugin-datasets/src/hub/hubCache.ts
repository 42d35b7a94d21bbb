import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface Repository {
  type: 'model' | 'dataset'
  name: string
}

const COMMIT = /^[0-9a-f]{40}$/

/**
 * Files of the hub on this machine, in the layout that huggingface_hub keeps and shares:
 * `models--owner--name/{refs/<revision>, blobs/<etag>, snapshots/<commit>/<path>}`.
 */
export class HubCache {
  readonly #root: string
  constructor(root: string) {
    this.#root = root
  }

  folder({ type, name }: Repository): string {
    return join(this.#root, [`${type}s`, ...name.split('/')].join('--'))
  }

  /** The commit that a revision stood for when it was last looked up; undefined when it never was. */
  commit(repository: Repository, revision: string): string | undefined {
    if (COMMIT.test(revision)) return revision
    try {
      return readFileSync(join(this.folder(repository), 'refs', revision), 'utf8').trim() || undefined
    } catch {
      return undefined
    }
  }

  async keepCommit(repository: Repository, revision: string, commit: string): Promise<void> {
    if (revision === commit) return
    const path = join(this.folder(repository), 'refs', revision)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, commit)
  }

  snapshot(repository: Repository, commit: string): string {
    return join(this.folder(repository), 'snapshots', commit)
  }

  /** Path of a file of a snapshot; undefined when it is not here. */
  file(repository: Repository, commit: string, path: string): string | undefined {
    const place = join(this.snapshot(repository, commit), path)
    return existsSync(place) ? place : undefined
  }

  /** Keeps a file that is being fetched; what breaks off leaves nothing behind under its name. */
  async keep(repository: Repository, commit: string, path: string, etag: string, content: ReadableStream<Uint8Array>): Promise<string> {
    const blob = join(this.folder(repository), 'blobs', etag.replace(/^W\//, '').replaceAll('"', ''))
    const place = join(this.snapshot(repository, commit), path)
    await mkdir(dirname(blob), { recursive: true })
    await mkdir(dirname(place), { recursive: true })
    if (!existsSync(blob)) {
      const incomplete = `${blob}.${process.pid}.incomplete`
      try {
        await pipeline(Readable.fromWeb(content as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(incomplete))
        await rename(incomplete, blob)
      } catch (error) {
        await rm(incomplete, { force: true })
        throw error
      }
    } else await content.cancel()
    if (!existsSync(place)) await symlink(relative(dirname(place), blob), place).catch(() => copyFile(blob, place)) // no symlinks on some systems
    return place
  }
}
