import { expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { en as text } from '../../../text/en/channels.ts'
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
  expect(errors({ model_mapping: '{' })).toEqual({ model_mapping: 'The model mapping must be valid JSON' })
  expect(errors({ model_mapping: ' ' })).toEqual({})
})

test('an address is a plain http or https URL, a region is a valid region', () => {
  const badUrl = { base_url: 'The address must be an http or https URL without credentials, ? or #' }
  for (const address of [
    'https://a.example#',
    'https://a.example/v1?',
    'https://u:p@a.example',
    'ftp://a.example',
    'a',
  ])
    expect(errors({ base_url: address }), address).toEqual(badUrl)
  expect(errors({ base_url: ' https://a.example:8443/v1/ ' })).toEqual({})
  const aws = { type: 33, ak: 'a', sk: 's' }
  expect(errors({ ...aws, region: 'x.evil.example:443/' })).toEqual({
    region: 'Enter a region such as us-east-1',
  })
  expect(errors({ ...aws, region: ' us-east-1 ' })).toEqual({})
})

test('a proxy is a scheme, a host and a port', () => {
  const proxy = 'The proxy must be http://, https:// or socks5://host:port without path, query or credentials'
  for (const text of ['p.example:80', 'http://p.example:80/x', 'socks4://p.example:80', 'http://a:b@p.example:80'])
    expect(errors({ proxy: text }), text).toEqual({ proxy })
  expect(errors({ proxy: ' socks5://p.example:1080/ ' })).toEqual({})
})

test('every required field of every type is checked', () => {
  for (const { value, fields, keyFormat = 'sk' } of CHANNEL_TYPES) {
    const missing = fields.filter(({ required }) => required).map(({ name }) => valueName(name))
    expect(Object.keys(errors({ type: value, key: keyFormat })).sort(), String(value)).toEqual([...missing].sort())
  }
})

test('each line of the key has the format of its type; credentials are a JSON object', () => {
  expect(errors({ type: 15, key: 'a|b\nc' })).toEqual({ key: 'The key must have the format APIKey|SecretKey' })
  expect(errors({ type: 15, key: ' a|b \n\nc|d' })).toEqual({})
  const vertex = { type: 42, region: 'global', vertex_ai_project_id: 'p' }
  const cut = 'The credentials must be the complete JSON of a key file'
  expect(errors({ ...vertex, vertex_ai_adc: '{"type":' })).toEqual({ vertex_ai_adc: cut })
  expect(errors({ ...vertex, vertex_ai_adc: '{"type":"service_account"}' })).toEqual({})
  // Values typed for another type are not checked.
  expect(errors({ type: 1, vertex_ai_adc: 'half' })).toEqual({})
})
