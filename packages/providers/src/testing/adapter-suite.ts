import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { ChatPart } from '../chat.ts'
import type { ChatAdapter, StreamEvent } from '../chat-adapter.ts'
import { type Answer, collect, textOfType, toolCalls } from '../collect.ts'
import { VendorError } from '../failure.ts'
import { inputTokens, outputTokens } from '../usage.ts'
import { complaintsOfAiSdk } from './ai-sdk-readers.ts'
import { expectDialects } from './dialect-round-trip.ts'
import { mutationsOf } from './mutations.ts'
import { decodeStream, expectPrefixes } from './vendor-kit.ts'

/* The requirements of every adapter, written once. */

export interface SuiteVendor {
  name: string
  chat: ChatAdapter
  /** Each is one answer, whole and streamed, and the vendor's token counts for it. */
  answers: Record<string, SuiteAnswer>
  /** Events without content: of an unknown type, and of a known type without content. */
  silent: readonly StreamEvent[]
  /** An error in the middle of a stream. */
  failure: StreamEvent
  /** A call whose arguments arrive in these deltas; absent when there are no calls. */
  call?(pieces: readonly string[]): StreamEvent[]
}

interface SuiteAnswer {
  /** Absent when the vendor only streams, or streams less. */
  whole?: unknown
  events: readonly StreamEvent[]
  /** Absent when the vendor reports no usage. */
  tokens?: { input: number; output: number }
}

export function adapterSuite({ name, chat, answers, silent, failure, call }: SuiteVendor) {
  for (const [title, { whole, events, tokens }] of Object.entries(answers)) {
    if (whole !== undefined)
      test(`${name}: ${title}, whole and streamed, is the same answer`, () => {
        expect(contentOfAnswer(collect(decodeStream(chat, events)))).toEqual(
          contentOfAnswer(collect(chat.decode(whole))),
        )
      })

    test(`${name}: ${title} is counted in buckets that add up to the vendor's usage`, () => {
      const { usage } = collect(decodeStream(chat, events))
      expect(usage === undefined).toBe(tokens === undefined)
      if (usage === undefined || tokens === undefined) return
      expect(Object.values(usage).every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true)
      expect({ input: inputTokens(usage), output: outputTokens(usage) }).toEqual(tokens)
    })

    test(`${name}: ${title} may be cut after any event`, () => expectPrefixes(chat, events))

    test(`${name}: ${title} may be cut at any byte, and is then a part or a failure`, () => expectCuts(chat, events))

    test(`${name}: whatever ${title} has in place of a member, it is an answer or a failure`, () => {
      for (const mutation of mutationsOf(whole)) partsOrFailure(() => chat.decode(mutation))
      expectMutations(chat, events)
    })

    test(`${name}: ${title} can be expressed in every dialect`, () => {
      expectDialects(decodeStream(chat, events))
      if (whole !== undefined) expectDialects(chat.decode(whole))
    })

    test(`${name}: ${title} is read by the Vercel AI SDK in every dialect`, async () => {
      expect(await complaintsOfAiSdk(decodeStream(chat, events))).toEqual([])
      if (whole !== undefined) expect(await complaintsOfAiSdk(chat.decode(whole))).toEqual([])
    })

    test(`${name}: events without content do not change ${title}`, () => {
      const mixed = events.flatMap((event) => [...silent, event])
      expect(contentOfAnswer(collect(decodeStream(chat, mixed)))).toEqual(
        contentOfAnswer(collect(decodeStream(chat, events))),
      )
    })

    test(`${name}: a failure in the middle of ${title} is reported as one`, () => {
      for (const [count] of events.entries()) {
        const decode = chat.streamDecoder()
        for (const event of events.slice(0, count)) decode(event)
        expect(() => decode(failure)).toThrow(VendorError)
      }
    })
  }

  if (call === undefined) return
  test(`${name}: arguments of a megabyte arrive whole`, () => {
    const text = JSON.stringify({ text: 'x"\\é'.repeat(250_000) })
    const pieces = text.match(/[\s\S]{1,1000}/g) ?? []
    const [choice] = collect(decodeStream(chat, call(pieces))).choices
    const [first] = choice === undefined ? [] : toolCalls(choice)
    expect(JSON.parse(first?.arguments ?? '')).toEqual(JSON.parse(text))
  })
}

/** The content of an answer, without what differs from call to call. */
export const contentOfAnswer = ({ choices, usage }: Answer) => ({
  usage,
  choices: choices.map((choice) => ({
    text: textOfType(choice, 'text'),
    reasoning: textOfType(choice, 'reasoning'),
    refusal: textOfType(choice, 'refusal'),
    signatures: choice.blocks.flatMap((block) => ('signature' in block ? [block.signature] : [])),
    calls: toolCalls(choice).map((own) => ({ name: own.name, arguments: JSON.parse(own.arguments) })),
    citations: choice.citations,
    logprobs: choice.logprobs,
    media: choice.blocks.flatMap((block) => ('base64' in block ? [block] : [])),
    finish: choice.finish,
  })),
})

/** The framing delivers whole events; a partial one must not break anything. */
function expectCuts(chat: ChatAdapter, events: readonly StreamEvent[]) {
  const decoder = new TextDecoder()
  for (const [place, { event, data }] of events.entries()) {
    const bytes = new TextEncoder().encode(data)
    for (let length = 0; length < bytes.length; length++) {
      const decode = chat.streamDecoder()
      for (const before of events.slice(0, place)) decode(before)
      partsOrFailure(() => decode({ event, data: decoder.decode(bytes.subarray(0, length)) }))
    }
  }
}

function expectMutations(chat: ChatAdapter, events: readonly StreamEvent[]) {
  for (const [place, { event, data }] of events.entries()) {
    for (const mutation of mutationsOf(isJson(data) ? JSON.parse(data) : undefined)) {
      const decode = chat.streamDecoder()
      const mutated = events.with(place, { event, data: JSON.stringify(mutation) })
      partsOrFailure(() => mutated.flatMap(decode))
    }
  }
}

function partsOrFailure(act: () => ChatPart[]) {
  try {
    const parts = act()
    expect(Array.isArray(parts)).toBe(true)
    // Only data: neither functions nor what an object inherits.
    expect(structuredClone(parts)).toEqual(parts)
    collect(parts)
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    expect(error.failure.status).toBeGreaterThanOrEqual(400)
  }
}

const isJson = (data: string) => data.startsWith('{')

/** The recordings beside a test: `name.json`, and `name.chunks.txt` with one event's payload on each line. */
export function recordings(testUrl: string, nameOf: (payload: Record<string, unknown>) => string = () => '') {
  const read = (name: string) => readFileSync(new URL(`./fixtures/${name}`, testUrl), 'utf8')
  return {
    whole: (name: string): unknown => JSON.parse(read(`${name}.json`)),
    events: (name: string): StreamEvent[] =>
      read(`${name}.chunks.txt`)
        .split('\n')
        .filter((line) => line !== '')
        .map((data) => ({ event: isJson(data) ? nameOf(JSON.parse(data)) : '', data })),
  }
}
