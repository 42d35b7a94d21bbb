/** Text that is HTML already. */
export class Markup {
  readonly html: string
  constructor(text: string) {
    this.html = text
  }
}

type Content = string | number | boolean | null | undefined | Markup | readonly Content[]

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')

function written(content: Content): string {
  if (content === undefined || content === null || content === false || content === true) return ''
  if (content instanceof Markup) return content.html
  if (Array.isArray(content)) return (content as readonly Content[]).map(written).join('')
  return escape(String(content))
}

/** HTML from a template: every value in it is escaped, but for what is `Markup` itself. */
export const html = (strings: TemplateStringsArray, ...values: readonly Content[]): Markup => new Markup(strings.map((part, i) => part + (i < values.length ? written(values[i]) : '')).join(''))

/** JSON for a script element: nothing in it can end the element. */
export const json = (value: unknown): Markup => new Markup(JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029'))
