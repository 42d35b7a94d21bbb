import type { HttpRequest } from '../http/request.js'
import { AskError, type Ask } from './ask.js'
import type { Fields } from './fields.js'
import { submitted } from './form-fields.js'

export interface ImagesAsk extends Ask {
  readonly kind: 'image_generation' | 'image_edit'
  readonly asUrl: boolean
  readonly size: string
  readonly quality: string
  readonly format: string
}

/** Values of a form that are no text. */
const TYPED = ['n', 'stream', 'partial_images']

/** Reads what asks for images: JSON, or a form. */
export function readGeneration(request: HttpRequest): ImagesAsk {
  return asked(submitted(request, undefined, TYPED).fields, 'image_generation')
}

/** Reads what asks for an edited image: a form with `image` or `image[]` files, or a `url` as SGLang has it, or JSON. */
export function readEdit(request: HttpRequest): ImagesAsk {
  const { fields, files } = submitted(request, request.header('content-type'), TYPED)
  const images = files.filter(({ name, bytes }) => (name === 'image' || name === 'image[]') && bytes.length > 0)
  if (images.length === 0 && fields.get('url') === undefined && fields.get('image') === undefined && fields.get('images') === undefined) throw new AskError('image: this field is required')
  return asked(fields, 'image_edit')
}

function asked(fields: Fields, kind: ImagesAsk['kind']): ImagesAsk {
  fields.required('prompt')
  const prompt = fields.string('prompt')!
  const common = fields.common()
  const previews = Math.min(3, fields.integer('partial_images', 0) ?? 0)
  return {
    ...common,
    // A stream shows one image as it comes about; else there are as many as asked for.
    pieces: common.stream ? previews + 1 : (fields.integer('n', 1) ?? 1),
    prompt: { texts: [prompt], whole: prompt },
    promptChars: prompt.length,
    kind,
    asUrl: fields.string('response_format') === 'url',
    size: fields.string('size') ?? '1024x1024',
    quality: fields.string('quality') ?? 'high',
    format: fields.string('output_format') ?? 'png',
  }
}
