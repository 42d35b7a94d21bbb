const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export interface HtmlTable {
  title: string
  head: string[]
  rows: (string | number)[][]
}

const shown = (value: string | number): string => (typeof value === 'number' ? (Number.isInteger(value) ? value.toLocaleString('en-US') : value.toLocaleString('en-US', { maximumFractionDigits: 3 })) : escaped(value))

/** A page of tables that needs nothing else. */
export function htmlPage(title: string, tables: readonly HtmlTable[], drawing = ''): string {
  const table = ({ title: name, head, rows }: HtmlTable) =>
    `<h2>${escaped(name)}</h2><table><tr>${head.map((cell) => `<th>${escaped(cell)}</th>`).join('')}</tr>${rows.map((row) => `<tr>${row.map((cell) => `<td>${shown(cell)}</td>`).join('')}</tr>`).join('')}</table>`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title><style>body{font:15px system-ui;margin:2rem;max-width:70rem}table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #ddd}td:first-child,th:first-child{text-align:left}</style><h1>${escaped(title)}</h1>${drawing}${tables.map(table).join('')}</html>\n`
}

/** A line through points, scaled to the picture; x and y grow from the lower left. */
export function lineDrawing(points: readonly (readonly [x: number, y: number])[], label: string): string {
  const [width, height] = [720, 240]
  const most = (at: 0 | 1) => Math.max(1e-9, ...points.map((point) => point[at]))
  const path = points.map(([x, y]) => `${((x / most(0)) * width).toFixed(1)},${(height - (y / most(1)) * height).toFixed(1)}`).join(' ')
  return `<figure><svg viewBox="-4 -4 ${width + 8} ${height + 8}" width="${width}" height="${height}" role="img" aria-label="${escaped(label)}"><rect width="${width}" height="${height}" fill="#f6f6f6"/><polyline points="${path}" fill="none" stroke="#2563eb" stroke-width="2"/></svg><figcaption>${escaped(label)}</figcaption></figure>`
}
