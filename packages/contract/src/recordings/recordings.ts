import { z } from 'zod'
import { endpoint } from '../api/endpoint.ts'
import { REQUEST_ID } from '../logs.ts'

/** What one caller sent and received, without images, audio, headers and secrets. Times are unix seconds, sizes bytes. */
export const Recording = z.object({
  request_id: z.string(),
  created_at: z.int(),
  /** Deleted then, unless its log entry is deleted earlier. */
  expires_at: z.int(),
  /** The operation by its path: `chat/completions`. */
  operation: z.string(),
  status: z.int(),
  is_stream: z.boolean(),
  request: z.string(),
  /** Of the complete body, which may be stored truncated. */
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
    // Reading another person's recording leaves an entry in the audit log.
    effects: true,
    summary: {
      zh: '任意用户一次调用的记录内容；查看会写入操作记录',
      en: 'What was recorded of a call of any user; looking leaves an entry in the record of changes',
    },
    params,
    data: Recording,
  }),
}
