import type { Kind, TelemetrySource, Transport, Ui } from '@aiperf/core'

/** Ends a thing as a run does when it is over. Most kinds have nothing to end. */
export async function dispose(kind: Kind, thing: unknown): Promise<void> {
  if (kind === 'transport') await (thing as Transport).close()
  if (kind === 'ui') await (thing as Ui).close()
  if (kind === 'telemetry_source') await (thing as TelemetrySource).stop?.()
}
