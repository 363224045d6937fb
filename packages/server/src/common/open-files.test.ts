import { expect, test } from 'bun:test'
import { createOpenFiles } from './open-files.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('calls start until the spare files are used, and some are reserved for everything else', async () => {
  const files = createOpenFiles(async () => ({ spare: 142, limit: 1000 }))
  await settled()
  // 100 are reserved, and a call takes two.
  const started = Array.from({ length: 100 }, () => files.take()).filter(Boolean)
  expect(started).toHaveLength(21)
})

test('if the system does not report a limit, no call is refused because of it', async () => {
  for (const unknown of [async () => undefined, () => Promise.reject(new Error('no such file'))]) {
    const files = createOpenFiles(unknown)
    await settled()
    expect(Array.from({ length: 1000 }, () => files.take()).every(Boolean)).toBe(true)
  }
})

test('a look that fails for want of a file descriptor refuses calls until there are some again', async () => {
  let spare = 0
  const look = async () => {
    if (spare === 0) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
    return { spare, limit: 1000 }
  }
  const files = createOpenFiles(look)
  await settled()
  expect(files.take()).toBe(false)
  spare = 500
  while (!files.take()) await Bun.sleep(50)
})
