import { asciiJson } from '../http/response.js'

/** A call of one function with the argument `text`, in the shape of chat completions. */
export class ToolCall {
  readonly #open: string

  constructor(name: string, id: string) {
    this.#open = `"id":"call_${id}","type":"function","function":{"name":${asciiJson(name)},"arguments":"`
  }

  /** A piece of the call: the first names the function, and all pieces of the arguments together are JSON. */
  delta(text: string, first: boolean, last: boolean): string {
    const open = first ? `{"index":0,${this.#open}{\\"text\\":\\"` : '{"index":0,"function":{"arguments":"'
    return `${open}${text}${last ? '\\"}' : ''}"}}`
  }

  whole(text: string): string {
    return `{${this.#open}{\\"text\\":\\"${text}\\"}"}}`
  }
}
