import { z } from 'zod'

const size = (what: string, least: number, flag: string, aliases: string[], group: string) =>
  z.int().min(least).optional().describe(`${what} per request (default 1)`).meta({ flag, aliases, group })

/** How many of each kind of content a request has. */
export const batchSize = {
  prompt: size('Texts', 1, '--prompt-batch-size', ['--batch-size-text', '--batch-size', '-b'], 'Prompt'),
  image: size('Images', 0, '--image-batch-size', ['--batch-size-image'], 'Image Input'),
  audio: size('Audio clips', 0, '--audio-batch-size', ['--batch-size-audio'], 'Audio Input'),
  video: size('Videos', 0, '--video-batch-size', ['--batch-size-video'], 'Video Input'),
}
