// The public types of @aiperf/core as one text, packages/core/api/*.api.md: what plugins are written against. A change of it
// shows in a diff. Without arguments it is written; `--check` fails when it is not what the sources say.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMain, root } from './packages.mjs'

const core = join(root, 'packages/core')
const ENTRIES = { core: 'dist/index.d.ts' }

/** 0 when the committed reports are those of the built types (or were written). */
export async function apiReport({ check = true } = {}) {
  const { Extractor, ExtractorConfig } = await import('@microsoft/api-extractor')
  const folder = mkdtempSync(join(tmpdir(), 'aiperf-api-'))
  let outdated = 0
  try {
    for (const [name, entry] of Object.entries(ENTRIES)) {
      const config = ExtractorConfig.prepare({
        packageJsonFullPath: join(core, 'package.json'),
        configObjectFullPath: undefined,
        configObject: {
          projectFolder: core,
          mainEntryPointFilePath: join(core, entry),
          compiler: { tsconfigFilePath: join(core, 'tsconfig.json') },
          apiReport: { enabled: true, reportFileName: `${name}.api.md`, reportFolder: folder, reportTempFolder: join(folder, 'temp'), includeForgottenExports: false },
          docModel: { enabled: false },
          dtsRollup: { enabled: false },
          tsdocMetadata: { enabled: false },
          messages: { extractorMessageReporting: { default: { logLevel: 'none' } }, compilerMessageReporting: { default: { logLevel: 'none' } }, tsdocMessageReporting: { default: { logLevel: 'none' } } },
        },
      })
      mkdirSync(join(folder, 'temp'), { recursive: true })
      Extractor.invoke(config, { localBuild: true, messageCallback: (message) => (message.handled = true) })
      const made = readFileSync(join(folder, `${name}.api.md`), 'utf8')
      const path = join(core, 'api', `${name}.api.md`)
      if (existsSync(path) && readFileSync(path, 'utf8') === made) continue
      outdated++
      if (check) console.error(`packages/core/api/${name}.api.md is not what the types of @aiperf/core are now: run node scripts/api-report.mjs, look at the diff, and add a changeset.`)
      else {
        mkdirSync(join(core, 'api'), { recursive: true })
        writeFileSync(path, made)
        console.log(`packages/core/api/${name}.api.md written`)
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return check && outdated > 0 ? 1 : 0
}

if (isMain(import.meta)) process.exit(await apiReport({ check: process.argv.includes('--check') }))
