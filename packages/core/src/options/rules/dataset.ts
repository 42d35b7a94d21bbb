import { readsFiles, type DatasetMeta } from '../../contracts/dataset.js'
import type { EndpointMeta } from '../../contracts/endpoint.js'
import { contributionsOf } from '../../host/find.js'
import { conflict, type Rule } from '../run-view.js'

const inputExists: Rule = (view) => {
  const given = view.given('dataset.path')
  if (!given || !view.input?.reason) return undefined
  const { reason, hint = 'Give the path of a file or folder that can be read.' } = view.input
  return { ...conflict([given.name], `${given.name}: ${reason}.`, hint), code: 'E_INPUT_FILE' }
}

const oneSource: Rule = (view) => {
  const sources = ['dataset.path', 'dataset.records', 'dataset.publicDataset'].flatMap((path) => view.given(path)?.name ?? [])
  if (sources.length > 1) return conflict(sources, `${sources.join(' and ')} both say where the data comes from.`, 'Give one of them.')
  const type = view.given('dataset.type')
  const published = view.given('dataset.publicDataset')
  return type && published ? conflict([type.name, published.name], `${type.name} and ${published.name} both say what the data is.`, 'Give one of them.') : undefined
}

const sourceOfType: Rule = (view) => {
  const type = view.given('dataset.type')
  const { loader } = view.selection
  if (!type || !loader) return undefined
  const { source } = loader.meta as unknown as DatasetMeta
  const path = view.given('dataset.path') ?? view.given('dataset.records')
  if (source === 'file' && !path) return conflict([type.name, '--input-file'], `${type.name} ${loader.name} needs --input-file: it is the format of a file.`, 'Give --input-file PATH.')
  if (path && !readsFiles(loader.meta)) {
    const formats = contributionsOf(view.index, 'dataset_loader').filter((c) => readsFiles(c.meta)).map((c) => c.name)
    return conflict([type.name, path.name], `${type.name} ${loader.name} makes its own data and cannot be combined with ${path.name}.`, `Formats of files: ${formats.join(', ')}.`)
  }
  return undefined
}

/** A system prompt needs an endpoint that has a place for it. */
const systemPrompt: Rule = (view) => {
  const endpoint = view.selection.endpoint?.meta as unknown as EndpointMeta | undefined
  const given = ['--system-prompt', '--system-prompt-file'].flatMap((flag) => view.flag(flag) ?? [])
  if (!endpoint || endpoint.consumesSystemMessage !== false) return undefined
  return given.map((item) => conflict([item.name, '--endpoint-type'], `${item.name} has no effect: the endpoint type ${view.model.endpoint.type} has no system message.`, `Drop ${item.name}.`))
}

const oneSystemPrompt: Rule = (view) => {
  const [text, file] = [view.flag('--system-prompt'), view.flag('--system-prompt-file')]
  if (text && file) return conflict([text.name, file.name], `${text.name} and ${file.name} both give the system message.`, 'Give one of them.')
  const given = text ?? file
  const generated = ['--shared-system-prompt-length', '--num-prefix-prompts'].map((flag) => view.flag(flag)).find((item) => item && item.value !== 0)
  return given && generated ? conflict([given.name, generated.name], `${given.name} and ${generated.name} both fill the beginning of the prompt.`, 'Give one of them.') : undefined
}

const cacheBust: Rule = (view) => {
  const endpoint = view.selection.endpoint?.meta as unknown as EndpointMeta | undefined
  const given = view.flag('--cache-bust')
  if (!endpoint || !given || given.value === 'none' || endpoint.supportsCacheBust !== false) return undefined
  return conflict([given.name, '--endpoint-type'], `${given.name} has no effect: the endpoint type ${view.model.endpoint.type} has no text to vary.`, `Drop ${given.name}.`)
}

export const DATASET_RULES: readonly Rule[] = [inputExists, oneSource, sourceOfType, systemPrompt, oneSystemPrompt, cacheBust]
