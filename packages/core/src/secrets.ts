/** What stands in files and on screens in place of a secret. */
export const REDACTED = '<redacted>'

/** Headers whose values are secrets, or join a run to a person or a session. */
const SECRET_HEADER = /^(authorization|proxy-authorization|cookie|set-cookie|x-session-affinity)$|api-?key|[-_]key$|token|secret|password|credential|signature/i

/**
 * A header's value as files and screens may show it: `REDACTED` when the name says that it is a secret (`Authorization`, `Cookie`,
 * `api-key`, anything with `token` or `secret` in it), else the value. Names are compared without regard to case.
 */
export const redactHeader = (name: string, value: string): string => (SECRET_HEADER.test(name) ? REDACTED : value)

/** A text with `user:password@` replaced in every URL that it holds. */
export const withoutUserInfo = (text: string): string => text.replaceAll(/\/\/[^/@\s"']*@/g, `//${REDACTED}@`)
