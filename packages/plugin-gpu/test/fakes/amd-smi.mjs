// A stand-in for amd-smi. Its first argument is a file with its answers by subcommand.
import { appendFileSync, readFileSync } from 'node:fs'

const [configPath, ...args] = process.argv.slice(2)
const config = JSON.parse(readFileSync(configPath, 'utf8'))
// Calls may come at once: each is a line at the end of a file.
appendFileSync(`${configPath}.calls`, `${args.join(' ')}\n`)
const nth = readFileSync(`${configPath}.calls`, 'utf8').split('\n').filter((call) => call.startsWith('metric')).length
if (config.refuses && args.includes(config.refuses)) {
  console.error(`AMD-SMI Command '${config.refuses}' is invalid. Error code: -10`)
  process.exit(246)
}
if (args[0] === 'metric' && config.diesAt === nth) process.exit(139)
if (args[0] === 'metric' && config.stallsAt === nth) setInterval(() => {}, 1000)
else {
  const answer = config[args[0]]
  console.log(typeof answer === 'string' ? answer : JSON.stringify(Array.isArray(answer?.rounds) ? answer.rounds[Math.min(nth, answer.rounds.length) - 1] : answer, null, 4))
}
