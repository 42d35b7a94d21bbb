const NAMES: Readonly<Record<string, string>> = { valid: 'Valid', suspect: 'Suspect', invalid: 'Invalid', none: 'No verdict' }

/** A verdict as badges say it; `none` for a run that has none. */
export const verdictName = (verdict: string): string => NAMES[verdict] ?? verdict
