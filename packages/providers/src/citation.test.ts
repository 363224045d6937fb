import { expect, test } from 'bun:test'
import { anthropic } from './anthropic/anthropic.ts'
import type { ChatPart } from './chat.ts'
import type { StreamEvent } from './chat-adapter.ts'
import { cohere } from './cohere/cohere.ts'
import { openai } from './compatible/vendors.ts'
import { type DialectName, dialects } from './dialects.ts'
import { gemini } from './gemini/gemini.ts'
import { type Fields, fieldsOf } from './json.ts'
import { aRequest, decodeStream, offered } from './testing/vendor-kit.ts'

/* "Á la mer. High water at noon." cites a page in its second sentence, characters 10 to 29; in bytes it begins at 11. */

const FIRST = 'Á la mer. '
const SECOND = 'High water at noon.'
const PAGE = { url: 'https://tides.example/', title: 'Tides' }
const PLACE = { start: 10, end: 29 }

const event = (body: Fields): StreamEvent => ({ event: String(body.type ?? ''), data: JSON.stringify(body) })
const annotation = { type: 'url_citation', ...PAGE, start_index: 10, end_index: 29 }
const usage = { input_tokens: 1, output_tokens: 1 }

/** The answer in each vendor's format, whole and streamed. */
const VENDORS: Record<string, { whole: object; events: StreamEvent[]; provider: typeof openai }> = {
  chat: {
    provider: openai,
    whole: {
      choices: [
        {
          message: {
            content: FIRST + SECOND,
            annotations: [{ type: 'url_citation', url_citation: { ...PAGE, start_index: 10, end_index: 29 } }],
          },
          finish_reason: 'stop',
        },
      ],
    },
    events: [
      { choices: [{ index: 0, delta: { content: FIRST + SECOND } }] },
      {
        choices: [
          {
            index: 0,
            delta: { annotations: [{ url_citation: { ...PAGE, start_index: 10, end_index: 29 } }] },
            finish_reason: 'stop',
          },
        ],
      },
    ].map(event),
  },
  responses: {
    provider: openai,
    whole: {
      object: 'response',
      output: [
        {
          type: 'message',
          content: [
            { type: 'output_text', text: FIRST },
            {
              ...{ type: 'output_text', text: SECOND },
              annotations: [{ ...annotation, start_index: 0, end_index: 19 }],
            },
          ],
        },
      ],
      usage,
    },
    events: [
      { type: 'response.created', response: {} },
      { type: 'response.content_part.added' },
      { type: 'response.output_text.delta', delta: FIRST },
      { type: 'response.content_part.added' },
      { type: 'response.output_text.delta', delta: SECOND },
      { type: 'response.output_text.annotation.added', annotation: { ...annotation, start_index: 0, end_index: 19 } },
      { type: 'response.completed', response: { usage } },
    ].map(event),
  },
  anthropic: {
    provider: anthropic,
    whole: {
      content: [
        { type: 'text', text: FIRST },
        { type: 'text', text: SECOND, citations: [{ type: 'web_search_result_location', ...PAGE }] },
      ],
      stop_reason: 'end_turn',
      usage,
    },
    events: [
      { type: 'message_start', message: {} },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: FIRST } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '', citations: [] } },
      { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation: PAGE } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: SECOND } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    ].map(event),
  },
  gemini: {
    provider: gemini,
    whole: grounded(FIRST + SECOND),
    events: [{ candidates: [{ content: { parts: [{ text: FIRST }] } }] }, grounded(SECOND)].map(event),
  },
  cohere: {
    provider: cohere,
    whole: {
      id: '1',
      finish_reason: 'COMPLETE',
      message: {
        content: [{ type: 'text', text: FIRST + SECOND }],
        citations: [{ ...PLACE, sources: [{ document: PAGE }] }],
      },
    },
    events: [
      { type: 'message-start', id: '1' },
      { type: 'content-delta', index: 0, delta: { message: { content: { text: FIRST + SECOND } } } },
      {
        type: 'citation-start',
        index: 0,
        delta: { message: { citations: { ...PLACE, sources: [{ document: PAGE }] } } },
      },
      { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
    ].map(event),
  },
}

function grounded(text: string) {
  return {
    candidates: [
      {
        content: { parts: [{ text }] },
        finishReason: 'STOP',
        groundingMetadata: {
          groundingChunks: [{ web: { uri: PAGE.url, title: PAGE.title } }],
          groundingSupports: [{ segment: { startIndex: 11, endIndex: 30 }, groundingChunkIndices: [0] }],
        },
      },
    ],
  }
}

