import { expect, test } from 'bun:test'
import { readStream, relayFixture } from '../testing/relay-fixture.ts'

const DAYS = 86_400

test.each([400 * DAYS, -400 * DAYS])(
  'a clock that jumps by %d seconds during a call does not change its duration in the log',
  async (jump) => {
    const { app, channel, chat, onlyLog, upstream, atRest } = await relayFixture()
    await channel('pace/5/10')
    const calling = chat('pace/5/10', { stream: true })
    await upstream.received(1)
    app.clock.set(jump)
    expect(await readStream(await calling)).toMatchObject({ done: true })
    await atRest()
    const { elapsed_time, first_byte_time, detail } = await onlyLog()
    for (const ms of [elapsed_time, first_byte_time, ...detail.attempts.map((each: { ms: number }) => each.ms)]) {
      expect(ms).toBeWithin(0, 60_000)
    }
  },
)
