// A stand-in for nvidia-smi. Its first argument is a file with what this driver offers and how it behaves.
import { appendFileSync, readFileSync } from 'node:fs'

const [configPath, ...args] = process.argv.slice(2)
const config = JSON.parse(readFileSync(configPath, 'utf8'))
appendFileSync(`${configPath}.calls`, `${args.join(' ')}\n`)
const count = readFileSync(`${configPath}.calls`, 'utf8').split('\n').length - 1

if (config.fails) {
  console.error(config.fails)
  process.exit(9)
}
if (args.includes('--help-query-gpu')) {
  if (config.help === false) process.exit(1)
  console.log('List of valid properties to query for the switch "--query-gpu=":\n')
  for (const field of config.helpFields ?? config.fields) console.log(`"${field}"\nAbout this field.\n`)
  process.exit(0)
}
const query = args.find((arg) => arg.startsWith('--query-gpu='))
const fields = query.slice('--query-gpu='.length).split(',')
for (const field of fields)
  if (!config.fields.includes(field)) {
    console.log(`Field "${field}" is not a valid field to query.\n`)
    process.exit(2)
  }

/** Watts at a time: the same curve in the test. */
const watts = () => 300 + 100 * Math.sin(Date.now() / 2000)
const round = () => {
  for (const gpu of config.gpus) console.log(fields.map((field) => (field.startsWith('power.draw') && config.curve ? watts().toFixed(2) : (gpu[field] ?? '[N/A]'))).join(', '))
}
const loop = args.indexOf('-lms')
if (loop < 0) {
  round()
  process.exit(0)
}
if (config.noStream) setInterval(() => {}, 1000)
else {
  let rounds = 0
  round()
  const timer = setInterval(() => {
    rounds++
    if (config.diesAfter !== undefined && rounds > config.diesAfter) process.exit(255)
    if (config.stallsAfter !== undefined && rounds > config.stallsAfter && count < 4) clearInterval(timer), setInterval(() => {}, 1000)
    else round()
  }, Number(args[loop + 1]))
}
