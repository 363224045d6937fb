import { z } from 'zod'
import { endpoint } from './api/endpoint.ts'
import { keywordQuery, page, seconds } from './api/fields.ts'
import { Limits, LOG_PAGE_MAX, PAGE_SIZE } from './api/limits.ts'
import { DashboardRow, utcOffset } from './dashboard.ts'
import { OUTCOMES } from './outcome.ts'

/**
 * Types 5 and 6 are additions of this product. In filters, 0 means "all", and 7 all calls: consumption and failed ones. No entry
 * has these two.
 */
export const LogType = { all: 0, topUp: 1, consume: 2, manage: 3, system: 4, test: 5, failed: 6, calls: 7 } as const

export const Log = z.object({
  id: z.int(),
  user_id: z.int(),
  created_at: z.int(),
  type: z.int(),
  channel: z.int(),
  username: z.string(),
  token_name: z.string(),
  model_name: z.string(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  quota: z.int(),
  content: z.string(),
  request_id: z.string(),
  /** Milliseconds for the whole call and to its first byte. */
  elapsed_time: z.int(),
  first_byte_time: z.int(),
  is_stream: z.boolean(),
  /** How a call ended; empty for other entries, and for calls of older versions that are not classified yet. */
  outcome: z.enum([...OUTCOMES, '']),
  /** For a call: usage, price, attempts, and the other candidates. Null for other entries. */
  detail: z.record(z.string(), z.unknown()).nullable(),
})

export type Log = z.infer<typeof Log>

/** An address that sent calls with an unknown key. Times are unix seconds. */
const UnknownCaller = z.object({ address: z.string(), count: z.int(), first_at: z.int(), last_at: z.int() })

export type UnknownCaller = z.infer<typeof UnknownCaller>

/** The position of a live log: the newest entry, and how far before it entries may still have been uncommitted. */
const TAIL_POSITION = /^\d{1,15}(-\d{1,4}(\.\d{1,4}){0,99})?$/

/** One message of the live log: new entries, newest first, and how many more did not fit. */
const LogTailEvent = z.object({
  rows: z.array(Log),
  skipped: z.int(),
  /** Also the event id: a client that reconnects with it, as `Last-Event-ID` or `after`, gets what it missed. */
  at: z.string(),
  /** Too many entries were missed: the list has to be loaded again. */
  reload: z.boolean(),
})

export type LogTailEvent = z.infer<typeof LogTailEvent>

/** A UUIDv7, as sent in `x-request-id`: its first two groups are the time of the request. */
export const REQUEST_ID = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

const after = { after: z.string().regex(TAIL_POSITION, { error: 'input.tail_position' }).optional() }

const text = z
  .string()
  .max(Limits.storedUsernameMax * 4)
  .default('')

/** Selects entries without a name, because an empty parameter means all. */
const only = z.enum(['true', '']).default('')

const atLeast = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0)

const ownFilter = z.object({
  type: z.coerce.number().int().min(0).max(99).catch(0),
  token_name: text,
  model_name: text,
  /** An agent's conversation, by the id the agent sends. */
  session: text,
  request_id: text,
  /** Only calls that the usage figures count under no model: none was named, or a call was refused for one that no channel offers. */
  no_model: only,
  /** Only calls that they count under their model: none that was refused because no channel offered it. */
  offered: only,
  /** Only entries without the name of an API key. */
  no_token: only,
  start_timestamp: seconds,
  end_timestamp: seconds,
  /** `failed` means every outcome but success and canceled. */
  outcome: z.enum([...OUTCOMES, 'failed', '']).default(''),
  /** Minimum quota, and minimum duration in milliseconds. */
  min_quota: atLeast,
  min_elapsed: atLeast,
  stream: z.enum(['true', 'false', '']).default(''),
})

/** As the channel of a filter: only entries without one, such as calls that were refused before a channel was chosen. */
export const NO_CHANNEL = -1

const filter = ownFilter.extend({
  /** Entries have the name that their user had then. */
  username: text,
  /** Those of one account under all of its names; 0 for all. */
  user_id: atLeast,
  /** The first of the groups that the user has now, as in analytics. */
  group: text,
  /** Only entries of users whose account is gone: they have no group. */
  no_group: only,
  /** 0 for all; `NO_CHANNEL` for entries without one. */
  channel: z.coerce.number().int().min(NO_CHANNEL).max(Number.MAX_SAFE_INTEGER).catch(0),
})

