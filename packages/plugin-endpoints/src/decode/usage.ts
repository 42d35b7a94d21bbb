import type { Delta, Json, JsonObject, Usage } from '@aiperf/core'
import { arrayOf, countOf, objectOf } from './json.js'

/** Where token counts stand, by vendor; the first that is present counts. A dot leads into an inner object. */
const NAMES: Readonly<Record<keyof Usage, readonly string[]>> = {
  prompt: ['prompt_tokens', 'input_tokens', 'promptTokenCount', 'inputTokens', 'input_token_count'],
  completion: ['completion_tokens', 'output_tokens', 'candidatesTokenCount', 'outputTokens', 'generated_token_count'],
  total: ['total_tokens', 'totalTokenCount', 'totalTokens'],
  reasoning: ['completion_tokens_details.reasoning_tokens', 'output_tokens_details.reasoning_tokens', 'thoughtsTokenCount'],
  cacheRead: [
    'prompt_tokens_details.cached_tokens', 'input_tokens_details.cached_tokens', 'cache_read_input_tokens',
    'prompt_cache_hit_tokens', 'cachedContentTokenCount', 'cacheReadInputTokens', 'cached_tokens',
  ],
  cacheWrite: ['cache_creation_input_tokens', 'cacheWriteInputTokens'],
  cacheMiss: ['prompt_cache_miss_tokens'],
  promptAudio: ['prompt_tokens_details.audio_tokens', 'input_tokens_details.audio_tokens'],
  promptAudioSeconds: ['prompt_audio_seconds'],
  completionAudio: ['completion_tokens_details.audio_tokens', 'output_tokens_details.audio_tokens'],
  acceptedPrediction: ['completion_tokens_details.accepted_prediction_tokens', 'output_tokens_details.accepted_prediction_tokens'],
  rejectedPrediction: ['completion_tokens_details.rejected_prediction_tokens', 'output_tokens_details.rejected_prediction_tokens'],
  toolUsePrompt: ['toolUsePromptTokenCount'],
}
const PATHS = Object.entries(NAMES).map(([field, names]) => [field as keyof Usage, names.map((name) => name.split('.'))] as const)

/** Vendors that count cached prompt tokens apart from `input_tokens` name them so: the prompt is the sum. */
const DISJOINT = ['cache_read_input_tokens', 'cache_creation_input_tokens', 'cacheReadInputTokens', 'cacheWriteInputTokens']
const DISJOINT_BASE = ['input_tokens', 'inputTokens']

/** Token counts of a usage object in any vendor's shape; undefined when it holds none. */
export function readUsage(value: Json | undefined): Usage | undefined {
  const given = objectOf(value)
  if (given === undefined) return undefined
  const counts = flattened(given)
  const usage: Usage = {}
  let any = false
  for (const [field, paths] of PATHS) {
    const found = first(counts, paths)
    if (found === undefined) continue
    usage[field] = found
    any = true
  }
  if (usage.prompt !== undefined && !('prompt_tokens' in counts) && DISJOINT_BASE.some((name) => name in counts)) {
    for (const name of DISJOINT) usage.prompt += countOf(counts[name]) ?? 0
  }
  return any ? usage : undefined
}

/** The usage of a whole chunk or body: under `usage`, or where some vendors put it. */
export function usageOf(body: JsonObject): Usage | undefined {
  return readUsage(body['usage']) ?? readUsage(body['usageMetadata']) ?? readUsage(objectOf(body['x_groq'])?.['usage']) ?? readUsage(ofChoice(body))
}

const ofChoice = (body: JsonObject): Json | undefined => objectOf(arrayOf(body['choices'])[0])?.['usage']

/** Appends the usage of a chunk or body, if it holds any. */
export function pushUsage(body: JsonObject, out: Delta[]): void {
  if (body['usage'] === undefined && body['usageMetadata'] === undefined && body['x_groq'] === undefined && ofChoice(body) === undefined) return
  const usage = usageOf(body)
  if (usage !== undefined) out.push({ kind: 'usage', usage })
}

/** Members of `usageMetadata`, `meta.tokens`, `meta` and `tokens` beside the object's own, which win. */
function flattened(given: JsonObject): JsonObject {
  const meta = objectOf(given['meta'])
  const inner = [given['usageMetadata'], meta?.['tokens'], given['tokens']].map(objectOf).filter((o) => o !== undefined)
  if (inner.length === 0 && meta === undefined) return given
  const cached = meta?.['cached_tokens']
  return Object.assign({}, cached === undefined ? {} : { cached_tokens: cached }, ...inner.toReversed(), given) as JsonObject
}

function first(counts: JsonObject, paths: readonly string[][]): number | undefined {
  for (const path of paths) {
    const [outer, inner] = path
    const found = countOf(inner === undefined ? counts[outer!] : objectOf(counts[outer!])?.[inner])
    if (found !== undefined) return found
  }
  return undefined
}
