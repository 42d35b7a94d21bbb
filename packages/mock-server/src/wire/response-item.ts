import type { Answer, Part } from '../answer/answer.js'
import { asciiJson } from '../http/response.js'

type Event = readonly [type: string, fields: string]

const PREFIX = { reasoning: 'rs', content: 'msg', tool: 'fc' } as const

/** One output item of a response: reasoning, a message, or the call of a function with the argument `text`. */
export class ResponseItem {
  readonly #id: string
  readonly #place: string
  #started = false

  constructor(
    private readonly answer: Answer,
    private readonly part: Part,
    private readonly index: number,
    /** Its words, when it is done. */
    private readonly text: string,
  ) {
    this.#id = `${PREFIX[part]}_${answer.id}`
    this.#place = `"item_id":"${this.#id}","output_index":${index}${part === 'tool' ? '' : ',"content_index":0'}`
  }

  added(): Event[] {
    const added: Event = ['response.output_item.added', `"output_index":${this.index},"item":${this.#json('in_progress')}`]
    return this.part === 'tool' ? [added] : [added, ['response.content_part.added', `${this.#place},"part":${this.#content('')}`]]
  }

  delta(text: string, last: boolean): Event {
    if (this.part === 'content') return ['response.output_text.delta', `${this.#place},"delta":"${text}","logprobs":[]`]
    if (this.part === 'reasoning') return ['response.reasoning_text.delta', `${this.#place},"delta":"${text}"`]
    const open = this.#started ? '' : '{\\"text\\":\\"'
    this.#started = true
    return ['response.function_call_arguments.delta', `${this.#place},"delta":"${open}${text}${last ? '\\"}' : ''}"`]
  }

  done(): Event[] {
    const item: Event = ['response.output_item.done', `"output_index":${this.index},"item":${this.json()}`]
    if (this.part === 'tool') return [['response.function_call_arguments.done', `${this.#place},"name":${asciiJson(this.answer.tool)},"arguments":"${this.#arguments}"`], item]
    const [kind, more] = this.part === 'content' ? (['output_text', ',"logprobs":[]'] as const) : (['reasoning_text', ''] as const)
    return [[`response.${kind}.done`, `${this.#place},"text":"${this.text}"${more}`], ['response.content_part.done', `${this.#place},"part":${this.#content(this.text)}`], item]
  }

  json(): string {
    return this.#json('completed')
  }

  #json(status: 'in_progress' | 'completed'): string {
    const { part } = this
    const isDone = status === 'completed'
    const open = `{"id":"${this.#id}","type":"${part === 'content' ? 'message' : part === 'tool' ? 'function_call' : 'reasoning'}"`
    const content = isDone ? `[${this.#content(this.text)}]` : '[]'
    if (part === 'reasoning') return `${open},"summary":[],"content":${content}}`
    if (part === 'content') return `${open},"status":"${status}","role":"assistant","content":${content}}`
    return `${open},"status":"${status}","call_id":"call_${this.answer.id}","name":${asciiJson(this.answer.tool)},"arguments":"${isDone ? this.#arguments : ''}"}`
  }

  get #arguments(): string {
    return `{\\"text\\":\\"${this.text}\\"}`
  }

  #content(text: string): string {
    return this.part === 'content' ? `{"type":"output_text","text":"${text}","annotations":[],"logprobs":[]}` : `{"type":"reasoning_text","text":"${text}"}`
  }
}