export type LogFilter = z.infer<typeof filter>

const pages = { p: page, page_size: z.coerce.number().int().min(PAGE_SIZE).max(LOG_PAGE_MAX).default(PAGE_SIZE) }

/** For links and event streams the browser sends its own languages, not the console's. */
const language = { language: z.enum(['zh', 'en']).optional().catch(undefined) }

const file = { format: z.enum(['csv', 'jsonl']).catch('csv'), ...language }

/**
 * Full hours come from the aggregates, partial hours from the log. `rounded`: the log is incomplete for an hour at an end
 * of the range (cleared, or consumption was not logged), so the full hour is included. `since`: a filter that only the log
 * can answer covered too many entries, and the sum starts there.
 */
const Statistic = z.object({ quota: z.int(), rounded: z.boolean(), since: z.int().optional() })

export const logs = {
  list: endpoint({
    method: 'GET',
    path: '/api/log/',
    access: 'admin',
    paged: true,
    summary: { zh: '所有用户的日志', en: 'Logs of all users' },
    query: filter.extend(pages),
    data: z.array(Log),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/log/search',
    access: 'admin',
    paged: true,
    summary: { zh: '按内容搜索日志', en: 'Search logs by content' },
    query: keywordQuery,
    data: z.array(Log),
  }),
  stat: endpoint({
    method: 'GET',
    path: '/api/log/stat',
    access: 'admin',
    summary: { zh: '所选日志的额度合计', en: 'Total quota of the filtered logs' },
    query: filter,
    data: Statistic,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/log/export',
    access: 'admin',
    file: true,
    summary: { zh: '导出所选日志（CSV 或 JSONL）', en: 'The filtered logs as a file, CSV or JSONL' },
    query: filter.extend(file),
  }),
  dashboard: endpoint({
    method: 'GET',
    path: '/api/log/dashboard',
    access: 'admin',
    summary: { zh: '所有用户最近七天按模型的用量', en: 'Usage of all users in the last seven days by model' },
    query: z.object({ utc_offset_minutes: utcOffset }),
    data: z.array(DashboardRow),
  }),
  tail: endpoint({
    method: 'GET',
    path: '/api/log/tail',
    access: 'admin',
    events: true,
    summary: { zh: '实时接收新的日志（服务器推送）', en: 'New entries of the log as they come (server-sent events)' },
    query: filter.extend({ ...language, ...after }),
    data: LogTailEvent,
  }),
  unknownCallers: endpoint({
    method: 'GET',
    path: '/api/log/unknown_callers',
    access: 'admin',
    summary: { zh: '没有有效密钥的调用者，按地址计数', en: 'Callers without a valid key, counted by address' },
    data: z.object({
      /** The node that counted: each node only knows the requests it received. */
      node: z.string(),
      since: z.int(),
      callers: z.array(UnknownCaller),
    }),
  }),
  clear: endpoint({
    method: 'DELETE',
    path: '/api/log/',
    access: 'admin',
    slow: true,
    summary: { zh: '清理指定时间之前的日志', en: 'Delete the logs before a point in time' },
    query: z.object({ target_timestamp: seconds.pipe(z.int().min(1, { error: 'log.target_required' })) }),
    data: z.int(),
  }),
  listSelf: endpoint({
    method: 'GET',
    path: '/api/log/self',
    access: 'user',
    paged: true,
    summary: { zh: '自己的日志', en: 'Your own logs' },
    query: ownFilter.extend(pages),
    data: z.array(Log),
  }),
  tailSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/tail',
    access: 'user',
    events: true,
    summary: { zh: '实时接收自己新的日志（服务器推送）', en: 'Your own new entries as they come (server-sent events)' },
    query: ownFilter.extend({ ...language, ...after }),
    data: LogTailEvent,
  }),
  searchSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/search',
    access: 'user',
    paged: true,
    summary: { zh: '按内容搜索自己的日志', en: 'Search your own logs by content' },
    query: keywordQuery,
    data: z.array(Log),
  }),
  statSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/stat',
    access: 'user',
    summary: { zh: '自己所选日志的额度合计', en: 'Total quota of your filtered logs' },
    query: ownFilter,
    data: Statistic,
  }),
  exportSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/export',
    access: 'user',
    file: true,
    summary: { zh: '导出自己所选的日志（CSV 或 JSONL）', en: 'Your filtered logs as a file, CSV or JSONL' },
    query: ownFilter.extend(file),
  }),
}
