import { MESSAGES, type RelayFixture } from './relay-fixture.ts'

export const ENGLISH = { headers: { 'accept-language': 'en' } }

/** A stream of the model `m`, requested in each dialect. */
export const DIALECT_STREAMS: Record<string, (relay: Pick<RelayFixture, 'chat' | 'post'>) => Promise<Response>> = {
  'OpenAI’s chats': ({ chat }) => chat('m', { stream: true }, ENGLISH),
  'OpenAI’s responses': ({ post }) => post('/v1/responses', { model: 'm', input: 'Hello', stream: true }, ENGLISH),
  'Anthropic’s messages': ({ post }) =>
    post('/v1/messages', { model: 'm', max_tokens: 64, messages: MESSAGES, stream: true }, ENGLISH),
  'Google’s contents': ({ post }) =>
    post('/v1beta/models/m:streamGenerateContent?alt=sse', { contents: [{ parts: [{ text: 'Hello' }] }] }, ENGLISH),
}
