import { expect, test } from 'bun:test'
import { CallLog } from './call-log.ts'

const plain = {
  id: 1,
  user_id: 2,
  created_at: 1_800_000_000,
  type: 1,
  channel: 0,
  username: 'alice',
  token_name: '',
  model_name: '',
  prompt_tokens: 0,
  completion_tokens: 0,
  quota: 500,
  content: 'top-up',
}

test('an entry without call details is read as it is [R3.19]', () => {
  expect(CallLog.parse(plain)).toMatchObject({ ...plain, request_id: '', elapsed_time: 0 })
})

test('a list of candidates is read as one list', () => {
  const candidates = [
    { channel: 1, name: 'a' },
    { channel: 2, name: 'b', excluded: 'cooling down' },
  ]
  expect(CallLog.parse({ ...plain, detail: { candidates } }).detail?.candidates).toEqual(candidates)
})

test('those considered learn why they were excluded', () => {
  const candidates = {
    considered: [
      { channel: 1, name: 'a', group: 'vip', priority: 3, weight: 1 },
      { channel: 2, name: 'b', group: 'vip', priority: 0, weight: 1 },
    ],
    excluded: [
      { channel: 2, name: 'b', excluded: 'cooling down' },
      { channel: 3, name: 'c', excluded: 'does not support this operation' },
    ],
  }
  const { detail } = CallLog.parse({ ...plain, detail: { candidates } })
  expect(detail?.candidates.map(({ channel, excluded }) => [channel, excluded])).toEqual([
    [1, undefined],
    [2, 'cooling down'],
    [3, 'does not support this operation'],
  ])
})

test('a part that cannot be read does not cost the rest', () => {
  const { detail } = CallLog.parse({ ...plain, detail: { usage: 'many', attempts: [{ channel: 4, status: 200 }] } })
  expect(detail?.usage).toBeUndefined()
  expect(detail?.attempts).toEqual([{ channel: 4, name: '', status: 200, ms: 0 }])
  expect(CallLog.parse({ ...plain, detail: 'text', is_stream: 'yes' }).detail).toBeNull()
})
