import { fakeRealtime, realtimeCaller, realtimeUsage } from './fake-realtime.ts'
import { type RelayFixture, relayFixture } from './relay-fixture.ts'

export type RealtimeVendor = NonNullable<Parameters<typeof fakeRealtime>[0]>

type FixtureOptions = NonNullable<Parameters<typeof relayFixture>[0]>

/** Each token costs 1. */
export const ONE_EACH = { ModelRatio: '{"rt":1,"scribe":1}', CompletionRatio: '{"rt":1,"scribe":1}', RetryTimes: 1 }

/** 50 tokens. */
export const USED = realtimeUsage(
  { text_tokens: 10, audio_tokens: 20, cached_tokens: 0 },
  { text_tokens: 5, audio_tokens: 15 },
)

/** A vendor that answers every `response.create`. */
export const responding: RealtimeVendor = {
  answer(event, voice) {
    if (event.type === 'response.create') voice.respond(USED)
  },
}

/** A gateway with one channel for conversations with `rt`. */
export const realtimeFixture = async (overrides: RealtimeVendor = responding, more: FixtureOptions = {}) => {
  const vendor = fakeRealtime(overrides)
  const relay = await relayFixture({ ...more, options: { ...ONE_EACH, ...more.options } })
  await relay.channel('rt', { type: 1, base_url: vendor.url })
  return { vendor, relay }
}

export const callRealtime = (relay: RelayFixture, model = 'rt', key = relay.key) =>
  realtimeCaller(`${relay.app.url}/v1/realtime?model=${model}`, { key })
