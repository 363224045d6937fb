import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from 'ai'
import {
  CLOCK_SCHEMA,
  type Client,
  PNG,
  QUESTION,
  REPORT,
  type Setting,
  SYSTEM,
  TIME,
  WEATHER_SCHEMA,
} from './conversation.ts'

/** The SDK drives the conversation itself: it calls the tools and sends their results. */
const vercel =
  (modelOf: (setting: Setting) => LanguageModel): Client =>
  async (setting) => {
    const request = {
      model: modelOf(setting),
      system: SYSTEM,
      maxRetries: 0,
      stopWhen: stepCountIs(3),
      messages: [
        {
          role: 'user' as const,
          content: [
            { type: 'text' as const, text: QUESTION },
            { type: 'image' as const, image: PNG, mediaType: 'image/png' },
          ],
        },
      ],
      tools: {
        weather: tool({
          description: 'The weather',
          inputSchema: jsonSchema(WEATHER_SCHEMA as Parameters<typeof jsonSchema>[0]),
          execute: async () => JSON.parse(REPORT),
        }),
        clock: tool({ inputSchema: jsonSchema(CLOCK_SCHEMA), execute: async () => TIME }),
      },
    }
    const steps = setting.streamed ? await streamText(request).steps : (await generateText(request)).steps
    const [first, second] = steps
    return {
      thinking: first?.reasoningText,
      text: first?.text ?? '',
      calls: (first?.toolCalls ?? []).map(({ toolName, input }) => ({ name: toolName, args: input })),
      stopped: first?.finishReason === 'tool-calls' ? 'calls' : first?.finishReason,
      tokens: { input: first?.usage.inputTokens ?? 0, output: first?.usage.outputTokens ?? 0 },
      answer: second?.text ?? '',
    }
  }

const provider = ({ url, key }: Setting) => createOpenAI({ baseURL: `${url}/v1`, apiKey: key })

export const vercelChatClient = vercel((setting) => provider(setting).chat(setting.model))

export const vercelAnthropicClient = vercel(({ url, key, model }) =>
  createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(model),
)

export const vercelGoogleClient = vercel(({ url, key, model }) =>
  createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: key })(model),
)

export const vercelResponsesClient = vercel((setting) => provider(setting).responses(setting.model))
