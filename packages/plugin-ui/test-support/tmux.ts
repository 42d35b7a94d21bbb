import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whether there is a tmux to test in. */
export function tmuxFound(): boolean {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A shell in a terminal of its own, on a tmux server of its own. */
export class Terminal {
  readonly #folder = mkdtempSync(join(tmpdir(), 'aiperf-ui-'))

  constructor(columns: number, rows: number, env: Record<string, string> = {}) {
    const variables = Object.entries({ TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', CI: '', ...env }).flatMap(([k, v]) => ['-e', `${k}=${v}`])
    this.#tmux('-f', '/dev/null', '-u', 'new-session', '-d', '-x', String(columns), '-y', String(rows), ...variables, 'sh')
    this.#tmux('pipe-pane', `cat > ${join(this.#folder, 'written')}`)
  }

  #tmux(...args: string[]): string {
    return execFileSync('tmux', ['-S', join(this.#folder, 'socket'), ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  }

  type(line: string): void {
    this.#tmux('send-keys', '-l', line)
    this.#tmux('send-keys', 'Enter')
  }

  key(name: string): void {
    this.#tmux('send-keys', name)
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-x', String(columns), '-y', String(rows))
  }

  text(): string {
    return this.#tmux('capture-pane', '-p')
  }

  /** The text with its colour codes. */
  painted(): string {
    return this.#tmux('capture-pane', '-p', '-e')
  }

  /** What the programs wrote, cut where a frame begins. */
  written(): string[] {
    return readFileSync(join(this.#folder, 'written'), 'utf8').split('\x1b[?2026h')
  }

  /** Full screen on, cursor shown, lines wrapped: as the terminal itself knows them. */
  state(): { fullScreen: boolean; cursor: boolean; wrap: boolean } {
    const [fullScreen, cursor, wrap] = this.#tmux('display-message', '-p', '#{alternate_on} #{cursor_flag} #{wrap_flag}').trim().split(' ')
    return { fullScreen: fullScreen === '1', cursor: cursor === '1', wrap: wrap === '1' }
  }

  /** Waits until the screen shows what is expected; the error shows the screen. */
  async until(expected: RegExp, seconds = 15): Promise<string> {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(50)) {
      const text = this.text()
      if (expected.test(text)) return text
    }
    throw new Error(`the screen never showed ${expected}:\n${this.text()}`)
  }

  close(): void {
    try {
      this.#tmux('kill-server')
    } catch {
      // It ended with its last window.
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
