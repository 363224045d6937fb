import { expect, test } from 'bun:test'
import { createOpenFiles } from './open-files.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('calls begin until the files that are spare are used, and a part is kept for everything else', async () => {
  const files = createOpenFiles(async () => ({ spare: 142, limit: 1000 }))
  await settled()
  // 100 are reserved, and a call takes two.
  const started = Array.from({ length: 100 }, () => files.take()).filter(Boolean)
  expect(started).toHaveLength(21)
})

test('where the system does not say how many there may be, no call is refused for it', async () => {
  for (const unknown of [async () => undefined, () => Promise.reject(new Error('no such file'))]) {
    const files = createOpenFiles(unknown)
    await settled()
    expect(Array.from({ length: 1000 }, () => files.take()).every(Boolean)).toBe(true)
  }
})
