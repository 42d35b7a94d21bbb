const NAMES: Readonly<Record<string, string>> = {
  '\x03': 'ctrl-c',
  '\x1a': 'ctrl-z',
  '\x1b': 'esc',
  '\x1b[A': 'up',
  '\x1bOA': 'up',
  '\x1b[B': 'down',
  '\x1bOB': 'down',
  '\x1b[5~': 'page-up',
  '\x1b[6~': 'page-down',
  '\x1b[H': 'home',
  '\x1b[1~': 'home',
  '\x1b[F': 'end',
  '\x1b[4~': 'end',
}
// oxlint-disable-next-line no-control-regex
const KEY = /\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|[\s\S]/gu

/** Names of the keys in what a terminal sent: `a`, `6`, `esc`, `ctrl-c`, `page-up`. Sequences that are not known give nothing. */
export const keysOf = (input: string): string[] => (input.match(KEY) ?? []).flatMap((key) => NAMES[key] ?? (key.length === 1 ? [key] : []))
