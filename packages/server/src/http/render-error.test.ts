import { expect, test } from 'bun:test'
import { GatewayError } from '../common/errors.ts'
import { createLog } from '../common/log.ts'
import { refused } from '../testing/refused.ts'
import { apiHeaders } from './headers.ts'
import { renderError } from './render-error.ts'

async function rendered(error: unknown) {
  const lines: string[] = []
  const incoming = {
    ip: '127.0.0.1',
    language: 'zh' as const,
    requestId: 'request-1',
    secure: false,
    crossSite: false,
    answerHeaders: apiHeaders('request-1'),
  }
  const response = renderError(
    error,
    incoming,
    createLog((line) => lines.push(line)),
  )
  const body = await response.text()
  return { status: response.status, headers: response.headers, body, envelope: JSON.parse(body), lines }
}

const withCode = (fields: object) => Object.assign(new Error('secret table users, column password'), fields)

test('an unexpected error is logged with its cause and shown without it', async () => {
  for (const error of [
    withCode({}),
    new Error('outer', { cause: withCode({}) }),
    new TypeError('x is not a function'),
  ]) {
    const { status, body, envelope, lines } = await rendered(error)
    expect({ status, ...envelope }).toEqual(refused('server.internal'))
    expect(body).not.toMatch(/secret|outer|function/)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('request-1')
    expect(lines[0]).toContain(error instanceof TypeError ? 'is not a function' : 'secret table users')
  }
  expect((await rendered('a text that was thrown')).status).toBe(500)
})

test('an unreachable database is an outage with a retry time, on either engine', async () => {
  const outages = [
    { code: 'ERR_POSTGRES_CONNECTION_CLOSED' },
    { code: 'ERR_POSTGRES_CONNECTION_TIMEOUT' },
    ...['57P01', '57P03', '53300', '53200', '08006', '08P01', '28P01', '58030', '25P03', '25P04'].map((errno) => ({
      ...{ code: 'ERR_POSTGRES_SERVER_ERROR', errno },
    })),
    { code: 'ECONNREFUSED' },
    { code: 'SQLITE_BUSY' },
    { code: 'SQLITE_FULL' },
  ]
  for (const fields of outages) {
    const { status, headers, envelope } = await rendered(withCode(fields))
    expect({ status, ...envelope }).toEqual(refused('server.unavailable'))
    expect(headers.get('retry-after')).toBe('1')
  }
  const syntaxError = withCode({ code: 'ERR_POSTGRES_SERVER_ERROR', errno: '42601' })
  expect((await rendered(syntaxError)).status).toBe(500)
})

test('a refusal is not an unexpected error and is not logged', async () => {
  const { status, envelope, lines } = await rendered(new GatewayError('user.not_found'))
  expect({ status, ...envelope }).toEqual(refused('user.not_found'))
  expect(lines).toEqual([])
})
