import { expect, test } from 'bun:test'
import type { Channel } from '@tollgate/contract'
import { modelSource, toEdit, toInput } from './channel-body.ts'
import { mustRetype } from './channel-key.ts'
import { type ChannelValues, keyCount, NEW_CHANNEL, toValues } from './channel-values.ts'

const input = (values: Partial<ChannelValues>) => toInput({ ...NEW_CHANNEL, ...values })

const stored: Channel = {
  id: 7,
  type: 1,
  name: 'main',
  tag: '',
  key: '',
  key_hint: 'abcd',
  key_count: 0,
  key_order: 'round_robin' as const,
  base_url: 'https://api.example.com',
  other: '',
  config: '{"region":"","ak":"","user_id":"","library_id":"lib"}',
  config_secrets: [],
  models: 'gpt-4o,gpt-4o-mini',
  group: 'default,vip',
  model_mapping: '',
  system_prompt: '',
  test_model: '',
  status: 1,
  status_reason: '',
  status_reason_en: '',
  priority: 3,
  weight: 5,
  created_time: 0,
  test_time: 0,
  response_time: 0,
  test_error: null,
  balance: 0,
  balance_updated_time: 0,
  used_quota: 0,
  unpriced: [],
  model_list: null,
}

test('the key of AWS is ak|sk|region, and the parts are in the config too [R5.35 R5.47]', () => {
  const { key, config } = input({ type: 33, region: 'us-east-1', ak: 'AK', sk: 'SK' })
  expect(key).toBe('AK|SK|us-east-1')
  expect(JSON.parse(config ?? '')).toEqual({ region: 'us-east-1', ak: 'AK', sk: 'SK' })
})

test('the key of VertexAI is region|project|adc [R5.36 R5.50]', () => {
  const { key } = input({ type: 42, region: 'us', vertex_ai_project_id: 'p', vertex_ai_adc: '{"a":1}' })
  expect(key).toBe('us|p|{"a":1}')
})

test('other types send the key as typed [R5.37 R5.38 R5.39 R5.40]', () => {
  expect(input({ type: 15, key: ' API|SECRET ' }).key).toBe('API|SECRET')
})

test('a trailing slash of the base URL is removed [R5.31]', () => {
  expect(input({ base_url: ' https://a.example/ ' }).base_url).toBe('https://a.example')
})

test('Azure without an API version gets the default one, other types none [R5.32]', () => {
  expect(input({ type: 3, other: '' }).other).toBe('2024-03-01-preview')
  expect(input({ type: 3, other: '2025-01-01' }).other).toBe('2025-01-01')
  expect(input({ type: 1, other: 'stale' }).other).toBe('')
})

test('a proxy channel has no models [R5.51]', () => {
  expect(input({ type: 43, models: ['gpt-4o'] }).models).toBe('')
  expect(input({ type: 1, models: ['gpt-4o', 'o3'] }).models).toBe('gpt-4o,o3')
})

test('priority and weight are integers, an empty field is not sent [R5.34]', () => {
  expect(input({ priority: '4.7', weight: -2 })).toMatchObject({ priority: 4, weight: 0 })
  expect(input({ priority: '', weight: '' })).toMatchObject({ priority: undefined, weight: undefined })
})

test('an edit fills the form and keeps fields that the form does not show', () => {
  const values = toValues(stored)
  expect(values).toMatchObject({ groups: ['default', 'vip'], models: ['gpt-4o', 'gpt-4o-mini'], key: '' })
  const edited = toEdit({ ...values, connect_timeout: 5 }, stored)
  expect(JSON.parse(edited.config ?? '')).toEqual({ library_id: 'lib', connect_timeout: 5 })
  expect(JSON.parse(toEdit({ ...values, type: 14 }, stored).config ?? '')).toEqual({})
})

test('an edit sends what was changed in the form, and with another type everything', () => {
  const values = toValues(stored)
  expect(toEdit(values, stored)).toEqual({ id: 7 })
  expect(toEdit({ ...values, name: ' other ', key: 'sk-new' }, stored)).toEqual({ id: 7, name: 'other', key: 'sk-new' })
  expect(toEdit({ ...values, groups: ['vip', 'default'], weight: 9 }, stored)).toEqual({
    ...{ id: 7, group: 'vip,default', weight: 9 },
  })
  expect(toEdit({ ...values, type: 14 }, stored)).toMatchObject({ id: 7, type: 14, name: 'main', group: 'default,vip' })
})

test('key lines are counted, and a multi-line credential is one key [R3.10]', () => {
  expect(keyCount(1, '')).toBe(0)
  expect(keyCount(1, 'a\n\n b \nc')).toBe(3)
  expect(keyCount(42, 'a\nb')).toBe(1)
  expect(keyCount(24, '{\n"a":1\n}')).toBe(1)
})

