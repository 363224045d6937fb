import { describe, expect, test } from 'bun:test'
import { anthropicClient } from '../../testing/clients/anthropic-client.ts'
import { type Client, EXPECTED_RESULT, FIRST, PNG, SECOND } from '../../testing/clients/conversation.ts'
import { googleClient, googlePythonClient } from '../../testing/clients/google-client.ts'
import { openAiChatClient } from '../../testing/clients/openai-chat-client.ts'
import { openAiResponsesClient } from '../../testing/clients/openai-responses-client.ts'
import {
  vercelAnthropicClient,
  vercelChatClient,
  vercelGoogleClient,
  vercelResponsesClient,
} from '../../testing/clients/vercel-client.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { strictAnthropic } from '../../testing/vendors/strict-anthropic.ts'
import { strictBedrock } from '../../testing/vendors/strict-bedrock.ts'
import { strictGemini } from '../../testing/vendors/strict-gemini.ts'
import { strictOpenAi } from '../../testing/vendors/strict-openai.ts'
import { strictResponses } from '../../testing/vendors/strict-responses.ts'
import { type StrictVendor, strictVendor } from '../../testing/vendors/strict-vendor.ts'

/* Every official client library with every vendor dialect: parallel calls, their results, images, reasoning. */

/** Libraries that have no field for the reasoning of other vendors. */
const DEAF = new Set<Client>([vercelChatClient])

const CLIENTS: [string, Client][] = [
  ["Anthropic's client", anthropicClient],
  ["Google's client", googleClient],
  ["Google's client for Python", googlePythonClient],
  ["OpenAI's client with chats", openAiChatClient],
  ["OpenAI's client with responses", openAiResponsesClient],
  ['the Vercel AI SDK with chats', vercelChatClient],
  ['the Vercel AI SDK with responses', vercelResponsesClient],
  ['the Vercel AI SDK with messages', vercelAnthropicClient],
  ['the Vercel AI SDK with contents', vercelGoogleClient],
]

const VENDORS = [strictAnthropic, strictGemini, strictOpenAi, strictResponses, strictBedrock]

describe.each(CLIENTS)('%s', (_, client) => {
  test.each(VENDORS.map((vendor): [string, StrictVendor] => [vendor.name, vendor]))(
    'holds a conversation with tools over %s, whole and streamed',
    async (_name, vendor) => {
      const { app, channel, key } = await relayFixture()
      const upstream = strictVendor(vendor, [FIRST, SECOND])
      const { type, model, config = {} } = vendor
      await channel(model, { type, base_url: upstream.url, config: JSON.stringify(config) })
      for (const streamed of [false, true]) {
        const received = await client({ url: app.url, key, model, streamed })
        expect({ ...received, streamed }).toEqual({
          ...EXPECTED_RESULT,
          ...(DEAF.has(client) ? { thinking: undefined } : {}),
          streamed,
        })
      }
      expect(upstream.journal).toHaveLength(4)
      // Google itself reads both alphabets of base64, and gets what its client wrote.
      if (vendor !== strictGemini) for (const { body } of upstream.journal) expect(JSON.stringify(body)).toContain(PNG)
      expect(await app.audit()).toEqual([])
    },
  )
})
