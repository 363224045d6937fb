import { FIRST } from '../../packages/server/src/testing/clients/conversation.ts'
import { strictAnthropic } from '../../packages/server/src/testing/vendors/strict-anthropic.ts'
import { strictBedrock } from '../../packages/server/src/testing/vendors/strict-bedrock.ts'
import { strictCohere } from '../../packages/server/src/testing/vendors/strict-cohere.ts'
import { strictDashScope } from '../../packages/server/src/testing/vendors/strict-dashscope.ts'
import { strictGemini } from '../../packages/server/src/testing/vendors/strict-gemini.ts'
import { strictGrok } from '../../packages/server/src/testing/vendors/strict-grok.ts'
import { strictMistral } from '../../packages/server/src/testing/vendors/strict-mistral.ts'
import { strictOllama } from '../../packages/server/src/testing/vendors/strict-ollama.ts'
import { strictOpenAi } from '../../packages/server/src/testing/vendors/strict-openai.ts'
import { strictResponses } from '../../packages/server/src/testing/vendors/strict-responses.ts'
import type { Fields, StrictVendor } from '../../packages/server/src/testing/vendors/strict-vendor.ts'
import { nextAnswer } from './model.ts'

/** The channels every program is tested with: one of each dialect that agents use. */
export const CHANNELS = {
  anthropic: strictAnthropic,
  // Gemini CLI requests this one when its predecessor is named.
  gemini: { ...strictGemini, model: 'gemini-3.1-pro-preview' },
  chat: strictOpenAi,
  responses: strictResponses,
} satisfies Record<string, StrictVendor>

/** Vendors with another dialect, or with rules of their own for one of these. */
const OTHERS: Readonly<Record<string, StrictVendor>> = {
  bedrock: strictBedrock,
  mistral: strictMistral,
  cohere: strictCohere,
  xai: strictGrok,
  ollama: strictOllama,
  dashscope: strictDashScope,
}

export const channelsFor = ({ everywhere }: { everywhere: boolean }): Readonly<Record<string, StrictVendor>> =>
  everywhere ? { ...CHANNELS, ...OTHERS } : CHANNELS

export type ChannelName = keyof typeof CHANNELS

export interface FakeVendor {
  url: string
  stop(): Promise<void>
}

/** What happens at the vendors during one run of a program. */
export interface Run {
  folder: string
  /** Vendors' complaints. */
  complaints: string[]
  /** Answered bodies. */
  asked: Fields[]
  /** Long answers that are still being sent. */
  open: number
}

/** Runs are sequential, so the current one is simply the last. */
export const startVendor = (vendor: StrictVendor, current: () => Run): FakeVendor => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const run = current()
      const path = new URL(request.url).pathname
      const body: Fields = await request.json()
      const own = vendor.dialectAt?.(path) ?? vendor
      const complaint = own.complaint(body, FIRST.thinking)
      if (complaint !== undefined) {
        run.complaints.push(complaint)
        return Response.json({ error: { message: complaint, type: 'invalid_request_error' } }, { status: 400 })
      }
      run.asked.push(body)
      const answer = { ...nextAnswer(body, run.folder), id: `answer${run.asked.length}` }
      if (!own.isStream(path, body, request.headers)) return Response.json(own.whole(answer))
      const { type, bytes } = own.stream(answer)
      return new Response(slowly(bytes, run), { headers: { 'content-type': type } })
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

const PIECE_BYTES = 1024
/** Short answers are sent at once; a long one takes half a minute, so that it can be interrupted. */
const PIECE_MS = 30

function slowly(bytes: Uint8Array, run: Run) {
  let at = 0
  run.open++
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (at >= bytes.length) {
        run.open--
        return controller.close()
      }
      if (at > 0) await Bun.sleep(PIECE_MS)
      controller.enqueue(bytes.slice(at, at + PIECE_BYTES))
      at += PIECE_BYTES
    },
    cancel() {
      run.open--
    },
  })
}
