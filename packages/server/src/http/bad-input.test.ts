import { expect, test } from 'bun:test'
import { ENDPOINTS } from '@tollgate/contract'
import { testApp } from '../testing/app.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import type { Client } from '../testing/client.ts'
import { snapshot } from '../testing/database-snapshot.ts'
import { asRoot } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'
import { makeToken } from '../testing/token-makers.ts'

const ENGLISH = { 'accept-language': 'en' }
const HAN = /\p{Script=Han}/u

/** Every endpoint that takes a body, with a valid path. */
const WRITERS = ENDPOINTS.filter(({ endpoint }) => endpoint.body !== undefined).map(
  ({ name, endpoint }) => [name, endpoint.method, endpoint.path.replaceAll(/:\w+/g, '1')] as const,
)

/** An app with one of everything, root's client, and a check that the refusals of a test changed nothing. */
async function world() {
  const app = await testApp()
  const client = await asRoot(app)
  const token = await makeToken(client)
  const channel = await makeChannel(client)
  const before = await snapshot(app.db)
  const expectUnchanged = async () => expect(await snapshot(app.db)).toBe(before)
  return { app, client, token, channel, expectUnchanged }
}

test('a body that is not JSON is refused, on every endpoint that takes one', async () => {
  const { client, expectUnchanged } = await world()
  const broken = ['{', '{"a":}', 'nope', "{'a':1}", '{"a":1}}', '{"a":NaN}', '\ufeff{}', '"\u0001"', '{"a":01}']
  for (const [index, [, method, path]] of WRITERS.entries()) {
    const body = broken[index % broken.length]
    expect(await client.send(method, path, body)).toMatchObject(refused('input.malformed_json'))
    const english = await client.send(method, path, body, ENGLISH)
    expect(english).toMatchObject(refused('input.malformed_json', {}, 'en'))
  }
  for (const body of broken)
    expect(await client.post('/api/token/', body)).toMatchObject(refused('input.malformed_json'))
  await expectUnchanged()
})

test('a body that is not an object, or empty, is answered with what is missing, in both languages [R8.33]', async () => {
  const { client, expectUnchanged } = await world()
  for (const [, method, path] of WRITERS) {
    for (const body of ['[]', '"text"', '7', 'null', 'true', '[[]]', '', '   ', '{}']) {
      const zh = await client.send(method, path, body)
      const en = await client.send(method, path, body, ENGLISH)
      // An update of oneself without any field is valid, and so is a warnings request without a change.
      if ((path === '/api/user/self' || path.endsWith('/warnings')) && zh.success) continue
      expect([path, body, zh.status, zh.success]).toEqual([path, body, 400, false])
      expect(zh.message).toMatch(/^.+(不能为空|必须是.+|格式不正确)$/)
      expect(en.message).toMatch(/ (is required|must be .+|is not valid)$/)
      expect(en.message).not.toMatch(HAN)
    }
  }
  await expectUnchanged()
})

test('a field of the wrong type, and an unknown one, is named and refused as malformed', async () => {
  const { client, token, channel, expectUnchanged } = await world()
  const calls: [method: string, path: string, body: Record<string, unknown>, field: string][] = [
    ['POST', '/api/token/', { name: 'x', nonsense: 1 }, 'nonsense'],
    ['POST', '/api/token/', { name: { deep: 1 } }, 'name'],
    ['POST', '/api/token/', { name: 'x', unlimited_quota: 'true' }, 'unlimited_quota'],
    ['POST', '/api/token/', { name: 'x', models: ['gpt-4o'] }, 'models'],
    ['PUT', '/api/token/', { id: token.id, nonsense: 1 }, 'nonsense'],
    ['PUT', '/api/token/', { id: String(token.id), name: 'x' }, 'id'],
    ['PUT', '/api/token/', { id: [token.id], name: 'x' }, 'id'],
    ['PUT', '/api/token/', { id: true, name: 'x' }, 'id'],
    ['PUT', '/api/token/?status_only=true', { id: token.id, status: '2' }, 'status'],
    ['POST', '/api/channel/', { name: 'x', type: '1', key: 'k', models: 'm' }, 'type'],
    ['POST', '/api/channel/', { name: 'x', type: 1, key: ['k'], models: 'm' }, 'key'],
    ['PUT', '/api/channel/', { id: channel.id, status: 'on' }, 'status'],
    ['PUT', '/api/channel/', { id: channel.id, key_sealed: 'x' }, 'key_sealed'],
    ['PUT', '/api/channel/', { id: channel.id, config: { ak: 'x' } }, 'config'],
    ['POST', '/api/redemption/', { name: 'x', count: [1] }, 'count'],
    ['POST', '/api/redemption/', { name: 'x', codes: ['mine'] }, 'codes'],
    ['PUT', '/api/user/', { id: 1, auth_version: 5 }, 'auth_version'],
    ['PUT', '/api/user/self', { password_default: 0 }, 'password_default'],
    ['PUT', '/api/option/', { key: 'SystemName', value: {} }, 'value'],
    ['PUT', '/api/option/', { key: 'SystemName', value: 'x', class: 'public' }, 'class'],
    ['PUT', '/api/option/', { key: 'SystemName' }, 'value'],
    ['POST', '/api/user/login', { username: 'root', password: 123_456 }, 'password'],
    ['POST', '/api/user/login', { username: { $ne: '' }, password: 'x' }, 'username'],
    ['POST', '/api/topup', { user_id: '1', quota: 5 }, 'user_id'],
    ['POST', '/api/user/manage', { username: 'root', action: ['enable'] }, 'action'],
  ]
  for (const [method, path, body, field] of calls) {
    const zh = await client.send(method, path, body)
    const en = await client.send(method, path, body, ENGLISH)
    expect({ path, field, success: zh.success }).toEqual({ path, field, success: false })
    expect([200, 400]).toContain(zh.status)
    expect([zh.body.field, en.body.field]).toEqual([field, field])
    expect(zh.message).toMatch(HAN)
    expect(en.message).not.toMatch(HAN)
  }
  await expectUnchanged()
})

