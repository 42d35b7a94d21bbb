import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, type TestContext } from 'vitest'
import { Terminal, tmuxFound } from '../test-support/tmux.js'

const show = fileURLToPath(new URL('../test-support/show.mjs', import.meta.url))

/** A shell in which a made-up run is shown. */
async function start({ onTestFinished }: TestContext, command: string, { columns = 110, rows = 34, env = {} } = {}): Promise<Terminal> {
  const terminal = new Terminal(columns, rows, env)
  onTestFinished(() => terminal.close())
  await terminal.until(/[#$]/)
  terminal.type(`echo before; node ${show} ${command}`)
  return terminal
}

/** The screen after the program has ended, with the modes of the terminal that matter to a shell. */
async function after(t: Terminal): Promise<string> {
  await t.until(/before[^]*\n[#$] *\n/)
  t.type(`stty -a | tr ' ;' '\\n\\n' | grep -x -e '-*echo' -e '-*icanon' | sort; echo modes: $?`)
  const text = await t.until(/^modes: 0/m)
  expect(text).toMatch(/^echo\nicanon\nmodes/m)
  return text
}
const given = { fullScreen: true, cursor: false, wrap: false }
const restored = { fullScreen: false, cursor: true, wrap: true }

describe.skipIf(!tmuxFound())('in a real terminal (skipped where there is no tmux)', { concurrent: true }, () => {
  test('the numbers stand on the screen and move at least twice a second', async (context) => {
    const t = await start(context, 'dashboard')
    await t.until(/TTFT +\d/)
    const text = await t.until(/▸ profiling/)
    await t.until(/▸ profiling +1\d\d \/ 2,000/)
    expect(text).toMatch(/AIPerf chat · example-8b/)
    expect(text).toMatch(/in flight +32/)
    expect(text).toMatch(/✓ warmup/)
    expect(text).toMatch(/requests running +32/)
    expect(text).toMatch(/warn the server sent a usage/)
    expect(t.state()).toEqual(given)
    // The made-up run counts on by 2000/60 a second, in four updates a second; at least every other one must be seen.
    const ended = t.written().flatMap((frame) => [...stripVTControlCharacters(frame).matchAll(/ended +([\d,]+)/g)].map((m) => Number(m[1]!.replaceAll(',', ''))))
    const updates = (ended.at(-1)! - ended[0]!) / (2000 / 60 / 4)
    expect(updates).toBeGreaterThan(5)
    expect(new Set(ended).size).toBeGreaterThanOrEqual(updates / 2)
  })

  test('keys open views and go back; the log hides', async (context) => {
    const t = await start(context, 'dashboard')
    await t.until(/▸ profiling/)
    t.key('4')
    expect(await t.until(/esc back/)).not.toContain('3 metrics ─')
    t.key('6')
    await t.until(/6 log ─[^]*Dataset: synthetic/)
    t.key('Escape')
    await t.until(/3 metrics ─[^]*hide log/)
    t.key('l')
    expect(await t.until(/show log/)).not.toContain('6 log ─')
  })

  test('a terminal that is resized is drawn anew, down to a few columns', async (context) => {
    const t = await start(context, 'dashboard')
    await t.until(/▸ profiling/)
    for (const [columns, rows] of [[72, 22], [40, 12], [130, 40]] as const) {
      t.resize(columns, rows)
      const text = await t.until(new RegExp(`╭─ 2 progress ─+╮${columns > 100 ? '╭' : '$'}`, 'm'))
      await sleep(300)
      const lines = t.text().split('\n').slice(0, rows)
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
      expect(lines.filter((line) => line.includes('╭─ 2 progress'))).toHaveLength(1)
      expect(text).toContain('profiling')
    }
  })

  test('Ctrl-C asks the run to end; the terminal is as it was', async (context) => {
    const t = await start(context, 'dashboard')
    await t.until(/▸ profiling/)
    t.key('C-c')
    const text = await after(t)
    expect(text).toMatch(/before[^]*interrupts: 1/)
    expect(text).toContain('warn: the server sent a usage')
    expect(t.state()).toEqual(restored)
  })

  test('a crash leaves the terminal as it was, with the message on it', async (context) => {
    const t = await start(context, 'dashboard crash')
    expect(await after(t)).toMatch(/before[^]*made-up crash/)
    expect(t.state()).toEqual(restored)
  })

  test.for(['TERM', 'HUP', 'INT'])('so does a process that SIG%s ends', async (signal, context) => {
    const t = await start(context, `dashboard sig${signal.toLowerCase()}`)
    await after(t)
    expect(t.written().join('')).toContain('\x1b[?1049h')
    expect(t.state()).toEqual(restored)
  })

  test('leaving the view does not end the run', async (context) => {
    const t = await start(context, 'dashboard end 4')
    await t.until(/▸ profiling/)
    t.key('q')
    const text = await t.until(/The run goes on[^]*profiling ▕█/)
    expect(text).toContain('before')
    expect(t.state()).toEqual(restored)
    expect(await t.until(/interrupts: 0/)).toMatch(/profiling ▕█{18}/)
  })

  test('stopped with Ctrl-Z and continued, the view comes back', async (context) => {
    const t = await start(context, 'dashboard')
    await t.until(/▸ profiling/)
    t.key('C-z')
    await t.until(/Stopped|Suspended/i)
    expect(t.state()).toEqual(restored)
    t.type('fg')
    await t.until(/▸ profiling/)
    expect(t.state()).toEqual(given)
  })

  test('NO_COLOR: not one colour', async (context) => {
    const t = await start(context, 'dashboard', { env: { NO_COLOR: '1' } })
    await t.until(/TTFT +\d/)
    // oxlint-disable-next-line no-control-regex
    expect(t.painted()).not.toMatch(/\x1b\[[\d;]*(3[0-8]|9\d)[;m]/)
  })

  test('a locale without Unicode gets plain characters', async (context) => {
    const t = await start(context, 'dashboard', { env: { LC_ALL: 'C' } })
    expect(await t.until(/> profiling/)).toMatch(/\+- 2 progress -+\+/)
  })

  test('without a terminal it is the simple progress', async (context) => {
    const t = await start(context, 'dashboard end 2 2>&1 | cat')
    expect(await t.until(/interrupts: 0/)).toMatch(/^profiling [\d,]+ \/ 2,000 requests \(\d+ %\) ·/m)
  })

  test('simple: one line that grows, and one line of the warm-up', async (context) => {
    const t = await start(context, 'simple end 2')
    await t.until(/profiling ▕█/)
    const text = await t.until(/interrupts: 0/)
    expect(text.match(/^profiling /gm)).toHaveLength(1)
    expect(text.match(/^warmup /gm)).toHaveLength(1)
    expect(text).toContain('warn: the server sent a usage')
  })
})
