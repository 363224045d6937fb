import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { REQUEST_ID } from './logs.ts'

/** What one caller sent and got, without pictures, sound, headers and secrets. Times are unix seconds, sizes bytes. */
export const Recording = z.object({
  request_id: z.string(),
  created_at: z.int(),
  /** When it is removed, if the log is not before. */
  expires_at: z.int(),
  /** Which call it was, as its path names it: `chat/completions`. */
  operation: z.string(),
  status: z.int(),
  is_stream: z.boolean(),
  request: z.string(),
  /** Of the whole body, of which a part may be left out. */
  request_size: z.int(),
  request_cut: z.boolean(),
  response: z.string(),
  response_size: z.int(),
  response_cut: z.boolean(),
})

export type Recording = z.infer<typeof Recording>

const params = z.object({ request_id: z.string().regex(REQUEST_ID) })

export const recordings = {
  getSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/recording/:request_id',
    access: 'user',
    summary: { zh: '自己一次调用的记录内容', en: 'What was recorded of a call of yours' },
    params,
    data: Recording,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/log/recording/:request_id',
    access: 'admin',
    // Whoever looks at what another person sent leaves an entry in the record of changes.
    effects: true,
    summary: {
      zh: '任意用户一次调用的记录内容；查看会写入变更记录',
      en: 'What was recorded of a call of any user; looking leaves an entry in the record of changes',
    },
    params,
    data: Recording,
  }),
}
