import { expect, test } from 'bun:test'
import { CallLog } from './call-log.ts'
import { freshQuota, LIVE_ROWS, unseenRows, withFresh } from './live-rows.ts'

const entry = (id: number, created_at = id) =>
  CallLog.parse({
    ...{ id, created_at, user_id: 1, type: 2, channel: 0, username: '', token_name: '', model_name: '' },
    ...{ prompt_tokens: 0, completion_tokens: 0, quota: 0, content: '', request_id: '', elapsed_time: 0 },
    ...{ first_byte_time: 0, is_stream: false, outcome: '', detail: null },
  })

const ids = ({ rows }: { rows: CallLog[] }) => rows.map(({ id }) => id)

test('new entries are on top, newest first, without duplicates', () => {
  const list = { rows: [entry(3), entry(2)], total: 40, more: false }
  const come = { rows: [entry(5), entry(4), entry(3)], skipped: 0 }
  const shown = withFresh(list, { ...come, rows: unseenRows(list, come) })
  expect(ids(shown)).toEqual([5, 4, 3, 2])
  expect(shown.total).toBe(42)
  // An entry that was committed late is placed by the time at which it was written.
  expect(ids(withFresh(list, { rows: [entry(9, 2)], skipped: 7 }))).toEqual([3, 9, 2])
  expect(withFresh(list, { rows: [], skipped: 7 }).total).toBe(47)
})

test('a page that is watched for hours does not grow without limit', () => {
  const rows = Array.from({ length: LIVE_ROWS }, (_, n) => entry(LIVE_ROWS - n))
  const shown = withFresh({ rows, total: 500 }, { rows: [entry(1000)], skipped: 0 })
  expect(shown.rows).toHaveLength(LIVE_ROWS)
  expect(shown.rows[0]?.id).toBe(1000)
})

test('the sum grows by what was spent, or by the amounts of the chosen type', () => {
  const rows = [
    { ...entry(1), quota: 5 },
    { ...entry(2), type: 1, quota: 100 },
  ]
  expect([undefined, 0, 2, 1, 6].map((type) => freshQuota({ rows, skipped: 0 }, type))).toEqual([5, 5, 5, 100, 0])
})
