/** States of the parser within the line that states a chunk's size, behind the size. */
export const FAILED = 10
export const CHUNK_LINE_LF = 11
export const EXTENSION = 12
const EXTENSION_NAME = 13
const EXTENSION_VALUE = 14
const EXTENSION_QUOTED = 15
const EXTENSION_ESCAPE = 16
const EXTENSION_QUOTED_END = 17

const CR = 13
export const SEMICOLON = 0x3b
const EQUALS = 0x3d
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** 1 for the bytes of a token (RFC 9110, 5.6.2). */
const TOKEN = new Uint8Array(256)
for (const c of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") TOKEN[c.charCodeAt(0)] = 1
/** Value of a hexadecimal digit plus one; 0 for other bytes. */
export const HEX = new Uint8Array(256)
for (let i = 0; i < 16; i++) {
  HEX['0123456789abcdef'.charCodeAt(i)] = i + 1
  HEX['0123456789ABCDEF'.charCodeAt(i)] = i + 1
}

/** Chunk extensions are read to find the end of the line, and otherwise ignored (RFC 9112, 7.1.1). */
export function extensionState(state: number, byte: number): number {
  switch (state) {
    case EXTENSION:
    case EXTENSION_NAME:
      if (TOKEN[byte] === 1) return EXTENSION_NAME
      if (byte === EQUALS) return EXTENSION_VALUE
      if (state === EXTENSION && byte === CR) return FAILED
      break
    case EXTENSION_VALUE:
      if (TOKEN[byte] === 1) return EXTENSION_VALUE
      if (byte === QUOTE) return EXTENSION_QUOTED
      break
    case EXTENSION_QUOTED:
      if (byte === QUOTE) return EXTENSION_QUOTED_END
      if (byte === BACKSLASH) return EXTENSION_ESCAPE
      return byte < 0x20 && byte !== 9 ? FAILED : EXTENSION_QUOTED
    case EXTENSION_ESCAPE:
      return byte < 0x20 && byte !== 9 ? FAILED : EXTENSION_QUOTED
  }
  return byte === SEMICOLON ? EXTENSION : byte === CR ? CHUNK_LINE_LF : FAILED
}
