/** The bytes received are no legal HTTP/1.1 response. `code` names the fault. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
