const PATTERNS = [[1, 0], [7, 3], [2, 3], [8, 3, 2, 3]]

/** Dash patterns of lines that also differ in colour: all different up to four, then one per round of colours. */
export const dashes = (count: number): number[][] => Array.from({ length: count }, (_, i) => (count <= 4 ? PATTERNS[i]! : PATTERNS[Math.floor(i / 8) % 4]!))
