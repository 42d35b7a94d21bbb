import type { RunModel, Tokenizer } from '@aiperf/core'
import { activateTokenizer, type Host } from '@aiperf/core/host'

const EXACT = new Set(['test', 'mock', 'fake', 'dummy', 'example', 'sample', 'placeholder'])
const PARTS = ['mock-', '-mock', 'fake-', '-fake', 'test-model', 'your-model', 'my-model', 'model-name', 'model-id']

/** A model name that stands for no real model, so that no tokenizer of that name can exist. */
function looksMadeUp(model: string): boolean {
  const name = model.toLowerCase()
  return !name.includes('/') && (EXACT.has(name) || PARTS.some((part) => name.includes(part)))
}

/** The name of the run's tokenizer: the one asked for, else the model's, else `builtin` for made-up models. */
function tokenizerName(model: RunModel): { name: string; notice?: string } {
  if (model.tokenizer.name !== undefined) return { name: model.tokenizer.name }
  const first = model.models[0]!
  if (looksMadeUp(first)) return { name: 'builtin', notice: `no tokenizer is known for the model name "${first}": tokens are counted with the builtin one (o200k_base)` }
  return { name: first }
}

/** Loads the run's tokenizer. */
export async function loadTokenizer(host: Host, model: RunModel): Promise<Tokenizer> {
  const { revision, trustRemoteCode, applyChatTemplate } = model.tokenizer
  return activateTokenizer(host, tokenizerName(model).name, { revision, trustRemoteCode, applyChatTemplate, ...model.tokenizer.options })
}
