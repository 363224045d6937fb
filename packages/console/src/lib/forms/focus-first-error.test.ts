import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const FILES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
  .map((file) => join(ROOT, file))
const sources = new Map(FILES.map((file) => [file, readFileSync(file, 'utf8')]))

const importsOf = (file: string) =>
  [...(sources.get(file) ?? '').matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path))

/** A file and everything that it imports. */
const reach = (file: string, seen = new Set<string>()) => {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const next of importsOf(file)) reach(next, seen)
  return seen
}

test('a form whose fields can show invalid text sends nothing until it is mended', () => {
  const isFaulty = (file: string) => sources.get(file)?.includes('data-fault=') === true
  const hasForm = (file: string) => /<(form|FormDialog)\b/.test(sources.get(file) ?? '')
  const forms = FILES.filter((file) => hasForm(file) && [...reach(file)].some(isFaulty))
  expect(forms.length).toBeGreaterThanOrEqual(8)
  const guarded = /<FormDialog\b|onSubmit=\{onValid\(|focusFault\(event\.currentTarget\)/
  expect(sources.get(join(ROOT, 'ui/feedback/form-dialog.tsx'))).toContain('onSubmit={onValid(')
  expect(forms.filter((file) => !guarded.test(sources.get(file) ?? ''))).toEqual([])
})
