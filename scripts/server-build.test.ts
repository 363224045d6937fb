import { expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensureServer } from './lib/server-build.mjs'

test('a build of other sources is never run; its files are kept for one more build, for processes that still use them', async () => {
  const main = await ensureServer()
  const program = readFileSync(main, 'utf8')
  const stamp = join(dirname(main), '.build.json')
  const part = join(dirname(main), 'part-of-yesterday.js')
  const { files } = JSON.parse(readFileSync(stamp, 'utf8'))

  writeFileSync(part, '')
  writeFileSync(main, 'throw new Error("of yesterday")')
  writeFileSync(stamp, JSON.stringify({ sources: 'of yesterday', files: [...files, 'part-of-yesterday.js'] }))
  expect(await ensureServer()).toBe(main)
  expect(readFileSync(main, 'utf8')).toBe(program)
  expect(existsSync(part)).toBe(true)

  writeFileSync(stamp, JSON.stringify({ sources: 'of another day', files }))
  await ensureServer()
  expect(existsSync(part)).toBe(false)
}, 60_000)

test('a build of the current sources is not repeated', async () => {
  const main = await ensureServer()
  const madeAt = statSync(main).mtimeMs
  await ensureServer()
  expect(statSync(main).mtimeMs).toBe(madeAt)
})