test('the key must be entered again when the type or the host changed, but not for another path [R3.09]', () => {
  const changed = (values: Partial<ChannelValues>) => mustRetype({ ...toValues(stored), ...values }, stored)
  expect(changed({ base_url: 'https://api.example.com/v1/' })).toBe(false)
  expect(changed({ base_url: 'https://evil.example.com' })).toBe(true)
  expect(changed({ base_url: '' })).toBe(true)
  expect(changed({ type: 14 })).toBe(true)
})

test('the key must also be entered again when the region, project or account changed, for types that have one', () => {
  const config = '{"region":"us-east-1","vertex_ai_project_id":"p","user_id":"u"}'
  const changed = (type: number, values: Partial<ChannelValues>) => {
    const channel = { ...stored, type, config }
    return mustRetype({ ...toValues(channel), ...values }, channel)
  }
  for (const type of [33, 42]) expect(changed(type, { region: 'eu-west-1' })).toBe(true)
  expect(changed(42, { vertex_ai_project_id: 'q' })).toBe(true)
  expect(changed(37, { user_id: 'v' })).toBe(true)
  for (const type of [33, 37, 42]) expect(changed(type, { region: ' us-east-1 ', name: 'other' })).toBe(false)
  expect(changed(34, { user_id: 'v' })).toBe(false)
})

test('models are fetched with what is typed, else with the stored channel, and not at all without a key', () => {
  expect(modelSource(NEW_CHANNEL, undefined)).toBeUndefined()
  expect(modelSource(toValues(stored), stored)).toEqual({ id: 7 })
  expect(modelSource({ ...toValues(stored), key: ' sk-new ' }, stored)).toEqual({
    type: 1,
    base_url: 'https://api.example.com',
    key: 'sk-new',
    other: '',
    config: '{}',
  })
  const cloudflare = { ...NEW_CHANNEL, type: 37, key: 'k', user_id: 'acc' }
  expect(modelSource(cloudflare, undefined)).toMatchObject({ type: 37, config: '{"user_id":"acc"}' })
})

test('a proxy includes its user, is kept by an untouched form, and is removed by emptying the field', () => {
  const proxied = { ...stored, config: '{"proxy":"socks5://p.example:1080"}', config_secrets: ['proxy_user'] }
  const config = (values: Partial<ChannelValues>) =>
    JSON.parse(toEdit({ ...toValues(proxied), ...values }, proxied).config ?? '')
  expect(toEdit(toValues(proxied), proxied)).toEqual({ id: 7 })
  expect(config({ connect_timeout: 5 })).toEqual({ proxy: 'socks5://p.example:1080', connect_timeout: 5 })
  expect(config({ proxy: '', proxy_user: 'left' })).toEqual({ proxy: '' })
  expect(config({ proxy: ' http://q.example:80/ ', proxy_user: 'bob' })).toEqual({
    proxy: 'http://q.example:80',
    proxy_user: 'bob',
  })
  const changed = (proxy: string) => mustRetype({ ...toValues(proxied), proxy }, proxied)
  expect(['socks5://P.example:1080/', '', 'http://p.example:1080'].map(changed)).toEqual([false, true, true])
})

test('prompt caching is offered where Claude may be, kept by an edit, and dropped with the type', () => {
  const config = (values: Partial<ChannelValues>) => JSON.parse(input(values).config ?? '')
  expect(config({ type: 14, prompt_caching: 'never' })).toEqual({ prompt_caching: 'never' })
  expect(config({ type: 14, prompt_caching: '' })).toEqual({})
  expect(config({ type: 1, prompt_caching: 'always' })).toEqual({})
  const claude = { ...stored, type: 14, config: '{"prompt_caching":"always"}' }
  expect(toValues(claude).prompt_caching).toBe('always')
  expect(JSON.parse(toEdit({ ...toValues(claude), connect_timeout: 5 }, claude).config ?? '')).toEqual({
    ...{ prompt_caching: 'always', connect_timeout: 5 },
  })
  expect(JSON.parse(toEdit({ ...toValues(claude), prompt_caching: '' }, claude).config ?? '')).toEqual({})
})

test('several keys become one channel only if that is chosen, and a single key sends no such choice', () => {
  const values = { ...NEW_CHANNEL, key: 'a\nb', key_order: 'in_order' as const }
  expect(toInput(values)).not.toHaveProperty('key_pool')
  expect(toInput({ ...values, key_pool: true })).toMatchObject({ key_pool: true, key_order: 'in_order' })
  expect(toInput({ ...values, key: 'a', key_pool: true })).not.toHaveProperty('key_pool')
  expect(toInput({ ...values, type: 43, key_pool: true })).not.toHaveProperty('key_pool')
})
