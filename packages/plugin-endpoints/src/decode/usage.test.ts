import type { Json, Usage } from '@aiperf/core'
import { describe, expect, it } from 'vitest'
import { readUsage, usageOf } from './usage.js'

describe('usage', () => {
  it.each<[string, Json, Usage | undefined]>([
    ['OpenAI', { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, prompt_tokens_details: { cached_tokens: 3, audio_tokens: 1 }, completion_tokens_details: { reasoning_tokens: 2, audio_tokens: 0, accepted_prediction_tokens: 1, rejected_prediction_tokens: 5 } },
      { prompt: 9, completion: 4, total: 13, cacheRead: 3, promptAudio: 1, reasoning: 2, completionAudio: 0, acceptedPrediction: 1, rejectedPrediction: 5 }],
    ['OpenAI with null details', { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: null }, { prompt: 9, completion: 4 }],
    ['Responses', { input_tokens: 9, output_tokens: 4, input_tokens_details: { cached_tokens: 3 }, output_tokens_details: { reasoning_tokens: 2 } }, { prompt: 9, completion: 4, cacheRead: 3, reasoning: 2 }],
    ['Anthropic: cached tokens are counted apart', { input_tokens: 9, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 4 }, { prompt: 129, completion: 4, cacheRead: 100, cacheWrite: 20 }],
    ['Bedrock', { inputTokens: 9, outputTokens: 4, totalTokens: 13, cacheReadInputTokens: 5, cacheWriteInputTokens: 0 }, { prompt: 14, completion: 4, total: 13, cacheRead: 5, cacheWrite: 0 }],
    ['Gemini', { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13, thoughtsTokenCount: 7, cachedContentTokenCount: 2, toolUsePromptTokenCount: 1 }, { prompt: 9, completion: 4, total: 13, reasoning: 7, cacheRead: 2, toolUsePrompt: 1 }],
    ['DeepSeek', { prompt_tokens: 9, completion_tokens: 4, prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 3 }, { prompt: 9, completion: 4, cacheRead: 6, cacheMiss: 3 }],
    ['wrapped, own members first', { meta: { tokens: { input_tokens: 9, output_tokens: 4 }, cached_tokens: 1 }, output_tokens: 5 }, { prompt: 9, completion: 5, cacheRead: 1 }],
    ['tokens', { tokens: { input_tokens: 9, output_tokens: 4 } }, { prompt: 9, completion: 4 }],
    ['the first name that is present', { prompt_tokens: 1, input_tokens: 2 }, { prompt: 1 }],
    ['seconds', { prompt_tokens: 1, prompt_audio_seconds: 30 }, { prompt: 1, promptAudioSeconds: 30 }],
    ['zero is a count', { prompt_tokens: 0, completion_tokens: 0 }, { prompt: 0, completion: 0 }],
    ['nothing known', { foo: 1 }, undefined],
    ['no numbers', { prompt_tokens: '9', completion_tokens: null, total_tokens: -1 }, undefined],
    ['no object', [1], undefined],
    ['null', null, undefined],
  ])('of %s', (_, given, wanted) => {
    expect(readUsage(given)).toEqual(wanted)
  })

  it('is found where vendors put it', () => {
    expect(usageOf({ usageMetadata: { promptTokenCount: 1 } })).toEqual({ prompt: 1 })
    expect(usageOf({ x_groq: { id: 'r', usage: { prompt_tokens: 1 } } })).toEqual({ prompt: 1 })
    expect(usageOf({ choices: [{ index: 0, delta: {}, usage: { prompt_tokens: 1 } }] })).toEqual({ prompt: 1 })
    expect(usageOf({ usage: null })).toBeUndefined()
  })
})
