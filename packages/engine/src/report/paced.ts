/** Called between two steps of work that can wait; resolves at once when it cannot wait any longer. */
export type Pause = () => Promise<void>

/** Does `work` for each item: all at once, or one after the other with pauses, so that a run under way is not disturbed. */
export async function eachPaced<T, R>(items: readonly T[], pause: Pause | undefined, work: (item: T) => Promise<R>): Promise<R[]> {
  if (!pause) return Promise.all(items.map(work))
  const results: R[] = []
  for (const item of items) {
    await pause()
    results.push(await work(item))
  }
  return results
}
