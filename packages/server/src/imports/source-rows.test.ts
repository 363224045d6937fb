import { expect, test } from 'bun:test'
import { SourceChannel, SourceToken, SourceUser } from './source-rows.ts'

test('numbers, flags, texts and JSON are read alike, however an engine returns them', () => {
  const token = { user_id: '7', remain_quota: 12n, unlimited_quota: true, name: null, expired_time: -1 }
  expect(SourceToken.parse(token)).toMatchObject({
    ...{ id: 0, user_id: 7, remain_quota: 12, unlimited_quota: true, name: '', expired_time: -1, deleted_at: false },
  })
  expect(SourceToken.parse({ unlimited_quota: '1' }).unlimited_quota).toBe(true)
  expect(SourceToken.parse({ unlimited_quota: 0 }).unlimited_quota).toBe(false)
  expect(SourceUser.parse({ deleted_at: new Date(0), username: 'a\0b\ud800' })).toMatchObject({
    ...{ deleted_at: true, username: 'ab\ufffd' },
  })
  expect(SourceChannel.parse({ channel_info: { is_multi_key: true } }).channel_info).toBe('{"is_multi_key":true}')
})
