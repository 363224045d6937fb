import { z } from 'zod'
import { endpoint } from '../api/endpoint.ts'
import { byId } from '../api/fields.ts'

const TestResult = z.object({ time: z.number(), model: z.string(), modelName: z.string() })

export const channelTests = {
  testAll: endpoint({
    method: 'GET',
    path: '/api/channel/test',
    access: 'admin',
    effects: true,
    summary: { zh: '测试所有或已禁用的渠道', en: 'Test all channels, or the disabled ones' },
    query: z.object({ scope: z.enum(['all', 'disabled']).default('all') }),
  }),
  test: endpoint({
    method: 'GET',
    path: '/api/channel/test/:id',
    access: 'admin',
    effects: true,
    summary: { zh: '测试一个渠道', en: 'Test one channel' },
    params: byId,
    query: z.object({ model: z.string().max(256).default('') }),
    extra: TestResult,
  }),
  testProgress: endpoint({
    method: 'GET',
    path: '/api/channel/test_progress',
    access: 'admin',
    summary: { zh: '批量测试的进度', en: 'Progress of testing many channels' },
    data: z.object({ running: z.boolean(), total: z.int(), done: z.int(), failed: z.int() }),
  }),
}
