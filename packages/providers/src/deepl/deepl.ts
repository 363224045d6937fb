import { z } from 'zod'
import type { ChatPart } from '../chat.ts'
import type { ChatAdapter } from '../chat-adapter.ts'
import { lastQuestion } from '../content.ts'
import { BLAME } from '../failure.ts'
import { parseVendor, parseVendorJson } from '../json.ts'
import { explainOpenAi } from '../openai/explain.ts'
import { postJson } from '../post-json.ts'
import type { Provider } from '../provider.ts'
import { MODEL_SETTINGS, refuseUnsupported, type Unsupported } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'

/** A translation has no temperature and no length limit, but one text and one answer. */
const unsupported: Unsupported = {
  refuse: ['audio', 'n', 'logprobs', 'tools', 'response_format', 'image_url', 'input_audio', 'file'],
  drop: [...MODEL_SETTINGS, 'stop'],
}

const Translated = z.object({
  translations: z.array(z.object({ text: z.string(), billed_characters: z.number().optional() })),
})

const chat: ChatAdapter = {
  framing: 'sse',
  always: 'whole',
  encode(request, access) {
    refuseUnsupported('DeepL', unsupported, request)
    const headers = { authorization: `DeepL-Auth-Key ${access.key}` }
    const text = [lastQuestion(request.messages)]
    const body = { text, target_lang: targetOf(request.model), show_billed_characters: true }
    return postJson(`${baseUrlOf(access)}/v2/translate`, headers, body)
  },
  decode,
  streamDecoder: () => (event) => decode(parseVendorJson(event.data)),
}

const FREE = 'https://api-free.deepl.com'
const PAID = 'https://api.deepl.com'

/** Translation as chat: the user's last message, into the language in the model's name (`deepl-en-us`). */
export const deepl: Provider = {
  name: 'deepl',
  baseUrl: FREE,
  unsupported,
  chat,
  explain(status, body) {
    const failure = explainOpenAi(status, body)
    return status === 456 ? { ...failure, class: 'quota', blame: BLAME.quota } : failure
  },
}

/** Keys of the free plan end in `:fx`, and each plan has its own host. */
const baseUrlOf = ({ baseUrl, key }: Access) => (baseUrl === FREE && !key.endsWith(':fx') ? PAID : baseUrl)

function targetOf(model: string) {
  const dash = model.indexOf('-')
  return dash < 0 ? 'ZH' : model.slice(dash + 1).toUpperCase()
}

/** DeepL bills characters, not tokens. */
function decode(body: unknown): ChatPart[] {
  const { translations } = parseVendor(Translated, body)
  const billed = translations.flatMap(({ billed_characters }) => billed_characters ?? [])
  const characters = billed.reduce((sum, each) => sum + each, 0)
  return [
    { type: 'start', id: '', model: '' },
    ...translations.map(({ text }): ChatPart => ({ type: 'text', choice: 0, text })),
    { type: 'finish', choice: 0, reason: 'stop' },
    ...(billed.length === 0 ? [] : [{ type: 'usage', usage: { characters } } as const]),
  ]
}