test('a value of the right type that cannot be accepted is a refusal in a 200 answer, which older clients can show', async () => {
  const { client, token, expectUnchanged } = await world()
  const calls: [method: string, path: string, body: Record<string, unknown>, field: string][] = [
    ['POST', '/api/token/', { name: 'x'.repeat(31) }, 'name'],
    ['POST', '/api/token/', { name: 'x', remain_quota: 1.5 }, 'remain_quota'],
    ['PUT', '/api/token/', { id: token.id, expired_time: -5 }, 'expired_time'],
    ['POST', '/api/redemption/', { name: 'x', quota: 2.5 }, 'quota'],
    ['POST', '/api/redemption/', { name: 'x', count: 1000 }, 'count'],
    ['PUT', '/api/user/', { id: 1, quota: 0.5 }, 'quota'],
    ['PUT', '/api/user/', { id: 1, password: 'short' }, 'password'],
    ['PUT', '/api/user/self', { password: 'short' }, 'password'],
    ['POST', '/api/user/', { username: 'thirteen chars', password: 'long enough' }, 'username'],
    ['POST', '/api/user/register', { username: 'new', password: 'long enough', email: 'nobody' }, 'email'],
  ]
  for (const [method, path, body, field] of calls) {
    const zh = await client.send(method, path, body)
    const en = await client.send(method, path, body, ENGLISH)
    expect({ path, field, status: zh.status, success: zh.success }).toEqual({
      path,
      field,
      status: 200,
      success: false,
    })
    expect([zh.body.field, en.body.field]).toEqual([field, field])
    expect(zh.message).toMatch(HAN)
    expect(en.message).not.toMatch(HAN)
  }
  // The reason is about the value, and not about the empty text that would be accepted as well.
  const short = await client.put('/api/user/self', { password: 'short' }, ENGLISH)
  expect(short.message).toContain('8')
  const address = await client.post(
    '/api/user/register',
    { username: 'n', password: 'long enough', email: 'x' },
    ENGLISH,
  )
  expect(address.message).toBe('E-mail address is not valid')
  await expectUnchanged()
})

test('invalid numbers are refused wherever a number is accepted', async () => {
  const { client, token, channel, expectUnchanged } = await world()
  const absurd = [
    '1e400',
    '-1e400',
    '1e308',
    '9007199254740993',
    '-9007199254740993',
    '1e-5',
    '123456789012345678901234',
  ]
  const bodies = [
    ['PUT', '/api/token/', `{"id":${token.id},"remain_quota":%}`],
    ['PUT', '/api/token/', `{"id":${token.id},"expired_time":%}`],
    ['PUT', '/api/token/', '{"id":%,"name":"x"}'],
    ['PUT', '/api/token/?status_only=1', `{"id":${token.id},"status":%}`],
    ['PUT', '/api/channel/', `{"id":${channel.id},"priority":%}`],
    ['PUT', '/api/channel/', `{"id":${channel.id},"weight":%}`],
    ['PUT', '/api/channel/', `{"id":${channel.id},"type":%}`],
    ['POST', '/api/redemption/', '{"name":"x","quota":%}'],
    ['POST', '/api/redemption/', '{"name":"x","count":%}'],
    ['PUT', '/api/user/', '{"id":2,"quota":%}'],
    ['PUT', '/api/user/', '{"id":2,"quota":5,"quota_base":%}'],
    ['POST', '/api/topup', '{"user_id":1,"quota":%}'],
    ['PUT', '/api/option/', '{"key":"RetryTimes","value":%}'],
  ] as const
  for (const [method, path, template] of bodies) {
    for (const number of absurd) {
      const body = template.replace('%', number)
      const { status, success, message } = await client.send(method, path, body)
      expect({ body, success }).toEqual({ body, success: false })
      expect([200, 400]).toContain(status)
      expect(message).toMatch(HAN)
    }
  }
  await expectUnchanged()
})

