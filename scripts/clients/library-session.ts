// Run with the libraries of the scratch folder: one client library holds the conversation that the tests hold with the
// versions of the lockfile, is interrupted, and is refused. Prints what went wrong at each step, as JSON.
import { isDeepStrictEqual } from 'node:util'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { type LanguageModel, streamText } from 'ai'
import OpenAI from 'openai'
import { anthropicClient } from '../../packages/server/src/testing/clients/anthropic-client.ts'
import { type Client, EXPECTED_RESULT, type Setting } from '../../packages/server/src/testing/clients/conversation.ts'
import { googleClient } from '../../packages/server/src/testing/clients/google-client.ts'
import { openAiChatClient } from '../../packages/server/src/testing/clients/openai-chat-client.ts'
import { openAiResponsesClient } from '../../packages/server/src/testing/clients/openai-responses-client.ts'
import {
  vercelAnthropicClient,
  vercelChatClient,
  vercelGoogleClient,
  vercelResponsesClient,
} from '../../packages/server/src/testing/clients/vercel-client.ts'
import type { LibraryName, LibraryOrder, LibraryReport } from './libraries.ts'
import { PROMPTS } from './model.ts'

interface Library {
  converse: Client
  /** A stream of whatever the library returns, with its own retries. */
  tell(setting: Setting, signal: AbortSignal): Promise<AsyncIterable<unknown>>
}

const messages = [{ role: 'user' as const, content: PROMPTS.abort }]
const chatTell: Library['tell'] = ({ url, key, model }, signal) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: key }).chat.completions.create(
    { model, messages, stream: true },
    { signal },
  )
const vercelTell =
  (modelOf: (setting: Setting) => LanguageModel): Library['tell'] =>
  async (setting, abortSignal) =>
    thrown(streamText({ model: modelOf(setting), messages, abortSignal, onError: () => {} }).fullStream)
const vercelOpenAi = vercelTell(({ url, key, model }) =>
  createOpenAI({ baseURL: `${url}/v1`, apiKey: key }).chat(model),
)

/** This library reports errors as parts of the stream. */
async function* thrown(parts: AsyncIterable<{ type: string; error?: unknown }>) {
  for await (const part of parts) {
    if (part.type === 'error') throw part.error
    yield part
  }
}

const LIBRARIES: Record<LibraryName, Library> = {
  'openai with chats': { converse: openAiChatClient, tell: chatTell },
  'openai with responses': {
    converse: openAiResponsesClient,
    tell: ({ url, key, model }, signal) =>
      new OpenAI({ baseURL: `${url}/v1`, apiKey: key }).responses.create(
        { model, input: PROMPTS.abort, stream: true },
        { signal },
      ),
  },
  '@anthropic-ai/sdk': {
    converse: anthropicClient,
    tell: ({ url, key, model }, signal) =>
      new Anthropic({ baseURL: url, apiKey: key }).messages.create(
        { model, messages, max_tokens: 4000, stream: true },
        { signal },
      ),
  },
  '@google/genai': {
    converse: googleClient,
    tell: ({ url, key, model }, abortSignal) =>
      new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } }).models.generateContentStream({
        ...{ model, contents: PROMPTS.abort, config: { abortSignal } },
      }),
  },
  'ai with chats': { converse: vercelChatClient, tell: vercelOpenAi },
  'ai with responses': { converse: vercelResponsesClient, tell: vercelOpenAi },
  'ai with messages': {
    converse: vercelAnthropicClient,
    tell: vercelTell(({ url, key, model }) => createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(model)),
  },
  'ai with contents': {
    converse: vercelGoogleClient,
    tell: vercelTell(({ url, key, model }) =>
      createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: key })(model),
    ),
  },
}

const order: LibraryOrder = JSON.parse(process.argv[2] ?? '')
const library = LIBRARIES[order.library]
console.log(JSON.stringify(order.refusal ? await refused() : await session()))

async function session(): Promise<LibraryReport> {
  const report: LibraryReport = {}
  for (const streamed of [false, true]) {
    const step = streamed ? 'streamed' : 'whole'
    report[step] = await library.converse({ ...order, streamed }).then(faultOf, String)
  }
  report.abort = await interrupted()
  return report
}

/** A library may have no field for reasoning. */
function faultOf({ thinking, ...received }: Awaited<ReturnType<Client>>) {
  const { thinking: thought, ...wanted } = EXPECTED_RESULT
  if (thinking !== undefined && thinking !== '' && thinking !== thought) return `it thought "${thinking}"`
  return isDeepStrictEqual(received, wanted) ? null : `it received ${JSON.stringify(received)}`
}

async function interrupted() {
  const controller = new AbortController()
  try {
    for await (const _ of await library.tell({ ...order, streamed: true }, controller.signal)) controller.abort()
    return null
  } catch (error) {
    return controller.signal.aborted ? null : String(error)
  }
}

/** The library's exception contains the gateway's reason. */
async function refused(): Promise<LibraryReport> {
  try {
    for await (const _ of await library.tell({ ...order, streamed: true }, new AbortController().signal));
    return { refusal: 'it was answered' }
  } catch (error) {
    return { said: String(error) }
  }
}
