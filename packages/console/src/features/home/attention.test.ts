import { expect, test } from 'bun:test'
import { Channel, ChannelStatus } from '@tollgate/contract'
import { needingAttention } from './attention.ts'

const channel = (id: number, status: number, response_time = 0) =>
  Channel.parse({
    id,
    type: 1,
    name: `c${id}`,
    key: '',
    key_hint: '',
    base_url: '',
    other: '',
    config: '',
    config_secrets: [],
    models: '',
    group: '',
    model_mapping: '',
    system_prompt: '',
    test_model: '',
    status,
    status_reason: '',
    priority: 0,
    weight: 0,
    created_time: 0,
    test_time: 0,
    response_time,
    balance: 0,
    balance_updated_time: 0,
    used_quota: 0,
    unpriced: [],
  })

test('channels that are off or slow need attention, those that switched themselves off first', () => {
  const channels = [
    channel(1, ChannelStatus.enabled, 900),
    channel(2, ChannelStatus.enabled, 7000),
    channel(3, ChannelStatus.disabled),
    channel(4, ChannelStatus.autoDisabled),
  ]
  expect(needingAttention(channels).map(({ id }) => id)).toEqual([4, 3, 2])
})
