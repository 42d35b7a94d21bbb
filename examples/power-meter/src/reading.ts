/** One outlet, as the meter tells it. */
export interface Reading {
  name: string
  watts: number
  kilowattHours: number
}

export function isReading(value: unknown): value is Reading {
  const { name, watts, kilowattHours } = (value ?? {}) as Record<string, unknown>
  return typeof name === 'string' && typeof watts === 'number' && typeof kilowattHours === 'number'
}
