/** Ids for conversations that have none of their own: `session_000000`, … by position, never one that is taken. */
export class SessionIds {
  readonly #taken = new Set<string>()

  /** Notes an id that the dataset gives; false when it was there before. */
  take(id: string): boolean {
    if (this.#taken.has(id)) return false
    this.#taken.add(id)
    return true
  }

  next(index: number): string {
    const plain = `session_${String(index).padStart(6, '0')}`
    let id = plain
    for (let copy = 2; this.#taken.has(id); copy++) id = `${plain}_${copy}`
    this.#taken.add(id)
    return id
  }
}
