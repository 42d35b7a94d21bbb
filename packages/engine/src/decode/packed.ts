/** Whether a body is packed by gzip, as some proxies do although they are asked not to. */
export const isPacked = (body: Uint8Array): boolean => body[0] === 0x1f && body[1] === 0x8b

/** The content of a packed body; throws when it cannot be read. One that was cut is read as far as it came. */
export function unpacked(body: Uint8Array): Buffer {
  const { constants, gunzipSync } = process.getBuiltinModule('node:zlib')
  return gunzipSync(body, { finishFlush: constants.Z_SYNC_FLUSH })
}