test('an invalid or unknown id is refused without a trace', async () => {
  const { client, expectUnchanged } = await world()
  const paths = ['/api/token/', '/api/channel/', '/api/redemption/', '/api/user/']
  for (const path of paths) {
    for (const id of [
      '0',
      '-1',
      '1.5',
      'abc',
      '%20',
      '9007199254740993',
      '1e400',
      '987654321',
      '1;drop',
      '%F0%9F%92%A9',
    ]) {
      for (const method of ['GET', 'DELETE']) {
        const { status, success, message } = await client.send(method, path + id)
        expect([path, id, success]).toEqual([path, id, false])
        expect([200, 400]).toContain(status)
        expect(message).toMatch(HAN)
      }
    }
  }
  await expectUnchanged()
})

test('a body beyond 4 MB is refused with 413, announced or not, and the next call is served', async () => {
  const { app, client, expectUnchanged } = await world()
  const huge = JSON.stringify({ key: 'About', value: 'x'.repeat(4 * 1024 * 1024) })
  expect(await client.put('/api/option/', huge)).toMatchObject(refused('input.too_large'))
  expect(await client.put('/api/option/', huge, ENGLISH)).toMatchObject(refused('input.too_large', {}, 'en'))
  const unannounced = { method: 'PUT', headers: cookieOf(client), body: piecewise(huge) }
  expect((await fetch(`${app.url}/api/option/`, unannounced)).status).toBe(413)
  expect((await client.put('/api/option/', { key: 'About', value: 'x'.repeat(200_001) })).status).toBe(200)
  expect((await app.client().get('/api/status')).success).toBe(true)
  await expectUnchanged()
})

test('a visitor may send 256 KB and no more, to every public endpoint', async () => {
  const { app, expectUnchanged } = await world()
  const visitor = app.client()
  const open = ENDPOINTS.filter(({ endpoint }) => endpoint.body !== undefined && endpoint.access === 'public')
  expect(open.map(({ name }) => name)).not.toBeEmpty()
  for (const { endpoint } of open) {
    const { method, path } = endpoint
    const names = Array.from({ length: 40_000 }, (_, index) => `"n${index}":1`).join()
    expect(await visitor.send(method, path, `{${names}}`)).toMatchObject(refused('input.too_large'))
    expect((await visitor.send(method, path, `{"x":"${'x'.repeat(250_000)}"}`)).status).not.toBe(413)
  }
  await expectUnchanged()
})

test('a hundred thousand nested brackets are refused, also in an ignored field', async () => {
  const { client, token, expectUnchanged } = await world()
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  for (const [, method, path] of WRITERS) {
    const { status, success } = await client.send(method, path, deep)
    expect({ status, success }).toEqual({ status: 400, success: false })
  }
  const objects = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  expect((await client.post('/api/token/', `{"name":${objects}}`)).status).toBe(400)
  await expectUnchanged()
  const echoed = await client.put('/api/token/', `{"id":${token.id},"is_edit":${deep},"name":"renamed"}`)
  expect(echoed.status).toBeLessThan(500)
})

test('__proto__ is refused at every depth and in every spelling, and changes no prototype', async () => {
  const { client, token, expectUnchanged } = await world()
  const bodies = [
    '{"__proto__":{"polluted":1},"name":"x"}',
    '{"name":"x","__proto__":null}',
    '{"name":"x","is_edit":{"a":[{"__proto__":{"polluted":1}}]}}',
    '{"name":"x","\\u005f\\u005fproto\\u005f\\u005f":{"polluted":1}}',
    // A list too long to be spread onto the stack.
    `{"name":"x","is_edit":[${'1,'.repeat(1_000_000)}1],"__proto__":1}`,
  ]
  for (const body of bodies) {
    expect(await client.post('/api/token/', body)).toMatchObject(refused('input.reserved_name'))
    expect(await client.post('/api/token/', body, ENGLISH)).toMatchObject(refused('input.reserved_name', {}, 'en'))
  }
  for (const name of ['constructor', 'prototype', 'hasOwnProperty']) {
    const { status, message } = await client.put('/api/token/', { id: token.id, [name]: { polluted: 1 } })
    expect(status).toBe(400)
    expect(message).toContain(name)
  }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  await expectUnchanged()
  expect((await client.post('/api/token/', '{"name":"__proto__"}')).data.name).toBe('__proto__')
  expect((await client.get('/api/user/search?__proto__=x&constructor=y&keyword=nobody')).data).toEqual([])
})

