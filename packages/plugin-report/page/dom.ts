type Child = Node | string | undefined | false
type Attributes = Record<string, string | number | boolean | undefined | ((event: Event) => void)>

/** An element with attributes (functions: listeners) and children. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === 'function') made.addEventListener(name, value)
    else if (value === true) made.setAttribute(name, '')
    else if (value !== undefined && value !== false) made.setAttribute(name, String(value))
  made.append(...children.filter((child): child is Node | string => child !== undefined && child !== false))
  return made
}

export const byId = (id: string): HTMLElement | null => document.getElementById(id)

/** The JSON that the page was made with. */
export const pageData = <T>(): T => JSON.parse(byId('data')!.textContent ?? '{}') as T

/** A choice with a label before it. */
export function choice(label: string, options: readonly { value: string; text: string }[], chosen: string, changed: (value: string) => void): HTMLElement {
  const select = el('select', { change: () => changed(select.value) }, ...options.map(({ value, text }) => el('option', { value, selected: value === chosen }, text)))
  return el('label', { class: 'choice' }, el('span', {}, label), select)
}
