/** A PNG image of one pixel, in base64. */
export const PNG_BASE64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** The boxes of an MP4 file with nothing to play in it, `bytes` long, 32 at the least. */
export function mp4(bytes: number): Buffer {
  const file = Buffer.alloc(bytes)
  file.writeUInt32BE(24)
  file.write('ftypisom\0\0\x02\0isommp41', 4, 'latin1')
  file.writeUInt32BE(bytes - 24, 24)
  file.write('free', 28, 'latin1')
  return file
}
