import { expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import type { ChatRequest } from './chat.ts'
import { providerOf } from './registry.ts'
import { aRequest, ENCODE_CONTEXT, FULL_ACCESS, WEATHER } from './testing/vendor-kit.ts'

/* Libraries for structured answers require a call of one tool. Every vendor that knows tools is asked for it, or offered that tool alone. */

const CLOCK = { ...WEATHER, name: 'clock' }

/** Palm is shut down, and answers so. */
const CHATS = CHANNEL_TYPES.flatMap(({ key, value }) => {
  const { chat, unsupported } = providerOf(value) ?? {}
  return chat === undefined || unsupported?.refuse.includes('tools') || key === 'palm' ? [] : [[key, chat] as const]
})

const ASKED: [how: string, request: Partial<ChatRequest>][] = [
  ['by its name', { tools: [CLOCK, WEATHER], toolChoice: { name: 'weather' } }],
  ['as the only one', { tools: [WEATHER], toolChoice: 'required' }],
  ['as one of several', { tools: [CLOCK, WEATHER], toolChoice: 'required' }],
]

test.each(CHATS)('%s: a tool that has to be called is never refused', async (_, chat) => {
  for (const [how, request] of ASKED) {
    const encoded = chat.encode(aRequest({ model: 'Spark-Max', ...request }), FULL_ACCESS, ENCODE_CONTEXT)
    const { body = '' } = await encoded
    const text = String(body)
    const isOffered = (name: string) => text.includes(`"${name}"`)
    expect([how, isOffered('weather')]).toEqual([how, true])
    const isTold = /"tool_?choice"|"tool_?config"|"toolChoice"/i.test(text)
    if (how === 'by its name') expect([isTold || !isOffered('clock'), text]).toEqual([true, text])
  }
})
