import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { AiperfError } from '@aiperf/core'

/** What a user may give to be installed. */
export type Spec =
  /** From the registry: name and version, range or tag. */
  | { type: 'registry'; text: string; name: string; tag: string }
  | { type: 'tarball' | 'folder'; text: string; path: string }
  /** A tarball on a server. */
  | { type: 'url'; text: string }
  | { type: 'git'; text: string }

/** Reads `@acme/x`, `x@^1.2`, `./x-1.0.0.tgz`, `./folder`, `https://…/x.tgz`, `git+https://…`, `github:acme/x`, `acme/x`. */
export function readSpec(given: string, cwd = process.cwd()): Spec {
  const text = given.trim()
  if (/^(git\+|git:|git@|ssh:|github:|gitlab:|bitbucket:|gist:)/.test(text) || /\.git(#.*)?$/.test(text)) return { type: 'git', text: text.startsWith('git@') ? `git+ssh://${text.replace(':', '/')}` : text.startsWith('https:') ? `git+${text}` : text }
  if (/^https?:/.test(text)) return /\.(tgz|tar\.gz)([?#].*)?$/.test(text) || !/^https?:\/\/(www\.)?(github|gitlab|bitbucket)\.(com|org)\//.test(text) ? { type: 'url', text } : { type: 'git', text: `git+${text}` }
  const named = text.match(/^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@(.+))?$/i)
  const looksLikePath = /^(file:|\.{0,2}[\\/]|\.{1,2}$|[a-zA-Z]:[\\/])/.test(text)
  const path = text.startsWith('file:') ? (text.startsWith('file://') ? fileURLToPath(text) : resolve(cwd, text.slice('file:'.length))) : resolve(cwd, text)
  if (looksLikePath || (/\.(tgz|tar\.gz)$/.test(text) && existsSync(path))) {
    if (!existsSync(path)) throw new AiperfError('E_COMMAND', `${text} does not exist.`, { hint: 'Give the path of a packed plugin (.tgz), or of the folder of one.' })
    return { type: statSync(path).isDirectory() ? 'folder' : 'tarball', text, path }
  }
  if (named) return { type: 'registry', text, name: named[1]!, tag: named[2] ?? 'latest' }
  if (/^[\w.-]+\/[\w.-]+(#.+)?$/.test(text)) return { type: 'git', text: `github:${text}` }
  throw new AiperfError('E_COMMAND', `"${given}" is nothing that can be installed.`, { hint: 'Give a package name (with @version or @range), a .tgz file, a folder, or a git URL.' })
}

/** As npm wants a local tarball. */
export const fileSpec = (path: string): string => (process.platform === 'win32' ? `file:${path}` : pathToFileURL(path).href.replace('file://', 'file:'))
