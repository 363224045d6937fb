import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { isErrorCode } from './errors.ts'

test('every error of the catalogue is listed once, with a text in both languages', async () => {
  const codes: string[] = []
  for (const file of new Glob('error-catalogue/*.ts').scanSync(import.meta.dir)) {
    const parts: object[] = Object.values(await import(`./${file}`))
    for (const part of parts.filter((exported) => typeof exported === 'object')) {
      for (const [code, { zh, en }] of Object.entries(part)) {
        codes.push(code)
        expect(isErrorCode(code), code).toBe(true)
        expect([zh, en], code).not.toContain('')
      }
    }
  }
  expect(codes.length).toBeGreaterThan(200)
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
})
