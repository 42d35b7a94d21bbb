import type { TransportFailure } from '@aiperf/core'

const CONNECT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ENOENT', 'EACCES', 'EMFILE'])
const NAMES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA'])

/** How an error of undici, or of a socket below it, is told to a sink. */
export function failureOf(error: Error, afterFirstByte: boolean): TransportFailure {
  const code = (error as NodeJS.ErrnoException).code ?? error.name
  return { category: categoryOf(code, afterFirstByte), code, message: error.message || code, afterFirstByte }
}

function categoryOf(code: string, afterFirstByte: boolean): TransportFailure['category'] {
  if (NAMES.has(code)) return 'dns'
  if (!afterFirstByte && CONNECT.has(code)) return 'connect'
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code)) return 'tls'
  if (code.startsWith('HPE_') || /^UND_ERR_(HEADERS_OVERFLOW|RES_|INVALID_|REQ_|BAD_|NOT_SUPPORTED|RESPONSE)/.test(code)) return 'protocol'
  return 'reset'
}