/** How each dialect expresses the position. */
const SHOWN: Record<Exclude<DialectName, 'anthropic/messages'>, RegExp> = {
  'openai/chat': /"start_index":10,"end_index":29/,
  responses: /"start_index":10,"end_index":29/,
  'gemini/generate': /"segment":\{"startIndex":11,"endIndex":30,"text":"High water at noon."\}/,
}
const DIALECTS = Object.keys(SHOWN).filter((name): name is keyof typeof SHOWN => name in SHOWN)

test.each(Object.entries(VENDORS))('cited text is passed on in every dialect: %s', (_, vendor) => {
  const chat = offered(vendor.provider, 'chat')
  for (const parts of [chat.decode(vendor.whole), decodeStream(chat, vendor.events)]) {
    expect(parts.filter(({ type }) => type === 'citation')).toEqual([
      { type: 'citation', choice: 0, ...PAGE, ...PLACE },
    ])
    for (const name of DIALECTS) {
      const meta = { id: '1', model: 'm', createdSec: 0, nowSec: () => 0, request: aRequest() }
      const { frame, end } = dialects[name].stream(meta)
      expect(JSON.stringify(dialects[name].whole(parts, meta))).toMatch(SHOWN[name])
      expect(parts.map(frame).join('') + end()).toMatch(SHOWN[name])
    }
  }
})

const DOCUMENT: ChatPart = { type: 'citation', choice: 0, url: 'doc-1', title: 'Dues', document: true, ...PLACE }

test('a document supplied by the caller is cited by its name, and where the dialect can tell it, not as a web page', () => {
  const sources = [{ type: 'document', id: 'doc-1', document: { id: 'doc-1', title: 'Dues', snippet: '…' } }]
  const reply = {
    ...{ id: '1', finish_reason: 'COMPLETE' },
    message: { content: [{ type: 'text', text: FIRST + SECOND }], citations: [{ ...PLACE, sources }] },
  }
  const parts = offered(cohere, 'chat').decode(reply)
  expect(parts).toContainEqual(DOCUMENT)
  const shown = (name: DialectName) =>
    JSON.stringify(
      dialects[name].whole(parts, { id: '1', model: 'm', createdSec: 0, nowSec: () => 0, request: aRequest() }),
    )
  expect(shown('openai/chat')).toContain('"url_citation":{"url":"doc-1","title":"Dues"')
  expect(shown('responses')).toContain('{"type":"file_citation","file_id":"doc-1","filename":"Dues","index":29}')
  expect(shown('gemini/generate')).toContain('"retrievedContext":{"uri":"doc-1","title":"Dues"}')
  expect(shown('anthropic/messages')).toContain('"document_title":"Dues"')

  const claude = { type: 'char_location', document_index: 0, document_title: 'Dues', cited_text: '…' }
  const said = offered(anthropic, 'chat').decode({
    content: [{ type: 'text', text: SECOND, citations: [claude] }],
    usage,
  })
  const cited = { type: 'citation', url: '0', title: 'Dues', document: true, start: 0, end: 19 }
  expect(said).toContainEqual(expect.objectContaining(cited))
})

test("a whole message is split into blocks where its sources begin and end, like Anthropic's own", () => {
  const whole = (...parts: ChatPart[]) =>
    fieldsOf(
      dialects['anthropic/messages'].whole(parts, {
        id: '1',
        model: 'm',
        createdSec: 0,
        nowSec: () => 0,
        request: aRequest(),
      }),
    ).content
  const text: ChatPart = { type: 'text', choice: 0, text: `${FIRST + SECOND} ` }
  const cited: ChatPart = { type: 'citation', choice: 0, ...PAGE, ...PLACE }
  const anywhere: ChatPart = { type: 'citation', choice: 0, url: 'https://a.example' }
  const page = expect.objectContaining({ url: PAGE.url })
  expect(whole(text, cited)).toEqual([
    { type: 'text', text: FIRST },
    // A block with only a space would be rejected when it is sent back.
    { type: 'text', text: `${SECOND} `, citations: [page] },
  ])
  expect(whole(text, cited, anywhere)).toMatchObject([
    { text: FIRST },
    { text: `${SECOND} `, citations: [page, expect.objectContaining({ url: 'https://a.example' })] },
  ])
  const both: ChatPart = { ...cited, url: 'https://b.example', start: 0, end: 15 }
  expect(whole(text, cited, both)).toMatchObject([
    { text: FIRST, citations: [{ url: 'https://b.example' }] },
    { text: 'High ', citations: [{ url: PAGE.url }, { url: 'https://b.example' }] },
    { text: 'water at noon. ', citations: [{ url: PAGE.url }] },
  ])
})
