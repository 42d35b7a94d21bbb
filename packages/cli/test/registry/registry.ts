import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unpackFiles } from './tar.js'

export interface Registry {
  url: string
  /** Publishes a tarball, as `npm publish` does. */
  publish(tarball: Buffer, tag?: string): Promise<void>
  /** Environment in which npm speaks to this registry and to none other. */
  env: Record<string, string>
  close(): Promise<void>
}

/** A registry on loopback (Verdaccio) that knows only what is published to it. */
export async function startRegistry(): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), 'aiperf-registry-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const config = { storage: join(folder, 'storage'), auth: { htpasswd: { file: join(folder, 'htpasswd') } }, packages: { '**': { access: '$all', publish: '$all', unpublish: '$all' } }, max_body_size: '200mb', log: { type: 'stdout', level: 'error' }, web: { enable: false } }
  mkdirSync(join(folder, 'storage'))
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config))
  writeFileSync(join(folder, 'npmrc'), `registry=${url}\n//127.0.0.1:${port}/:_authToken=anybody\n`)
  const manifest = createRequire(join(import.meta.dirname, '../../../../package.json')).resolve('verdaccio/package.json')
  const child = spawn(process.execPath, [join(dirname(manifest), 'bin/verdaccio'), '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`], { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' } })
  for (let tries = 0; ; tries++) {
    if (await fetch(`${url}-/ping`).then((r) => r.ok, () => false)) break
    if (tries > 300 || child.exitCode !== null) throw new Error('the registry did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    url,
    env: { npm_config_registry: url, npm_config_userconfig: join(folder, 'npmrc'), npm_config_cache: join(folder, 'cache'), npm_config_noproxy: '127.0.0.1', NO_PROXY: '127.0.0.1' },
    async publish(tarball, tag = 'latest') {
      const manifest = JSON.parse(unpackFiles(tarball).get('package.json')!.toString()) as { name: string; version: string; [key: string]: unknown }
      const { name, version, private: _private, ...rest } = manifest
      const file = `${name}-${version}.tgz`
      const dist = { integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`, shasum: createHash('sha1').update(tarball).digest('hex'), tarball: `${url}${name}/-/${file}` }
      const document = { _id: name, name, 'dist-tags': { [tag]: version }, versions: { [version]: { _id: `${name}@${version}`, name, version, ...rest, dist } }, _attachments: { [file]: { content_type: 'application/octet-stream', data: tarball.toString('base64'), length: tarball.length } } }
      const response = await fetch(`${url}${name.replace('/', '%2f')}`, { method: 'PUT', headers: { 'content-type': 'application/json', authorization: 'Bearer anybody' }, body: JSON.stringify(document) })
      if (!response.ok && response.status !== 409) throw new Error(`publishing ${name} ${version}: ${response.status} ${await response.text()}`)
    },
    async close() {
      child.kill()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
