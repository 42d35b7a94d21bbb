import { AiperfError } from '@aiperf/core'
import type { Hub } from '../hub/hub.js'
import type { TokenizerFiles } from './huggingfaceTokenizer.js'

const SUGGESTIONS = 5

/**
 * The repository that a name means: itself when it exists, else the one model whose name ends in it, else the most
 * downloaded of several with exactly that name behind the slash.
 *
 * @throws AiperfError E_TOKENIZER with suggestions.
 */
export async function repositoryOf(name: string, hub: Hub): Promise<string> {
  if (name.includes('/') || hub.settings.offline) return name
  const found = await hub.search(name)
  if (found.includes(name)) return name
  const wanted = name.toLowerCase()
  // The search comes most downloaded first.
  const exact = found.find((candidate) => candidate.toLowerCase().endsWith(`/${wanted}`))
  if (exact !== undefined) return exact
  if (found.length === 1) return found[0]!
  const suggestions = found.slice(0, SUGGESTIONS)
  throw new AiperfError(
    'E_TOKENIZER',
    found.length === 0 ? `No model "${name}" is known at ${hub.settings.url}, so its tokenizer cannot be loaded` : `The name "${name}" could mean several models: ${suggestions.join(', ')}`,
    { hint: `give --tokenizer with the full name${found.length === 0 ? ', a folder with a tokenizer.json, or builtin' : `, e.g. --tokenizer ${suggestions[0]}`}` },
  )
}

/** Fetches the tokenizer files of a model, or finds them in the cache. */
export async function fetchTokenizer(name: string, revision: string, hub: Hub): Promise<{ name: string; files: TokenizerFiles }> {
  const repository = { type: 'model' as const, name: await repositoryOf(name, hub) }
  const tokenizer = await hub.file(repository, revision, 'tokenizer.json')
  const config = await hub.file(repository, revision, 'tokenizer_config.json')
  if (tokenizer === undefined)
    throw new AiperfError(
      'E_TOKENIZER',
      `The model ${repository.name} has no tokenizer.json${hub.settings.offline ? ` in ${hub.settings.cache}` : ''}` +
        `${config === undefined ? '' : ': its tokenizer is a program or an older format, which cannot be run here'}`,
      {
        hint:
          'Python code of a model is never run, also not with --tokenizer-trust-remote-code. Make a tokenizer.json with ' +
          "transformers (AutoTokenizer.from_pretrained(…, use_fast=True).save_pretrained('folder')) and give the folder, or use --tokenizer builtin",
      },
    )
  const template = await hub.file(repository, revision, 'chat_template.jinja').catch(() => undefined)
  return { name: repository.name, files: { tokenizer, ...(config === undefined ? {} : { config }), ...(template === undefined ? {} : { template }) } }
}
