import { afterEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TOAST_MS, toast, toasts } from './toast.ts'

afterEach(() => {
  for (const { id } of toasts.current()) toasts.close(id)
})

test('each kind has its duration [R9.01]', () => {
  expect(TOAST_MS).toEqual({ success: 1500, info: 3000, error: 5000, warning: 10_000, notice: 20_000 })
})

test('a notice may stay until it is closed [R9.02]', () => {
  toast.notice('read me', { sticky: true })
  expect(toasts.current()).toMatchObject([{ kind: 'notice', sticky: true }])
})

test('a toast goes when its cause is resolved, and the others stay', () => {
  toast.warning('change it', { cause: 'password' })
  toast.warning('something else')
  toasts.settle('password')
  expect(toasts.current().map(({ message }) => message)).toEqual(['something else'])
})

test('the same message is shown once', () => {
  toast.error('no')
  toast.error('no')
  toast.info('no')
  expect(toasts.current().map(({ kind }) => kind)).toEqual(['error', 'info'])
})

test('a success lasts too short for figures: only the two with which the specification wants them have some', () => {
  const root = join(import.meta.dir, '../..')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.tsx?$/.test(file),
  )
  const withFigures = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/toast\.success\(\w+\.(\w+)\(.*(count|money|format)/g)].map(
      ([, message]) => message,
    ),
  )
  expect(withFigures.toSorted()).toEqual(['cleared', 'removedDisabled'])
})
