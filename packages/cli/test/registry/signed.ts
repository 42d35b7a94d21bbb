import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { emptyFolder } from '../program.js'
import { folderFiles, packFiles } from './tar.js'

export interface SignedVersion {
  /** Folder of the package. */
  directory: string
  version: string
  /** It states where it was built. */
  provenance: boolean
  /** Its signature is that of another tarball. */
  forged?: boolean
}

/**
 * A registry that signs what it holds, as npm's does: its keys, signatures of name, version and integrity, statements of
 * provenance (without bundles: those lead to a certificate of the real service). In the environment the client that npm gets
 * the real service's keys with is a stand-in that knows none, so that those of the registry are asked for.
 */
export async function startSignedRegistry(name: string, versions: readonly SignedVersion[]): Promise<{ env: Record<string, string>; close(): void }> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keyid = 'SHA256:key-of-the-test'
  const key = { keyid, keytype: 'ecdsa-sha2-nistp256', scheme: 'ecdsa-sha2-nistp256', key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'), expires: null }
  const tarballs = new Map<string, Buffer>()
  const document = (url: string) => ({
    name, 'dist-tags': { latest: versions.at(-1)!.version },
    versions: Object.fromEntries(versions.map(({ directory, version, provenance, forged }) => {
      const files = folderFiles(directory)
      const manifest = { ...(JSON.parse(files.get('package.json')!.toString()) as object), version }
      const tarball = packFiles(files.set('package.json', Buffer.from(JSON.stringify(manifest))))
      tarballs.set(`/${version}.tgz`, tarball)
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
      const sig = sign('sha256', Buffer.from(`${name}@${version}:${forged ? 'sha512-another' : integrity}`), privateKey).toString('base64')
      const attestations = provenance ? { attestations: { url: `${url}attestations`, provenance: { predicateType: 'https://slsa.dev/provenance/v1' } } } : {}
      return [version, { ...manifest, name, dist: { integrity, tarball: `${url}${version}.tgz`, signatures: [{ keyid, sig }], ...attestations } }]
    })),
  })
  const server = createServer((request, response) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const answers: Record<string, () => Buffer | object> = { '/-/npm/v1/keys': () => ({ keys: [key] }), '/attestations': () => ({ attestations: [] }), [`/${name.replace('/', '%2f')}`]: () => document(url) }
    const answer = answers[request.url!]?.() ?? tarballs.get(request.url!)
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(Buffer.isBuffer(answer) ? answer : JSON.stringify(answer ?? {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = emptyFolder()
  const standIn = join(folder, 'keys-of-the-real-service.cjs')
  writeFileSync(standIn, `const { Module } = require('node:module')
const load = Module._load
const unknown = { initTUF: async () => ({ getTarget: async () => { throw Object.assign(new Error('unknown'), { code: 'TUF_FIND_TARGET_ERROR' }) } }) }
Module._load = function (name, ...rest) { return name === '@sigstore/tuf' ? unknown : load.call(this, name, ...rest) }
`)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  writeFileSync(join(folder, 'npmrc'), `registry=${url}\n`)
  return {
    env: { npm_config_registry: url, npm_config_userconfig: join(folder, 'npmrc'), npm_config_cache: join(folder, 'cache'), npm_config_noproxy: '127.0.0.1', NO_PROXY: '127.0.0.1', NODE_OPTIONS: `--require ${standIn}` },
    close: () => void server.close().closeAllConnections(),
  }
}
