import { expect, test } from 'bun:test'
import { ChannelKeyStatus } from '@tollgate/contract'
import { en } from '../../../text/en/channel-keys.ts'
import { keyState } from './key-state.ts'

const key = { status: ChannelKeyStatus.enabled, status_reason: '', cooldowns: [] }
const one = { model: 'gpt-5', until: 1_800_000_000 }
const other = { model: 'gpt-5-mini', until: 1_799_999_990 }

test('a key shows its state and the reason: actions of a person or a vendor take precedence over cooling down', () => {
  expect(keyState(key, en)).toEqual({ text: 'Enabled', tone: 'good', reason: undefined })
  const waiting = { ...key, cooldowns: [one] }
  expect(keyState(waiting, en)).toMatchObject({
    text: expect.stringMatching(/^gpt-5 cooling down until 2027-01-1\d /),
    tone: 'warn',
  })
  expect(keyState({ ...key, cooldowns: [one, other] }, en)).toMatchObject({
    text: expect.stringMatching(/^2 models cooling down until 2027-01-1\d /),
    reason: expect.stringMatching(/: gpt-5 \(until 2027.*\), gpt-5-mini \(until 2027.*\)$/),
  })
  expect(keyState({ ...waiting, status: ChannelKeyStatus.paused }, en)).toMatchObject({ text: 'Paused', tone: 'off' })
  expect(keyState({ ...waiting, status: ChannelKeyStatus.setAside, status_reason: '401 no' }, en)).toEqual({
    ...{ text: 'Set aside', tone: 'bad' },
    reason: 'The provider rejected this key: 401 no',
  })
})
