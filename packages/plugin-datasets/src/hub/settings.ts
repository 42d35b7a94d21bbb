import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** How the hub is reached, and where its files are kept, as the environment says (the names of huggingface_hub). */
export interface HubSettings {
  /** HF_ENDPOINT, without a slash at the end. */
  url: string
  /** HF_TOKEN, or the token that `hf auth login` saved. */
  token?: string
  /** HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE: nothing is fetched. */
  offline: boolean
  /** HF_HUB_CACHE, or `hub` below HF_HOME. */
  cache: string
}

const isOn = (value: string | undefined): boolean => ['1', 'true', 'yes', 'on'].includes((value ?? '').trim().toLowerCase())

export function hubSettings(environment: NodeJS.ProcessEnv = process.env): HubSettings {
  const home = environment['HF_HOME'] ?? join(environment['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'huggingface')
  const token = environment['HF_TOKEN'] ?? environment['HUGGING_FACE_HUB_TOKEN'] ?? savedToken(environment['HF_TOKEN_PATH'] ?? join(home, 'token'))
  return {
    url: (environment['HF_ENDPOINT'] ?? 'https://huggingface.co').replace(/\/+$/, ''),
    ...(token ? { token } : {}),
    offline: isOn(environment['HF_HUB_OFFLINE']) || isOn(environment['TRANSFORMERS_OFFLINE']),
    cache: environment['HF_HUB_CACHE'] ?? environment['HUGGINGFACE_HUB_CACHE'] ?? join(home, 'hub'),
  }
}

function savedToken(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
