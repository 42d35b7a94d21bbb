import type { ThemeName } from '../src/figure/theme.js'
import { byId } from './dom.js'

const dark = matchMedia('(prefers-color-scheme: dark)')
let listeners: ((theme: ThemeName) => void)[] = []
let printing = false

/** What the reader chose on the page; else what the page was made for; else what their system says. */
export function currentTheme(): ThemeName {
  if (printing) return 'light'
  const asked = document.documentElement.dataset['theme']
  return asked === 'light' || asked === 'dark' ? asked : dark.matches ? 'dark' : 'light'
}

/** What was on the page is gone: it need not be told of anything. */
export const forgetListeners = (): void => void (listeners = [])

export const onTheme = (listener: (theme: ThemeName) => void): void => void listeners.push(listener)
const changed = (): void => listeners.forEach((listener) => listener(currentTheme()))

/** The button in the corner. */
export function startTheme(): void {
  const button = byId('theme')
  const show = (): void => {
    const next = currentTheme() === 'dark' ? 'light' : 'dark'
    if (button) {
      button.textContent = next === 'dark' ? 'Dark' : 'Light'
      button.setAttribute('aria-label', `Switch to the ${next} theme`)
    }
  }
  button?.addEventListener('click', () => {
    document.documentElement.dataset['theme'] = currentTheme() === 'dark' ? 'light' : 'dark'
    show()
    changed()
  })
  dark.addEventListener('change', () => {
    show()
    changed()
  })
  addEventListener('beforeprint', () => {
    printing = true
    changed()
  })
  addEventListener('afterprint', () => {
    printing = false
    changed()
  })
  show()
}
