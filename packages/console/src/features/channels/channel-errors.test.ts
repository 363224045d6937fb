import { expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { en as text } from '../../text/en/channels.ts'
import { channelErrors } from './channel-errors.ts'
import { type ChannelValues, NEW_CHANNEL, valueName } from './channel-values.ts'

const errors = (values: Partial<ChannelValues>) =>
  channelErrors(
    { ...NEW_CHANNEL, name: 'main', key: 'sk', models: ['gpt-4o'], ...values },
    { text, stored: undefined, labelOf: ({ label }) => label.en },
  )

test('a new channel needs a name and a key [R5.28]', () => {
  expect(errors({})).toEqual({})
  expect(errors({ name: ' ' })).toEqual({ name: 'Please fill in the channel name and key' })
  expect(errors({ key: '\n' })).toEqual({ key: 'Please fill in the channel name and key' })
})

test('a channel needs a model, unless it is a proxy [R5.29]', () => {
  expect(errors({ models: [] })).toEqual({ models: 'Please select at least one model' })
  expect(errors({ models: [], type: 43, base_url: 'https://a.example' })).toEqual({})
})

test('a channel needs a group [R5.33]', () => {
  expect(NEW_CHANNEL.groups).toEqual(['default'])
  expect(errors({ groups: [] })).toEqual({ groups: 'Please select at least one group' })
})

test('a mapping is JSON or nothing [R5.30]', () => {
  expect(errors({ model_mapping: '{' })).toEqual({ model_mapping: 'Model mapping must be valid JSON' })
  expect(errors({ model_mapping: ' ' })).toEqual({})
})

test('every required field of every type is asked for', () => {
  for (const { value, fields } of CHANNEL_TYPES) {
    const missing = fields.filter(({ required }) => required).map(({ name }) => valueName(name))
    expect(Object.keys(errors({ type: value })).sort(), String(value)).toEqual([...missing].sort())
  }
})
