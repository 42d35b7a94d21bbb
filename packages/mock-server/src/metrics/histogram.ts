/** A cumulative histogram as Prometheus knows it. */
export class Histogram {
  readonly #counts: number[]
  #sum = 0
  #count = 0

  constructor(
    readonly name: string,
    readonly help: string,
    readonly bounds: readonly number[],
  ) {
    this.#counts = bounds.map(() => 0)
  }

  observe(value: number): void {
    this.#sum += value
    this.#count++
    const index = this.bounds.findIndex((bound) => value <= bound)
    if (index >= 0) this.#counts[index]!++
  }

  /** The samples in the text format, with `labels` (like `model_name="m"`) on each. */
  expose(labels: string): string {
    let cumulative = 0
    const buckets = this.bounds.map((bound, index) => {
      cumulative += this.#counts[index]!
      return `${this.name}_bucket{${labels},le="${bound}"} ${cumulative}\n`
    })
    return (
      `# HELP ${this.name} ${this.help}\n# TYPE ${this.name} histogram\n${buckets.join('')}` +
      `${this.name}_bucket{${labels},le="+Inf"} ${this.#count}\n${this.name}_sum{${labels}} ${this.#sum}\n${this.name}_count{${labels}} ${this.#count}\n`
    )
  }
}
