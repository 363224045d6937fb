import { expect, test } from 'bun:test'
import { CallLog, errorOf, isOfRequest, retriesOf } from './call-log.ts'

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
  request_id: '',
  elapsed_time: 0,
  first_byte_time: 0,
  is_stream: false,
  outcome: '' as const,
  detail: null,
}

const detailOf = (detail: object) => CallLog.parse({ ...plain, detail }).detail

test('an entry without call details is read as it is [R3.19]', () => {
  expect(CallLog.parse(plain)).toEqual(plain)
})

test('considered channels include the reason for their exclusion', () => {
  const considered = [
    { channel: 1, name: 'a', group: 'vip', priority: 3, weight: 1 },
    { channel: 2, name: 'b', group: 'vip', priority: 0, weight: 1 },
  ]
  const excluded = [{ channel: 2, name: 'b', excluded: 'cooling down' }]
  const candidates = detailOf({ candidates: { considered, excluded } })?.candidates
  expect(candidates?.map(({ channel, excluded }) => [channel, excluded])).toEqual([
    [1, undefined],
    [2, 'cooling down'],
  ])
})

test('fields that a user may not see are absent', () => {
  expect(detailOf({ source: 'reported' })).toEqual({ source: 'reported', attempts: [], candidates: [] })
})

test('an unreadable part does not affect the rest', () => {
  const attempts = [{ channel: 4, name: 'd', status: 200, ms: 12 }]
  const detail = detailOf({ usage: 'many', attempts, candidates: [{ channel: 4 }] })
  expect(detail?.usage).toBeUndefined()
  expect(detail).toMatchObject({ attempts, candidates: [] })
})

test('a call refused here shows its caller’s error; other notes are not errors', () => {
  const refused = { ...plain, type: 6, content: 'No such model', detail: { status: 404, code: 'relay.unknown_model' } }
  expect(errorOf(CallLog.parse(refused))).toBe('No such model')
  expect(errorOf(CallLog.parse({ ...refused, detail: { status: 502, error: 'broken' } }))).toBe('broken')
  expect(errorOf(CallLog.parse({ ...refused, type: 2 }))).toBeUndefined()
  expect(errorOf(CallLog.parse(plain))).toBeUndefined()
})

test('retries are the attempts after the first', () => {
  const attempt = { channel: 1, name: 'a', status: 500, ms: 1 }
  const withAttempts = (attempts: object[]) => retriesOf(CallLog.parse({ ...plain, detail: { attempts } }))
  expect([[], [attempt], [attempt, attempt, attempt]].map(withAttempts)).toEqual([0, 0, 2])
})

test('an entry belongs to its own request and to those that share it', () => {
  const shared = CallLog.parse({ ...plain, request_id: 'a', detail: { count: 3, other_request_ids: ['b', 'c'] } })
  expect(['a', 'b', 'c', 'd'].map((id) => isOfRequest(shared, id))).toEqual([true, true, true, false])
})
