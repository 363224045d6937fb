import { expect, test } from 'bun:test'
import { ChannelKeyStatus } from '@tollgate/contract'
import { en } from '../../../text/en/channel-keys.ts'
import { keyState } from './key-state.ts'

const key = { status: ChannelKeyStatus.enabled, status_reason: '', cooldown_until: 0 }

test('a key shows its state and the reason: actions of a person or a vendor take precedence over cooling down', () => {
  expect(keyState(key, en)).toEqual({ text: 'Enabled', tone: 'good', reason: undefined })
  expect(keyState({ ...key, cooldown_until: 1_800_000_000 }, en)).toMatchObject({
    text: expect.stringMatching(/^Cooling down until 2027-01-1\d /),
    tone: 'warn',
  })
  const waiting = { ...key, cooldown_until: 1_800_000_000 }
  expect(keyState({ ...waiting, status: ChannelKeyStatus.paused }, en)).toMatchObject({ text: 'Paused', tone: 'off' })
  expect(keyState({ ...waiting, status: ChannelKeyStatus.setAside, status_reason: '401 no' }, en)).toEqual({
    ...{ text: 'Set aside', tone: 'bad' },
    reason: 'The vendor refused this key: 401 no',
  })
})
