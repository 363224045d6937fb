import { expect, test } from 'bun:test'
import { z } from 'zod'
import { ENDPOINTS } from './endpoints.ts'
import { PAGE_SIZE } from './limits.ts'

test('every endpoint has a unique method and path, below /api [R7.01]', () => {
  const addresses = ENDPOINTS.map(({ endpoint }) => `${endpoint.method} ${endpoint.path.replace(/\/$/, '')}`)
  expect(new Set(addresses).size).toBe(addresses.length)
  for (const { endpoint } of ENDPOINTS) expect(endpoint.path).toMatch(/^\/api\/[a-z_]/)
})

test('every endpoint is described in both languages', () => {
  for (const { name, endpoint } of ENDPOINTS) {
    const { zh, en } = endpoint.summary
    expect([name, /\p{Script=Han}/u.test(zh), /\p{Script=Han}/u.test(en), en !== '']).toEqual([name, true, false, true])
  }
})

test('every path parameter is described, and no other', () => {
  for (const { name, endpoint } of ENDPOINTS) {
    const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter)
    expect([name, Object.keys(endpoint.params?.shape ?? {})]).toEqual([name, inPath])
  }
})

test('an endpoint that changes something is no plain GET, and a GET takes no body', () => {
  for (const { name, endpoint } of ENDPOINTS) {
    if (endpoint.method === 'GET') expect([name, endpoint.body]).toEqual([name, undefined])
    if (endpoint.effects) expect([name, endpoint.method]).toEqual([name, 'GET'])
  }
  const guarded = ENDPOINTS.filter(({ endpoint }) => endpoint.effects).map(({ endpoint }) => endpoint.path)
  for (const path of ['/api/user/token', '/api/user/logout', '/api/channel/test/:id', '/api/oauth/email/bind']) {
    expect(guarded).toContain(path)
  }
})

test('a body refuses unknown fields', () => {
  for (const { name, endpoint } of ENDPOINTS) {
    if (endpoint.body === undefined) continue
    const issues = endpoint.body.safeParse({ no_such_member: 1 }).error?.issues ?? []
    expect([name, issues.some(({ code }) => code === 'unrecognized_keys')]).toEqual([name, true])
  }
})

test('a paged endpoint takes p from 0, reads anything else as the first page, and returns a list of at most ten [R4.26 R9.04]', () => {
  expect(PAGE_SIZE).toBe(10)
  const paged = ENDPOINTS.filter(({ endpoint }) => endpoint.paged)
  expect(paged.length).toBeGreaterThan(8)
  for (const { name, endpoint } of paged) {
    expect([name, endpoint.data instanceof z.ZodArray]).toEqual([name, true])
    for (const p of ['-1', 'x', '', '1.5', 'NaN']) {
      expect([name, endpoint.query?.parse({ p })]).toEqual([name, expect.objectContaining({ p: 0 })])
    }
    // A search without a page returns everything.
    const search = endpoint.path.endsWith('/search')
    expect([name, endpoint.query?.parse({})?.p]).toEqual([name, search ? undefined : 0])
    expect(endpoint.query?.parse({ p: '3' })).toMatchObject({ p: 3 })
  }
})

test('no answer has a field for a password, a hash or an encrypted value [R3.02]', () => {
  for (const { name, endpoint } of ENDPOINTS) {
    if (endpoint.data === undefined) continue
    const described = JSON.stringify(z.toJSONSchema(endpoint.data, { io: 'output', unrepresentable: 'any' }))
    expect([name, /"(password|access_token|\w+_hash|\w+_sealed)"/.test(described)]).toEqual([name, false])
  }
})
