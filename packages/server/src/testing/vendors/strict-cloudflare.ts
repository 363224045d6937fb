import { strictOpenAi } from './strict-openai.ts'
import { fields, firstOf, list, type StrictVendor } from './strict-vendor.ts'

/** Workers AI in OpenAI's dialect: each message has content, and for a text model it is a string. */
export const strictCloudflare: StrictVendor = {
  ...strictOpenAi,
  name: "Cloudflare's Workers AI",
  type: 37,
  model: '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
  config: { user_id: 'an-account' },
  complaint(body, signed) {
    const all = list(body.messages).map(fields)
    return firstOf(
      ...all.map(({ content }, index) =>
        typeof content === 'string'
          ? undefined
          : `AiError: Bad input: Type mismatch of '/messages/${index}/content', not in 'string'`,
      ),
      strictOpenAi.complaint(body, signed),
    )
  },
}
