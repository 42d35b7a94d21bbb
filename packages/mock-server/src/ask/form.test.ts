import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AskError } from './ask.js'
import { parseForm } from './form.js'

/** A form as the platform's own encoder writes it. */
async function encoded(form: FormData): Promise<[Buffer, string]> {
  const response = new Response(form)
  return [Buffer.from(await response.arrayBuffer()), response.headers.get('content-type')!]
}

test('what FormData encodes is read back: names, texts, and the bytes of files', async () => {
  const name = fc.string({ unit: 'binary', minLength: 1 }).map((text) => text.replace(/[\r\n]/g, '').toWellFormed()).filter((text) => text !== '' && !/%(22|0D|0A)/.test(text))
  const part = fc.record({ name, fileName: fc.option(name, { nil: undefined }), bytes: fc.uint8Array({ maxLength: 300 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
      const form = new FormData()
      for (const { name, fileName, bytes } of parts) {
        if (fileName === undefined) form.append(name, Buffer.from(bytes).toString('hex'))
        else form.append(name, new Blob([bytes], { type: 'image/png' }), fileName)
      }
      const read = parseForm(...(await encoded(form)))
      const texts = parts.filter((part) => part.fileName === undefined)
      for (const { name } of texts) expect(read.values[name]).toBe(Buffer.from(texts.findLast((part) => part.name === name)!.bytes).toString('hex'))
      const files = parts.filter((part) => part.fileName !== undefined).map(({ name, fileName, bytes }) => ({ name, fileName, contentType: 'image/png', bytes: Buffer.from(bytes) }))
      expect(read.files).toEqual(files)
    }),
  )
})

test('a file may hold what looks like a delimiter, and be large', async () => {
  const bytes = Buffer.concat([Buffer.alloc(8 << 20, 'x'), Buffer.from('\r\n--abcd\r\n--ab c\r\n\r\n--ab-x')])
  const body = Buffer.concat([Buffer.from('preamble\r\n--ab\r\nContent-Disposition: form-data; name=f; filename="a b"\r\n\r\n'), bytes, Buffer.from('\r\n--ab--\r\nepilogue')])
  const { files } = parseForm(body, 'multipart/form-data; boundary=ab')
  expect(files).toHaveLength(1)
  expect(files[0]!.bytes.equals(bytes)).toBe(true)
  expect(parseForm(Buffer.from('--a b--'), 'multipart/form-data; boundary="a b"; charset=utf-8')).toEqual({ values: {}, files: [] })
})

test.each(['', '--ab', '--ab\r\n', '--ab\r\n\r\nx\r\n--ab--', '--ab\r\nContent-Disposition: form-data; name="x"\r\n\r\nvalue', '--ab\r\nContent-Disposition: form-data; name="x"\r\n\r\nvalue\r\n--abc--'])(
  'a form that is none is refused: %j',
  (body) => expect(() => parseForm(Buffer.from(body), 'multipart/form-data; boundary=ab')).toThrow(AskError),
)

test('a form cut anywhere is refused', async () => {
  const form = new FormData()
  form.append('prompt', 'a cat')
  form.append('image', new Blob(['bytes']), 'image.png')
  const [body, type] = await encoded(form)
  for (let end = 0; end < body.length - 4; end++) expect(() => parseForm(body.subarray(0, end), type), `${end} bytes`).toThrow(AskError)
})
