import { strictOpenAi } from './strict-openai.ts'
import { strictResponses } from './strict-responses.ts'
import { fields, firstOf, list, type StrictVendor } from './strict-vendor.ts'

/** xAI's chat, whose reasoning models refuse some parameters whatever their value, and its Responses without OpenAI's own tools. */
export const strictGrok: StrictVendor = {
  ...strictOpenAi,
  name: 'xAI',
  type: 45,
  model: 'grok-4',
  dialectAt: (path) => (path.endsWith('/responses') ? responses : undefined),
  complaint: (body, signed) =>
    firstOf(
      ...['presence_penalty', 'frequency_penalty', 'stop', 'reasoning_effort', 'top_k', 'logit_bias'].map(
        (name) => body[name] !== undefined && `Model grok-4 does not support parameter ${name}.`,
      ),
      strictOpenAi.complaint(body, signed),
    ),
}

const HOSTED = ['web_search', 'x_search', 'code_interpreter', 'file_search', 'mcp']

const responses: ReturnType<NonNullable<StrictVendor['dialectAt']>> = {
  ...strictResponses,
  complaint: (body, signed) =>
    firstOf(
      ...list(body.tools)
        .map((tool) => String(fields(tool).type))
        .map((type) => type !== 'function' && !HOSTED.includes(type) && `invalid-argument: tools.type ${type}`),
      strictResponses.complaint(body, signed),
    ),
}
