import { pdfOf, wavOf } from '../sample-files.ts'
import {
  anthropic,
  type Dialect,
  google,
  heldChat,
  openAi,
  RECORDINGS,
  responding,
  SHARES,
  shareOf,
} from './held-call.ts'
import { generate, messages, responses } from './reports.ts'

const PICTURE = `data:image/png;base64,${'iVBORw0K'.repeat(20_000)}`
/** A square of 1024 pixels, and an image of the largest size a model uses. */
const SEEN: readonly (readonly [dialect: Dialect, square: number, large: number])[] = [
  [openAi('gpt-4o'), 765, 1105],
  [openAi('gpt-4o-mini'), 25_501, 36_835],
  [openAi('gpt-4.1-mini'), 1659, 2488],
  [openAi('gpt-4.1-nano'), 2519, 3779],
  [responding('gpt-5-nano'), 2519, 3779],
  [anthropic('claude-sonnet-4-5'), 1398, 1600],
  [google('gemini-2.5-flash'), 1032, 2064],
]

const pictureIn = ({ reply }: Dialect) => {
  if (reply === messages) {
    return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE.slice(22) } }
  }
  if (reply === generate) return { inlineData: { mimeType: 'image/png', data: PICTURE.slice(22) } }
  if (reply === responses) return { type: 'input_image', image_url: PICTURE }
  return { type: 'image_url', image_url: { url: PICTURE } }
}
const words = ({ reply }: Dialect, text: string) =>
  reply === generate ? { text } : { type: reply === responses ? 'input_text' : 'text', text }

const pictures = SEEN.flatMap(([dialect, square, large]) =>
  [square, large].flatMap((tokens) =>
    [1, 4].flatMap((count) =>
      SHARES.map((_, at) => {
        const content = [words(dialect, 'What is this?'), ...Array.from({ length: count }, () => pictureIn(dialect))]
        const used = { input: 11 + count * tokens, output: shareOf(300, at) }
        return heldChat(dialect, { name: `${count} pictures of ${tokens} tokens`, content, used, limit: 300 })
      }),
    ),
  ),
)

/** Sparse and dense pages: Anthropic and OpenAI count text and image, Google 258. */
const PRINT = { sparse: 1600, full: 2800 }

const documents = [anthropic('claude-sonnet-4-5'), openAi('gpt-4o'), google('gemini-2.5-flash')].flatMap((dialect) =>
  [1, 20, 100].flatMap((pages) =>
    Object.entries(PRINT).flatMap(([print, tokens]) =>
      [false, true].map((packed) => {
        const data = pdfOf({ pages, packed }).toString('base64')
        const file = {
          anthropic: { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } },
          openai: { type: 'file', file: { filename: 'tides.pdf', file_data: `data:application/pdf;base64,${data}` } },
          google: { inlineData: { mimeType: 'application/pdf', data } },
        }
        const whose = dialect.reply === messages ? 'anthropic' : dialect.reply === generate ? 'google' : 'openai'
        const used = { input: 10 + pages * (whose === 'google' ? 258 : tokens), output: 150 }
        const name = `${pages} pages, ${print}${packed ? ', packed' : ''}`
        return heldChat(dialect, { name, content: [words(dialect, 'Sum it up.'), file[whose]], used, limit: 400 })
      }),
    ),
  ),
)

const received = RECORDINGS.map(({ seconds, rate }) => {
  const dialect = google('gemini-2.5-flash')
  const data = wavOf({ seconds, rate }).toString('base64')
  const content = [words(dialect, 'Who speaks?'), { inlineData: { mimeType: 'audio/wav', data } }]
  const used = { input: 8, audioInput: seconds * 32, output: 90 }
  return heldChat(dialect, { name: `${seconds} s at ${rate} Hz`, content, used, limit: 200 })
})

/** Chats with images, documents and recordings in the prompt. */
export const heldFiles = [...pictures, ...documents, ...received]
