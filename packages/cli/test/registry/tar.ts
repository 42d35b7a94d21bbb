import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { broughtBy, type Manifest } from './dependencies.js'

const BLOCK = 512
/** An npm tarball's files by name, without the leading folder. */
export type Files = Map<string, Buffer>

export function packFiles(files: Files): Buffer {
  const parts: Buffer[] = []
  for (const [name, content] of files) {
    const path = `package/${name}`
    const cut = path.length <= 100 ? -1 : path.lastIndexOf('/', 154)
    if (path.length - cut - 1 > 100) continue
    const header = Buffer.alloc(BLOCK)
    header.write(path.slice(cut + 1), 0)
    header.write('0000644\0' + '0000000\0' + '0000000\0', 100)
    header.write(`${content.length.toString(8).padStart(11, '0')}\0` + '00000000000\0' + '        0' + '\0'.repeat(100) + 'ustar\0' + '00', 124)
    if (cut > 0) header.write(path.slice(0, cut), 345)
    header.write(`${header.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, '0')}\0 `, 148)
    parts.push(header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK))
  }
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]), { level: 1 })
}

export function unpackFiles(tarball: Buffer): Files {
  const tar = gunzipSync(tarball)
  const files: Files = new Map()
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const text = (from: number, length: number) => tar.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '')
    const size = Number.parseInt(text(124, 12).trim() || '0', 8)
    const name = [text(345, 155), text(0, 100)].filter(Boolean).join('/')
    if (text(156, 1) !== '5') files.set(name.split('/').slice(1).join('/'), Buffer.from(tar.subarray(at + BLOCK, at + BLOCK + size)))
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return files
}

/** Everything in the folder of an installed package, and what it brings along. */
export function folderFiles(directory: string): Files {
  const files: Files = new Map()
  const brings = broughtBy(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest).length > 0
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(directory, path).split(sep).join('/')
    if ((brings || !name.split('/').includes('node_modules')) && !/\.(map|d\.[mc]?ts|md)$/.test(name) && (entry.isFile() || (entry.isSymbolicLink() && statSync(path).isFile()))) files.set(name, readFileSync(path))
  }
  return files
}
