import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'

const PLACES = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']
/** A browser to test with; undefined where there is none: tests of pages are skipped then. */
export const chromiumPath = PLACES.find((path) => path !== undefined && existsSync(path) && spawnSync(path, ['--version', '--no-sandbox'], { timeout: 15_000 }).status === 0)

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: chromiumPath!, args: FLAGS })

export interface Watched {
  page: Page
  /** Errors and warnings of the console, and faults of scripts. */
  complaints: string[]
  /** Addresses of everything that was loaded. */
  loaded: string[]
}

export async function openPage(browser: Browser, address: string, options: { theme?: 'light' | 'dark'; width?: number } = {}): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width: options.width ?? 1280, height: 900 }, colorScheme: options.theme ?? 'light' })
  const complaints: string[] = []
  const loaded: string[] = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => loaded.push(request.url()))
  await page.goto(address)
  await page.locator('html[data-started]').waitFor({ state: 'attached', timeout: 20_000 })
  return { page, complaints, loaded }
}

/** Kept for a person to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = join(import.meta.dirname, 'pictures', 'pages')
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
