import { expect, type Page, type Request } from '@playwright/test'
import type { Api } from './api.ts'
import { answer } from './status.ts'
import { showAttention, showUsage } from './usage.ts'

/** A logged call with every possible detail. */
export const CALL = {
  id: 7,
  user_id: 1,
  created_at: 1_800_000_000,
  type: 2,
  channel: 3,
  username: 'alice',
  token_name: 'prod-web',
  model_name: 'gpt-4.1-mini',
  prompt_tokens: 2000,
  completion_tokens: 321,
  quota: 963,
  content: '倍率：0.2 × 1.5 × 4',
  request_id: 'req-0192f3c4',
  elapsed_time: 2460,
  first_byte_time: 740,
  is_stream: true,
  outcome: 'success',
  detail: {
    usage: { input: 1900, cachedInput: 100, output: 321 },
    price: {
      source: 'library',
      group: 'vip',
      factor: '1.5',
      rates: { input: '0.2', cachedInput: '0.05', output: '0.8' },
    },
    source: 'estimated',
    attempts: [
      { channel: 2, name: 'backup', status: 429, ms: 320, error: 'Rate limit reached' },
      { channel: 3, name: 'main', status: 200, ms: 2140 },
    ],
    candidates: {
      considered: [
        { channel: 2, name: 'backup', group: 'vip', priority: 3, weight: 1 },
        { channel: 3, name: 'main', group: 'vip', priority: 0, weight: 1 },
        { channel: 4, name: 'resting', group: 'vip', priority: 0, weight: 1 },
      ],
      excluded: [{ channel: 4, name: 'resting', excluded: 'cooling down after a rate limit' }],
    },
  },
}

/** Its recording: a tool call and its result, and an answer with reasoning. */
export const RECORDING = {
  ...{ request_id: CALL.request_id, created_at: CALL.created_at, expires_at: CALL.created_at + 86_400 },
  ...{ operation: 'chat/completions', status: 200, is_stream: false },
  request: JSON.stringify({
    model: CALL.model_name,
    messages: [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', tool_calls: [{ function: { name: 'weather', arguments: '{"city":"Oslo"}' } }] },
      { role: 'tool', content: 'Rain' },
    ],
  }),
  ...{ request_size: 260, request_cut: false, response_size: 90_000, response_cut: true },
  response: JSON.stringify({
    choices: [{ message: { role: 'assistant', reasoning_content: 'It rains.', content: 'Take an umbrella.' } }],
  }),
}

/** The answer of both log lists. */
export const showLogs = (page: Page, rows: object[], total = rows.length) =>
  page.route(/\/api\/log\/(self)?\?/, (route) =>
    route.fulfill({ headers: { 'X-Total-Count': String(total) }, json: { success: true, message: '', data: rows } }),
  )

/** The tests' browser is in Shanghai. */
export const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)

/** The figures of a used account, the same on each day. */
export async function showBusyAccount(page: Page, api: Api) {
  const { data } = await api.call('GET', '/api/user/self')
  const self = { ...data, quota: 8_450_000, used_quota: 1_250_000, request_count: 12_345 }
  await answer(page, '**/api/user/self', { success: true, message: '', data: self })
  await showUsage(page)
  await showAttention(page)
}

export const queryOf = (request: Request) => Object.fromEntries(new URL(request.url()).searchParams)
export const isList = (request: Request) => /\/api\/log\/(self)?\?/.test(request.url())

/** The page with one call in its list, so that nothing is prefetched; returns the lists requested from then on. */
export async function openedLogs(page: Page) {
  await showLogs(page, [CALL])
  await page.goto('/log')
  await expect(page.getByRole('table')).toContainText(CALL.model_name)
  const lists: Request[] = []
  page.on('request', (request) => isList(request) && lists.push(request))
  return lists
}
