import type { Page } from '@playwright/test'

/* The analytics answers of a gateway in use: figures that grow with the days, the same each time. */

const HOUR = 3600
const DAY = 24 * HOUR

const NAMES: Record<string, readonly string[]> = {
  model: ['claude-sonnet-4-5', 'gpt-4.1-mini', 'gemini-3-pro-preview', 'deepseek-chat', 'qwen3-coder-plus'],
  channel: ['1', '2', '3'],
  user: ['alice', 'bob', '研发部公共账户'],
  group: ['default', 'vip'],
  key: ['prod-web', 'batch', 'default'],
  outcome: ['success', 'upstream_error', 'client_error', 'rate_limited', 'timeout', 'access', 'canceled'],
}
const CHANNELS = ['', 'openai-main', 'anthropic', 'azure-eu']

const OUTCOMES = { success: 0, client_error: 0, access: 0, rate_limited: 0, upstream_error: 0, timeout: 0, canceled: 0 }

/** This many calls, and the other figures that follow from them. */
const figures = (calls: number) => {
  const failed = Math.floor(calls / 40)
  return {
    ...{ calls, failed, quota: calls * 4321, prompt_tokens: calls * 1800, completion_tokens: calls * 400 },
    ...{ cached_tokens: calls * 620, cache_write_tokens: calls * 40, reasoning_tokens: calls * 90 },
    outcomes: { ...OUTCOMES, success: calls - failed, upstream_error: failed },
    ...{ first_byte_p50: 480, first_byte_p95: 900 + (calls % 700), elapsed_p50: 2300, elapsed_p95: 9400 },
    speed_p50: 61.5,
  }
}

const NONE = { ...figures(0), first_byte_p50: null, first_byte_p95: null, elapsed_p50: null, elapsed_p95: null }

interface Used {
  /** Calls of an hour for each name, or none at all. */
  calls?: (place: number, index: number) => number
  /** The last name is beyond the largest, unless more of them are requested. */
  others?: boolean
}

/** Answers the requests of the overview and of Analytics. The browser of the tests is in Shanghai. */
export async function showUsage(page: Page, { calls = usual, others = false }: Used = {}) {
  const read = (url: string) => {
    const query = new URL(url).searchParams
    const [start, end] = [Number(query.get('start')), Number(query.get('end'))]
    const by = (query.get('by') ?? 'time').split(',')
    const step = query.get('step') ?? (end - start <= 2 * DAY ? 'hour' : 'day')
    const every = { hour: HOUR, day: DAY, week: 7 * DAY, month: 30 * DAY }[step] ?? DAY
    const overTime = by.includes('time')
    const times = overTime ? Array.from({ length: Math.ceil((end - start) / every) }, (_, n) => start + n * every) : []
    const named = by.find((name) => name !== 'time')
    const values = named === undefined ? [undefined] : (NAMES[named] ?? [])
    const isOther = (index: number) => others && query.get('top') === null && index === values.length - 1
    const rows = (overTime ? times : [undefined]).flatMap((time, place) =>
      values.map((value, index) => ({
        ...figures(overTime ? calls(place, index) : calls(0, index) * 7),
        ...(time === undefined ? {} : { time }),
        ...(named === undefined || value === undefined || isOther(index) ? {} : member(named, value)),
        other: isOther(index),
      })),
    )
    const own = url.includes('/self')
    const sum = rows.reduce((total, row) => total + row.calls, 0)
    const active = own ? { active_users: null, active_keys: null } : { active_users: 37, active_keys: 58 }
    const before = Math.round(sum * 0.83)
    return {
      ...{ start, end, zone: query.get('zone'), by, step: overTime ? step : null, times, filling: false },
      rows: rows.filter((row) => row.calls > 0),
      totals: { ...(sum === 0 ? NONE : figures(sum)), ...active },
      previous: { ...figures(before), failed: Math.floor(before / 60), ...active, start: 2 * start - end, end: start },
    }
  }
  await page.route(/\/api\/analytics\/(self)?\?/, (route) =>
    route.fulfill({ json: { success: true, message: '', data: read(route.request().url()) } }),
  )
}

const member = (dimension: string, value: string) => {
  if (dimension === 'channel') return { channel: Number(value), channel_name: CHANNELS[Number(value)] }
  return dimension === 'key' ? { key: value, user: 'alice' } : { [dimension]: value }
}

/** Fewer for each name after the first, a little more each day. */
const usual = (place: number, index: number) => Math.round((900 + place * 70 + ((place * 37) % 11) * 25) / (index + 1))

const NO_KEYS = { expiring: 0, used_up: 0, list: [] }

/** Needs attention: nothing, except what the test sets. */
export async function showAttention(
  page: Page,
  { channels = [] as object[], keys = NO_KEYS as object, until = 0 } = {},
) {
  const now = Math.floor(Date.now() / 1000)
  const window = (seconds: number) => ({ start: now - seconds, end: now })
  const windows = { recent: window(900), day: window(DAY), hour: window(HOUR), week: window(7 * DAY) }
  await page.route('**/api/analytics/attention', (route) =>
    route.fulfill({ json: { success: true, message: '', data: { windows, channels, keys } } }),
  )
  const balance = {
    ...{ quota: 8_450_000, spent_per_hour: until === 0 ? null : 4200 },
    ...{ window: window(7 * DAY), lasts_until: until === 0 ? null : until },
  }
  await page.route('**/api/analytics/self/attention', (route) =>
    route.fulfill({ json: { success: true, message: '', data: { keys, budgets: [], balance } } }),
  )
}
