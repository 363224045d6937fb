import { expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { importCommand } from '../commands/import.ts'
import { createLog } from '../common/log.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { bcrypt, type Rows, sourceFile } from '../testing/imports/source-files.ts'
import { asRoot, signedIn } from '../testing/makers.ts'
import { channelTypeOf } from './channel-types.ts'

const importInto = async (app: TestApp, rows: Rows, flags: Record<string, string> = { yes: '' }) => {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const needs = { db: app.db, vault: app.vault, clock: app.clock, log: createLog(), print }
  await importCommand(needs, sourceFile('new-api', rows), flags)
  app.clock.pass(2)
  return lines.join('\n')
}

const root = { id: 1, username: 'root', password: 'x', role: 100, aff_code: 'aaaa', aff_history: 0 }
const ADC = { type: 'service_account', project_id: 'proj', private_key: 'a\nb', client_email: 'a@b.c' }

test("new-api's deleted rows stay behind, and its limits of keys arrive", async () => {
  const app = await testApp()
  const password = await bcrypt('password of anna')
  const token = { user_id: 4, status: 1, unlimited_quota: 1 }
  const report = await importInto(app, {
    users: [
      root,
      { id: 4, username: 'anna', password, quota: 10, aff_code: 'b', created_at: 77 },
      { id: 5, username: 'gone', password, quota: 10, aff_code: 'c', deleted_at: '2026-01-02 03:04:05' },
    ],
    tokens: [
      {
        ...token,
        id: 2,
        key: '1'.repeat(48),
        name: 'limited',
        model_limits_enabled: 1,
        model_limits: 'gpt-4o, gpt-5',
        allow_ips: '10.0.0.1\n10.1.0.0/16',
      },
      {
        ...token,
        id: 3,
        key: '2'.repeat(48),
        name: 'open',
        model_limits_enabled: 0,
        model_limits: 'gpt-4o',
        group: 'vip',
      },
      { ...token, id: 4, key: '3'.repeat(48), name: 'deleted', deleted_at: '2026-01-02' },
      { ...token, id: 5, key: '4'.repeat(48), name: 'unreadable', allow_ips: 'office' },
      { ...token, id: 6, key: 'with-dashes-in-it', name: 'unusable' },
    ],
    redemptions: [
      { id: 1, user_id: 1, key: 'code-1', status: 1, name: 'forever', quota: 5, expired_time: 0 },
      { id: 2, user_id: 1, key: 'code-2', status: 1, name: 'expiring', quota: 5, expired_time: 9_999_999_999 },
      { id: 3, user_id: 1, key: 'code-3', status: 1, name: 'deleted', quota: 5, deleted_at: '2026-01-02' },
    ],
  })
  const anna = await signedIn(app, 4)
  expect((await anna.get('/api/token/')).data).toEqual([
    expect.objectContaining({ name: 'unreadable', status: 2 }),
    expect.objectContaining({ name: 'open', models: '', status: 1 }),
    expect.objectContaining({ name: 'limited', models: 'gpt-4o,gpt-5', subnet: '10.0.0.1/32,10.1.0.0/16' }),
  ])
  const codes = (await (await asRoot(app)).get('/api/redemption/')).data
  expect(codes).toEqual([
    expect.objectContaining({ name: 'expiring', key: 'code-2', status: 2 }),
    expect.objectContaining({ name: 'forever', key: 'code-1', status: 1 }),
  ])
  for (const line of [
    /1 × a deleted account: gone/,
    /1 × a key had a group of its own, and now has its owner's: open/,
    /1 × a key is disabled, because its addresses cannot be read: unreadable/,
    /1 × a key that callers could not send: unusable/,
    /1 × a code with an expiry date/,
  ]) {
    expect(report).toMatch(line)
  }
  expect(await app.audit()).toEqual([])
})

test("new-api's channels arrive as the provider that they are, with their pool, region, headers and parameters", async () => {
  const app = await testApp()
  const pool = { is_multi_key: true, multi_key_size: 3, multi_key_status_list: { 1: 2 }, multi_key_mode: 'random' }
  const report = await importInto(app, {
    users: [root],
    channels: [
      {
        id: 11,
        type: 43,
        key: 'sk-1\nsk-2\nsk-3',
        name: 'deepseek',
        models: 'deepseek-chat',
        channel_info: JSON.stringify(pool),
      },
      {
        ...{ id: 12, type: 1, key: 'sk', name: 'with rules', models: 'gpt-4o', tag: 'team', status: 3 },
        header_override: '{"X-Team":"a"}',
        param_override: '{"temperature":0.5,"service_tier":"flex"}',
        setting: '{"proxy":"socks5://127.0.0.1:9","system_prompt":"Be brief"}',
        status_code_mapping: '{"400":"500"}',
      },
      {
        id: 13,
        type: 41,
        key: JSON.stringify(ADC),
        name: 'vertex',
        models: 'gemini-3-pro',
        other: '{"default":"us-central1"}',
      },
      { id: 14, type: 33, key: 'AK|SK|us-east-1', name: 'aws', models: 'claude' },
      { id: 15, type: 37, key: 'x', name: 'dify', models: 'm' },
      { id: 16, type: 38, key: 'x', name: 'jina', models: 'jina-embeddings-v3' },
      { id: 17, type: 1, key: '', name: 'without key', models: 'gpt-4o' },
    ],
  })
  const client = await asRoot(app)
  const get = async (id: number) => (await client.get(`/api/channel/${id}`)).data
  expect(await get(11)).toMatchObject({ type: 36, key_count: 2, status: 1 })
  expect(await get(12)).toMatchObject({ type: 1, tag: 'team', status: 3, system_prompt: 'Be brief' })
  expect(JSON.parse((await get(12)).config)).toMatchObject({
    header_rules: [{ name: 'X-Team', action: 'set' }],
    body_rules: [
      { path: 'temperature', action: 'set', value: '0.5' },
      { path: 'service_tier', action: 'set', value: '"flex"' },
    ],
    proxy: 'socks5://127.0.0.1:9',
  })
  expect(await get(13)).toMatchObject({ type: 42, status: 1 })
  expect(JSON.parse((await get(13)).config)).toMatchObject({ region: 'us-central1', vertex_ai_project_id: 'proj' })
  expect(await get(14)).toMatchObject({ type: 33, status: 1 })
  expect(JSON.parse((await get(14)).config)).toMatchObject({ region: 'us-east-1' })
  expect(await get(16)).toMatchObject({ type: 50, base_url: 'https://api.jina.ai/v1' })
  expect(await get(17)).toMatchObject({ status: 2 })
  for (const line of [
    /6 channels/,
    /1 × a channel loses disabled keys of its pool: deepseek/,
    /1 × a channel loses a mapping of status codes: with rules/,
    /1 × a channel of type Dify, which does not exist here: dify/,
    /1 × a channel has no key, and is disabled: without key/,
  ]) {
    expect(report).toMatch(line)
  }
})

test('every type of both gateways is a type here, or is named as missing', () => {
  for (const kind of ['one-api', 'new-api'] as const) {
    for (let type = 0; type <= 110; type++) {
      const found = channelTypeOf(kind, type)
      if ('missing' in found) expect(found.missing).not.toBe('')
      else expect(CHANNEL_TYPES.map(({ value }) => value)).toContain(found.type)
    }
  }
})

test('failed calls, refunds and sign-ins of new-api are what they were', async () => {
  const app = await testApp()
  const at = Math.floor(app.clock.now() / 1000) - 100
  const entry = { user_id: 1, created_at: at, username: 'root', model_name: 'gpt-4o', quota: 0, channel_id: 3 }
  await importInto(app, {
    users: [root],
    logs: [
      { ...entry, id: 1, type: 2, quota: 9, use_time: 3, other: '{"frt":250}', is_stream: 1 },
      { ...entry, id: 2, type: 5, content: 'status_code=500, overloaded', use_time: 1 },
      { ...entry, id: 3, type: 6, quota: 4, content: 'a refund' },
      { ...entry, id: 4, type: 7, content: 'signed in' },
    ],
  })
  const rows = (await (await asRoot(app)).get('/api/log/?p=0')).data
  expect(rows).toEqual([
    expect.objectContaining({ type: 4, content: 'signed in' }),
    expect.objectContaining({ type: 4, content: 'a refund' }),
    expect.objectContaining({ type: 6, content: 'status_code=500, overloaded' }),
    expect.objectContaining({ type: 2, quota: 9, elapsed_time: 3000, first_byte_time: 250 }),
  ])
})

test('rows of every odd value are imported or named, and the books add up', async () => {
  const app = await testApp()
  const odd = [null, '', 'x', -1, 0, 1.5, 1e15, -1e15, 9e18, 'null', '{"a":', '\u0000', '😀'.repeat(300)]
  const report = await importInto(app, {
    users: [
      root,
      ...odd.map((value, index) => ({
        ...{ id: index + 10, username: `odd ${index}`, password: String(value), aff_code: value, quota: value },
        ...{ used_quota: value, request_count: value, group: value, role: value, status: value, email: value },
        ...{ github_id: value, access_token: value, inviter_id: value, created_at: value, display_name: value },
      })),
    ],
    tokens: odd.map((value, index) => ({
      ...{ id: index + 10, user_id: index + 10, key: `${'k'.repeat(40)}${index}`, name: value, status: value },
      ...{ expired_time: value, remain_quota: value, used_quota: value, unlimited_quota: value, model_limits: value },
      ...{ allow_ips: value, model_limits_enabled: 1, created_time: value },
    })),
    channels: odd.map((value, index) => ({
      ...{ id: index + 10, type: 1, name: `odd ${index}`, key: value, models: value, group: value, base_url: value },
      ...{ model_mapping: value, priority: value, weight: value, setting: value, param_override: value },
      ...{ header_override: value, channel_info: value, tag: value, test_model: value, status: value },
    })),
    redemptions: odd.map((value, index) => ({
      id: index + 10,
      user_id: value,
      key: `c${index}`,
      quota: value,
      status: 1,
      name: value,
    })),
    options: odd.flatMap((value, index) => [
      { key: ['SystemName', 'QuotaPerUnit', 'GroupRatio'][index] ?? `Odd${index}`, value },
    ]),
    logs: odd.map((value, index) => ({
      ...{ id: index + 10, user_id: 1, type: 2, created_at: 1_700_000_000, quota: value, prompt_tokens: value },
      ...{
        completion_tokens: value,
        model_name: value,
        other: value,
        use_time: value,
        content: value,
        token_name: value,
      },
    })),
  })
  expect(report).toMatch(/13 accounts/)
  expect(await app.audit()).toEqual([])
  const client = await asRoot(app)
  expect((await client.get('/api/user/?p=0')).success).toBe(true)
  expect((await client.get('/api/channel/?p=0')).success).toBe(true)
  expect((await client.get('/api/log/?p=0')).success).toBe(true)
})
