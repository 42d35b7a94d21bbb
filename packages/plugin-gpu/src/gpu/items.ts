/** What `--gpu-telemetry` asks for. */
export interface GpuItems {
  /** DCGM exporters, `/metrics` appended where there is no path. */
  urls: string[]
  /** CSV files of further DCGM fields. */
  files: string[]
  /** Words: names of sources. */
  names: string[]
}

/** Sorts the list. `dashboard`, the reference's word for the live view, says nothing here: the view shows GPUs anyway. */
export function readItems(items: readonly string[]): GpuItems {
  const found: GpuItems = { urls: [], files: [], names: [] }
  for (const item of items) {
    if (/\.csv$/i.test(item)) found.files.push(item)
    else if (isUrl(item)) found.urls.push(metricsUrl(item))
    else if (item.toLowerCase() !== 'dashboard') found.names.push(item.toLowerCase().replaceAll('_', '-'))
  }
  return found
}

/** `http://host:9400`, `host:9400`, `host:9400/metrics`. */
const isUrl = (item: string): boolean => /^https?:\/\//i.test(item) || /^[^\s/]+:\d+(\/|$)/.test(item)

export function metricsUrl(item: string): string {
  const url = new URL(/^https?:\/\//i.test(item) ? item : `http://${item}`)
  if (!url.pathname.endsWith('/metrics')) url.pathname = `${url.pathname.replace(/\/+$/, '')}/metrics`
  return url.href
}
