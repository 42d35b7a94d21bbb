import { defineAccuracyBenchmark } from '@aiperf/core'

const COUNT = 50

export default defineAccuracyBenchmark({
  create: ({ random }) => ({
    async *problems() {
      const numbers = random('problems')
      for (let i = 0; i < COUNT; i++) {
        const [a, b] = [numbers.integer(10, 99), numbers.integer(10, 99)]
        const prompt = `What is ${a} + ${b}? Answer with the number alone.`
        yield { task: 'addition', messages: [{ role: 'user', content: prompt }], prompt, maxTokens: 16, gold: String(a + b) }
      }
    },
  }),
})
