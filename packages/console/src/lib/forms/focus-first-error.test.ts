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

const guarded = /<(FormDialog|FormFrame|DialogForm)\b|onSubmit=\{onValid\(|focusFault\(/

test('every field that can show invalid text stands where something looks for it before saving', () => {
  const fields = FILES.filter(
    (file) => file.endsWith('x') && /<(NumberField|MoneyInput|RatioInput)\b/.test(sources.get(file) ?? ''),
  )
  expect(fields.length).toBeGreaterThanOrEqual(12)
  const guards = FILES.filter((file) => guarded.test(sources.get(file) ?? '')).map((file) => reach(file))
  expect(fields.filter((field) => !guards.some((files) => files.has(field)))).toEqual([])
})

test('a form whose fields can show invalid text sends nothing until it is mended', () => {
  const isFaulty = (file: string) => sources.get(file)?.includes('data-fault=') === true
  const hasForm = (file: string) => /<(form|FormDialog)\b/.test(sources.get(file) ?? '')
  const forms = FILES.filter((file) => hasForm(file) && [...reach(file)].some(isFaulty))
  expect(forms.length).toBeGreaterThanOrEqual(8)
  expect(sources.get(join(ROOT, 'ui/feedback/form-dialog.tsx'))).toContain('onSubmit={onValid(')
  expect(forms.filter((file) => !guarded.test(sources.get(file) ?? ''))).toEqual([])
})
