import { byId, el } from './dom.js'

/** What hangs at the pointer: Vega hands in the fields of the thing under it, or nothing. */
export function showTooltip(event: { clientX: number; clientY: number } | undefined, value: unknown): void {
  const box = byId('tooltip') ?? document.body.appendChild(el('div', { id: 'tooltip', role: 'tooltip' }))
  if (!event || typeof value !== 'object' || value === null) return void (box.hidden = true)
  box.replaceChildren(...Object.entries(value as Record<string, unknown>).map(([name, text]) => el('div', {}, el('span', {}, name), el('b', {}, String(text)))))
  box.hidden = false
  const { width, height } = box.getBoundingClientRect()
  const left = event.clientX + 14 + width > innerWidth ? event.clientX - width - 14 : event.clientX + 14
  const top = Math.min(event.clientY + 14, innerHeight - height - 4)
  box.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`
}
