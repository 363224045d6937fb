import { failureOf, VendorError } from '../failure.ts'
import { explainOpenAi } from '../openai/explain.ts'
import type { Provider } from '../provider.ts'

const gone = (): never => {
  throw new VendorError(
    failureOf('auth', 'Google has shut down PaLM 2: use a channel of type Gemini (24) instead', {
      status: 410,
      code: 'discontinued',
    }),
  )
}

/** Shut down by Google in 2024. The type stays, so that an old channel explains what happened. */
export const palm: Provider = {
  name: 'palm',
  baseUrl: 'https://generativelanguage.googleapis.com',
  chat: { framing: 'sse', encode: gone, decode: gone, streamDecoder: gone },
  explain: explainOpenAi,
}
