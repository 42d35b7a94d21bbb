// Servers as a planner sees them: figures by concurrency, without noise, and the highest concurrency that keeps the limit.
const LIMIT = 200
const saturating = (cap, half) => (x) => (cap * x) / (x + half)

export const SERVERS = {
  line: { about: '20 + 1.5 c ms', latency: (x) => 20 + 1.5 * x, throughput: saturating(9000, 80) },
  queue: { about: '30 / (1 − c/160) ms, a queue that fills', latency: (x) => 30 / (1 - Math.min(0.999, x / 160)), throughput: saturating(6000, 200) },
  knee: { about: '50 + 0.1 c ms, from c = 100 on 8 ms more for each', latency: (x) => 50 + 0.1 * x + Math.max(0, x - 100) * 8, throughput: (x) => 40 * Math.min(x, 100) + Math.max(0, x - 100) },
  cliff: { about: '50 ms up to c = 87, then 900 ms', latency: (x) => (x <= 87 ? 50 : 900), throughput: (x) => 40 * Math.min(x, 87) },
}
for (const server of Object.values(SERVERS)) {
  server.best = 1
  while (server.best < 1000 && server.latency(server.best + 1) < LIMIT) server.best++
}
export { LIMIT }
