import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cells, HEADER } from './print.mjs'

const INTRODUCTION = `# Performance

What AIPerf costs, and how true its figures are. This page is written by the benchmarks; repeat them with

    pnpm bench            requests/s, chunks/s, CPU and memory beside a bare loop
    pnpm bench:truth      measured times against the server's own log
    pnpm bench:startup    help, first request, exit
    pnpm bench:memory     memory at high concurrency
    pnpm bench:waiting    ways to wait for a due time
    pnpm bench:records    a million records through recorders and exporters

Each takes about three minutes or less. \`--pairs N\` repeats more often, \`--quick\` measures less, \`--reference COMMAND\` and
\`--client NAME=COMMAND\` measure other clients besides, \`--node PATH\` the program on another release of Node, \`--publish\` writes this page. The target is a server of ours in C
(\`benchmarks/target\`), compiled on first use; without a compiler the embedded mock server takes its place.
On Linux the client and the target are pinned to a core each. The figures mean something only on a machine that does nothing
else: the load of the minute before is given with each table.

What the figures rest on: a worker does nothing with a byte but stamp and copy it; a recorder parses it later, at a lower priority, and a
closed loop never takes in more than its recorder can follow. The pacer is a thread that sleeps; it hands requests out ahead
and calls a worker 0.4 ms before one is due, at most, and the worker looks for what is due between two reads. Where threads
share cores, the recorder stays off them when something is about to be due, and the runtime's optimizing compiler rests while an open loop
leaves the threads mostly idle. What a recorder cannot follow of an open loop waits on the disk, not in memory. What the program loads is bundled by the build (\`scripts/bundle.mjs\`), a file or two for each thread, and what a run does not
need is not loaded; newer releases of Node keep the compiled code besides, and start and run faster.
`

/** Writes the page from the results in a folder. */
export function writePage(path, folder, names) {
  const parts = [INTRODUCTION]
  for (const name of names) {
    const file = join(folder, `${name}.json`)
    if (existsSync(file)) parts.push(section(JSON.parse(readFileSync(file, 'utf8'))))
  }
  writeFileSync(path, parts.join('\n'))
}

function section({ title, method, date, machine, rows, notes = [] }) {
  const body = cells(rows)
  const used = HEADER.map((_, column) => body.some((row) => row[column] !== ''))
  const line = (row) => `| ${row.filter((_, i) => used[i]).join(' | ')} |`
  return [
    `## ${title}\n`,
    `${method}\n`,
    `Measured on ${date}: Node ${machine.node.slice(1)}, ${machine.cores} cores (${machine.cpu}), ${machine.system}${machine.pinned ? ', pinned' : ''}, load ${machine.load}.\n`,
    line(HEADER), line(HEADER.map(() => '---')), ...body.map(line), '',
    ...notes.map((note) => `${note}\n`),
  ].join('\n')
}
