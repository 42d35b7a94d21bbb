/** Headers whose values are secrets, or join a run to a person or a session. Compared without regard to case. */
const SECRET = /^(authorization|proxy-authorization|cookie|set-cookie|x-session-affinity)$|api-?key|token|secret|password|credential|signature/i

export const REDACTED = '<redacted>'

/** The headers with the values of secret ones replaced by `<redacted>`. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, SECRET.test(name) ? REDACTED : value]))
}
