import { expect, test } from 'bun:test'
import { idsBetween, newId, newTaskId, timeOfId } from './work-ids.ts'

test('an id of work tells when it was made, and lies among the ids of that time', () => {
  for (const id of [newId('video_'), newId('batch_'), newId('background_'), newTaskId()]) {
    const now = Math.floor(Date.now() / 1000)
    const made = timeOfId(id) ?? 0
    expect(Math.abs(now - made)).toBeLessThan(5)
    const isAmong = (from: number, until: number) =>
      idsBetween(from, until).some(([first, last]) => id >= first && id < last)
    expect(isAmong(made - 5, made + 5)).toBe(true)
    expect(isAmong(made + 5, made + 100)).toBe(false)
    expect(isAmong(made - 100, made - 5)).toBe(false)
  }
})

test('anything else has no time', () => {
  for (const id of ['', '0', 'video_', 'video_x', '%', '123', crypto.randomUUID(), `other_${'0'.repeat(32)}`])
    expect(timeOfId(id)).toBeUndefined()
})