test('NUL and halves of surrogate pairs, which one engine cannot store, are refused in bodies', async () => {
  const { client, token, channel, expectUnchanged } = await world()
  const calls: [method: string, path: string, body: Record<string, unknown>][] = [
    ['POST', '/api/token/', { name: '%' }],
    ['PUT', '/api/token/', { id: token.id, models: 'a,%' }],
    ['PUT', '/api/token/', { id: token.id, is_edit: { deep: ['%'] } }],
    ['POST', '/api/channel/', { name: 'x', type: 1, key: 'sk-%', models: 'm' }],
    ['PUT', '/api/channel/', { id: channel.id, system_prompt: 'a%b' }],
    ['PUT', '/api/channel/', { id: channel.id, group: '%' }],
    ['POST', '/api/redemption/', { name: '%' }],
    ['PUT', '/api/option/', { key: 'Notice', value: '%' }],
    ['PUT', '/api/option/', { key: '%', value: 'x' }],
    ['PUT', '/api/user/self', { display_name: '%' }],
    ['POST', '/api/user/login', { username: '%', password: '%' }],
    ['POST', '/api/user/topup', { key: '%' }],
    ['POST', '/api/user/manage', { username: '%', action: 'enable' }],
    ['POST', '/api/topup', { user_id: 1, quota: 1, reference: '%' }],
    ['POST', '/api/user/register', { username: 'x', password: 'long enough', aff_code: '%' }],
    ['PUT', '/api/token/', { id: token.id, '%': 1 }],
  ]
  for (const bad of ['\\u0000', 'x\\u0000y', '\\ud83d', '\\udc00\\ud83d']) {
    for (const [method, path, body] of calls) {
      const text = JSON.stringify(body).replaceAll('%', bad)
      expect(await client.send(method, path, text)).toMatchObject(refused('input.unstorable'))
      expect(await client.send(method, path, text, ENGLISH)).toMatchObject(refused('input.unstorable', {}, 'en'))
    }
  }
  await expectUnchanged()
  const whole = await client.post('/api/token/', '{"name":"\\ud83d\\ude00"}')
  expect(whole.data.name).toBe('😀')
})

test('NUL in a query is refused, and an undecodable percent sign is plain text', async () => {
  const { client, expectUnchanged } = await world()
  const queries = [
    '/api/token/search?keyword=',
    '/api/channel/search?keyword=',
    '/api/redemption/search?keyword=',
    '/api/user/search?keyword=',
    '/api/log/search?keyword=',
    '/api/log/self/search?keyword=',
    '/api/log/?username=',
    '/api/log/?token_name=',
    '/api/log/stat?model_name=',
    '/api/log/self/stat?model_name=',
    '/api/audit?target=',
  ]
  for (const query of queries) {
    for (const bad of ['%00', 'a%00b']) {
      expect(await client.get(query + bad)).toMatchObject(refused('input.unstorable'))
    }
    for (const odd of ['%', '%zz', '%ff', '%E0%A4%A', '%C0%80', "'", '%25_%5C', '%22', '%0A', 'a&keyword=b', '🙂']) {
      const { status, success, data } = await client.get(query + odd)
      expect({ query, odd, status, success }).toEqual({ query, odd, status: 200, success: true })
      expect(data).toBeDefined()
    }
  }
  await expectUnchanged()
})

test('an invalid page is the first one; a keyword beyond 64 characters is refused', async () => {
  const { client, token } = await world()
  for (const p of ['-1', '-99999999999999999999', '1e9', 'NaN', 'null', '[]', '0x', '%20']) {
    const { status, data } = await client.get(`/api/token/?p=${p}`)
    expect({ p, status, first: data[0]?.id }).toEqual({ p, status: 200, first: token.id })
  }
  const long = await client.get(`/api/token/search?keyword=${'x'.repeat(65)}`)
  expect(long).toMatchObject({ status: 200, success: false })
  expect(long.message).toBe('关键词最长 64 个字符')
})

test('invalid UTF-8 does not cause a server error', async () => {
  const { app, client } = await world()
  const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe, 0xc0, 0x80]), Buffer.from('"}')])
  const { status } = await fetch(`${app.url}/api/token/`, { method: 'POST', body, headers: cookieOf(client) })
  expect(status).toBeLessThan(500)
})

/** Sends a text in chunks, so that its length is not announced. */
function piecewise(text: string): ReadableStream {
  const bytes = new TextEncoder().encode(text)
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(sent, sent + 65_536))
      sent += 65_536
      if (sent >= bytes.length) controller.close()
    },
  })
}

function cookieOf({ cookies }: Client) {
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
}
