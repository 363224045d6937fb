import { expect, onTestFinished, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Appends lines to a journal until long after its disk is full, which a limit of file sizes stands for. */
const APPENDING = `
  const { createChargeJournal } = await import(process.env.CHARGES)
  const { readdirSync } = await import('node:fs')
  const folder = process.env.FOLDER
  const opened = () => readdirSync('/proc/self/fd').length
  const charges = createChargeJournal(folder, async () => {})
  const line = JSON.stringify({ type: 'settle', filled: 'x'.repeat(3000) }) + '\\n'
  await charges.append(line)
  const before = opened()
  let kept = 1
  for (let n = 0; n < 60; n++) await charges.append(line).then(() => kept++, () => {})
  console.log(JSON.stringify({ before, after: opened(), kept }))
  process.exit(0)
`

test('a journal whose disk is full keeps whole lines, and each failure costs no further file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const child = Bun.spawn(['prlimit', '--fsize=70000', process.execPath, '-e', APPENDING], {
    env: { ...process.env, FOLDER: folder, CHARGES: join(import.meta.dir, 'charge-journal.ts') },
    stdout: 'pipe',
  })
  const { before, after, kept } = await new Response(child.stdout).json()
  expect(after).toBe(before)
  const journals = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  expect(journals).toHaveLength(2)
  const text = journals.map((name) => readFileSync(join(folder, name), 'utf8').replace(/\0+$/, '')).join('')
  const lines = text.split('\n').slice(0, -1)
  expect(text.endsWith('\n')).toBe(true)
  expect(lines.map((each) => JSON.parse(each).type)).toEqual(Array.from({ length: kept }, () => 'settle'))
  expect(kept).toBeGreaterThan(10)
})
