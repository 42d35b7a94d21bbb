/** Style of text marks that name points: they are moved about so that they do not cover each other, or left out. */
export const POINT_LABEL = 'point-label'

interface VegaMark {
  type?: string
  style?: string | string[]
  marks?: VegaMark[]
  transform?: unknown[]
}

/** Vega-Lite has no way to ask for Vega's label placement, so its outcome is told. */
export function placeLabels<Spec extends object>(vegaSpec: Spec): Spec {
  const visit = (marks: readonly VegaMark[] = []): void => {
    for (const mark of marks) {
      if (mark.type === 'text' && [mark.style].flat().includes(POINT_LABEL))
        mark.transform = [{ type: 'label', size: { signal: '[width, height]' }, anchor: ['top', 'right', 'bottom', 'left', 'top-right', 'bottom-right', 'top-left', 'bottom-left'], offset: [7], padding: 8 }]
      visit(mark.marks)
    }
  }
  visit((vegaSpec as VegaMark).marks)
  return vegaSpec
}
