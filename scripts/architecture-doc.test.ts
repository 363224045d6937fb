import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { modulesPicture, withPicture } from './architecture-doc.ts'
import { LAYERS } from './lib/server-modules.ts'

const SERVER = new URL('../packages/server/src/', import.meta.url)

test('every module of the server is in the picture, and every module in the picture exists', () => {
  const folders = readdirSync(SERVER, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const drawn = LAYERS.flatMap(({ modules }) => modules.map(({ name }) => name))
  expect(drawn.toSorted()).toEqual(
    folders
      .map(({ name }) => name)
      .filter((name) => name !== 'testing')
      .toSorted(),
  )
})

test('the picture in the document is the one that the rules draw, with every line as wide as the others', () => {
  const written = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8')
  expect(withPicture(written)).toBe(written)
  const widths = modulesPicture()
    .split('\n')
    .filter((line) => /^[┌│└]/.test(line))
    .map((line) => line.length)
  expect(new Set(widths).size).toBe(1)
})
