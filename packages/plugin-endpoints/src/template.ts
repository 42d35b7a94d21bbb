import { ConfigurationError, defineEndpoint, type Endpoint, type EndpointContext, type WireRequest } from '@aiperf/core'
import { inputTexts } from './body/input-texts.js'
import { jsonRequest, merged, modelOf } from './body/json-request.js'
import { bodyTemplate, templateVariables } from './body/template.js'
import { encodeError, lastTurn } from './body/turn.js'
import { DetectingReader } from './decode/detected.js'
import { FrameDecoder } from './decode/frame-decoder.js'
import { objectOf, stringOf } from './decode/json.js'
import { responseSearch } from './decode/response-path.js'
import type options from './template.options.js'

type Context = EndpointContext<(typeof options)['_zod']['output']>

/** Any JSON service: the body from a Jinja2 template, the answer by a JMESPath expression. */
export default defineEndpoint<typeof options>({
  async create(context): Promise<Endpoint> {
    const { source, responseField, extraInputs } = settings(context)
    const [render, search] = await Promise.all([bodyTemplate(source), responseSearch(responseField)])
    return {
      encode(input): WireRequest {
        const turn = lastTurn(input)
        const rendered = objectOf(render(templateVariables(input, modelOf(turn, context.models), context.streaming)))
        if (rendered === undefined) throw encodeError('the payload template must render to a JSON object')
        return jsonRequest(merged(rendered, extraInputs, turn), context)
      },
      decoder: () => new FrameDecoder(new DetectingReader(search, false)),
      inputTexts,
    }
  },
})

/** Template and response field may stand among the extra inputs too; there they are no part of the body. */
function settings({ options, extraInputs }: Context): { source: string; responseField: string; extraInputs: Context['extraInputs'] } {
  const { payload_template: template, response_field: field, ...rest } = extraInputs
  const source = stringOf(template) || options.payloadTemplate || ''
  if (source === '') {
    throw new ConfigurationError([{ flags: ['--endpoint-type', 'endpoint.options.payloadTemplate'], message: 'The endpoint type template needs a template, and none was given.', hint: "Give --extra-inputs 'payload_template:<text, file or built-in name>', or endpoint.options.payloadTemplate in a config file." }])
  }
  return { source, responseField: stringOf(field) || options.responseField || 'text', extraInputs: rest }
}
