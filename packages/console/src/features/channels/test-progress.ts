import { type Channel, ChannelStatus } from '@tollgate/contract'

export type TestScope = 'all' | 'disabled'

/** When each channel that is being tested was tested before. */
export type TestWatch = ReadonlyMap<number, number>

export const watchTests = (scope: TestScope, rows: readonly Channel[]): TestWatch =>
  new Map(
    rows
      .filter(({ status }) => scope === 'all' || status !== ChannelStatus.enabled)
      .map(({ id, test_time }) => [id, test_time]),
  )

/** How far a test of many channels has come, as far as the shown rows tell. */
export function testProgress(watch: TestWatch, rows: readonly Channel[]) {
  const watched = rows.filter(({ id }) => watch.has(id))
  const done = watched.filter(({ id, test_time }) => watch.get(id) !== test_time).length
  return { done, all: watched.length }
}
