import { expect, test } from 'bun:test'
import { ENDPOINTS } from '@tollgate/contract'
import { testApp } from '../testing/app.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

async function document() {
  const app = await testApp()
  const response = await fetch(`${app.url}/api/openapi.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toStartWith('application/json')
  return response.json()
}

test('the OpenAPI document lists every endpoint of the contract once, with its input and output', async () => {
  const { openapi, info, paths } = await document()
  expect(openapi).toBe('3.1.0')
  expect(info).toMatchObject({ title: expect.any(String), version: expect.any(String) })
  const operations = Object.entries<Record<string, Record<string, Json>>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  expect(operations).toHaveLength(ENDPOINTS.length)
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(ENDPOINTS.length)
  for (const { name, endpoint } of ENDPOINTS) {
    const operation = paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()]
    expect(operation).toMatchObject({
      operationId: name.replace('.', '_'),
      summary: endpoint.summary.en,
      security: endpoint.access === 'public' ? [] : [{ session: [] }, { accessToken: [] }],
      responses: { 200: expect.anything(), 400: expect.anything(), 429: expect.anything() },
    })
    expect([name, operation.requestBody !== undefined]).toEqual([name, endpoint.body !== undefined])
  }
})

test('every path parameter is declared, every reference resolves, and nothing is undefined', async () => {
  const whole = await document()
  for (const [path, methods] of Object.entries<
    Record<string, { parameters: { name: string; in: string; required: boolean }[] }>
  >(whole.paths)) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    for (const { parameters } of Object.values(methods)) {
      const declared = parameters.filter((parameter) => parameter.in === 'path')
      expect([path, declared.map(({ name }) => name)]).toEqual([path, named])
      expect(declared.every(({ required }) => required)).toBe(true)
    }
  }
  const references: string[] = []
  walk(whole, (name, value) => {
    if (name === '$ref' && typeof value === 'string') references.push(value)
    expect([name, value]).not.toEqual([name, undefined])
  })
  expect(references.length).toBeGreaterThan(0)
  for (const reference of new Set(references)) {
    const steps = reference.replace(/^#\//, '').split('/')
    const target = steps.reduce<Json | undefined>((node, step) => (isObject(node) ? node[step] : undefined), whole)
    expect([reference, target !== undefined]).toEqual([reference, true])
  }
  expect(JSON.stringify(whole)).not.toContain('undefined')
})

test('the documentation page shows every endpoint and refers to no other host', async () => {
  const app = await testApp()
  const response = await fetch(`${app.url}/docs`)
  const html = await response.text()
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toStartWith("default-src 'none'")
  for (const { endpoint } of ENDPOINTS) {
    expect(html).toContain(`<code>${Bun.escapeHTML(endpoint.path)}</code>`)
    expect(html).toContain(Bun.escapeHTML(endpoint.summary.zh))
    expect(html).toContain(Bun.escapeHTML(endpoint.summary.en))
  }
  const targets = [...html.matchAll(/(?:href|src|action|srcset|data)="([^"]*)"/g)].map(([, target]) => target)
  expect(targets.length).toBeGreaterThan(0)
  for (const target of targets) expect(target).toMatch(/^[#/](?!\/)/)
  expect(html).not.toMatch(/<(script|link|iframe|img|object|embed|base)\b/i)
  expect(html).not.toMatch(/url\(|@import|javascript:/i)
})

function walk(value: Json, visit: (name: string, value: Json) => void) {
  if (!isObject(value) && !Array.isArray(value)) return
  for (const [name, member] of Object.entries(value)) {
    visit(name, member)
    walk(member, visit)
  }
}

function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
