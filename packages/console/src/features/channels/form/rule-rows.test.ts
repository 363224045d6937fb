import { expect, test } from 'bun:test'
import type { Channel } from '@tollgate/contract'
import { en as text } from '../../../text/en/channels.ts'
import { toEdit, toInput } from './channel-body.ts'
import { channelErrors } from './channel-errors.ts'
import { type ChannelValues, NEW_CHANNEL, toValues } from './channel-values.ts'

const header = (target: string, value = '') => ({ id: 0, target, action: 'set' as const, value })
const member = (target: string, value = '') => ({ id: 0, target, action: 'set' as const, value })
const typed = { ...NEW_CHANNEL, name: 'main', key: 'sk', models: ['gpt-4o'] }

const stored = (config: object): Channel => ({
  ...{
    id: 7,
    type: 1,
    name: 'main',
    key: '',
    key_hint: '',
    key_count: 0,
    key_order: 'round_robin' as const,
    base_url: '',
    other: '',
    config: JSON.stringify(config),
  },
  ...{ config_secrets: [], models: 'gpt-4o', group: 'default', model_mapping: '', system_prompt: '', test_model: '' },
  ...{ status: 1, status_reason: '', status_reason_en: '', priority: 0, weight: 0, created_time: 0, test_time: 0 },
  ...{ response_time: 0, test_error: null, balance: 0, balance_updated_time: 0, used_quota: 0, unpriced: [], tag: '' },
  model_list: null,
})

const errors = (values: ChannelValues, channel?: Channel) =>
  channelErrors(values, { text, stored: channel, labelOf: ({ label }) => label.en })

test('rows become rules, and empty rows do not', () => {
  const values = { ...typed, header_rules: [header('X-Team', ' red '), header(' ')], body_rules: [member('a.b', '1')] }
  expect(JSON.parse(toInput(values).config ?? '')).toEqual({
    header_rules: [{ name: 'X-Team', action: 'set', value: 'red' }],
    body_rules: [{ path: 'a.b', action: 'set', value: '1' }],
  })
  expect(JSON.parse(toInput(typed).config ?? '')).toEqual({})
})

test('a stored rule is shown without its value, and keeps it if saved untouched', () => {
  const rules = {
    header_rules: [{ name: 'x-team', action: 'set' as const }],
    body_rules: [{ path: 'a', action: 'remove' as const }],
  }
  const channel = stored(rules)
  const values = toValues(channel)
  expect(errors(values, channel)).toEqual({})
  expect(toEdit(values, channel)).not.toHaveProperty('config')
  const edited = JSON.parse(toEdit({ ...values, connect_timeout: 5 }, channel).config ?? '')
  expect(edited).toEqual({ ...rules, connect_timeout: 5 })
  expect(JSON.parse(toEdit({ ...values, header_rules: [], body_rules: [] }, channel).config ?? '')).toEqual({})
})

test('a value must be entered for a new header, and for every header if the channel points elsewhere', () => {
  const channel = stored({ header_rules: [{ name: 'x-team', action: 'set' }] })
  const values = toValues(channel)
  const needed = { header_rules: 'The header x-team needs a value' }
  expect(errors({ ...values, key: 'sk', base_url: 'https://elsewhere.example' }, channel)).toEqual(needed)
  expect(errors({ ...typed, header_rules: [header('x-team')] })).toEqual(needed)
})

test('the form refuses what the server would refuse, with the same messages', () => {
  expect(
    errors({ ...typed, header_rules: [header('Authorization', 'x')], body_rules: [member('model', '1')] }),
  ).toEqual({
    header_rules: 'The gateway sets the header Authorization; it cannot be changed',
    body_rules: 'The body field model cannot be changed',
  })
  const many = Array.from({ length: 51 }, (_, index) => member(`a${index}`, '1'))
  expect(errors({ ...typed, body_rules: many })).toEqual({
    header_rules: 'At most 50 header and body rules in total',
  })
})
