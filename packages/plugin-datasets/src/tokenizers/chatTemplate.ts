import { AiperfError } from '@aiperf/core'

type SpecialToken = string | { content?: string } | null | undefined

/** What tokenizer_config.json says of chats. */
export interface ChatConfig {
  chat_template?: string | { name: string; template: string }[]
  bos_token?: SpecialToken
  eos_token?: SpecialToken
  unk_token?: SpecialToken
  pad_token?: SpecialToken
}

const textOf = (token: SpecialToken): string | undefined => (typeof token === 'string' ? token : token?.content)

/** The prompt that a model's own template makes of messages, with the beginning of the answer. */
export async function chatTemplate(config: ChatConfig, file: string | undefined): Promise<((messages: readonly { role: string; content: string }[]) => string) | undefined> {
  const named = config.chat_template
  const source = file ?? (Array.isArray(named) ? (named.find((item) => item.name === 'default') ?? named[0])?.template : named)
  if (source === undefined) return undefined
  const { Template } = await import('@huggingface/jinja')
  let template: InstanceType<typeof Template>
  try {
    template = new Template(source)
  } catch (error) {
    throw new AiperfError('E_TOKENIZER', `The chat template of the tokenizer cannot be read: ${(error as Error).message}`, { hint: 'leave out --apply-chat-template', cause: error })
  }
  const tokens = Object.fromEntries((['bos_token', 'eos_token', 'unk_token', 'pad_token'] as const).flatMap((key) => (textOf(config[key]) === undefined ? [] : [[key, textOf(config[key])!]])))
  return (messages) => template.render({ messages: messages as { role: string; content: string }[], add_generation_prompt: true, ...tokens })
}
