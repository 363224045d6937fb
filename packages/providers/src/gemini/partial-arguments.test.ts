import { expect, test } from 'bun:test'
import { partialArguments } from './partial-arguments.ts'

const argumentsOf = (pieces: readonly object[]) => {
  const collected = partialArguments()
  collected.add(pieces)
  return collected.text()
}

test('incremental arguments cannot reach the prototype', () => {
  const jsonPaths = ['$.__proto__.bad', "$['__proto__'].bad", '$.constructor.prototype.bad', '$.list[0].__proto__.bad']
  argumentsOf(jsonPaths.map((jsonPath) => ({ jsonPath, stringValue: 'x' })))
  expect('bad' in {}).toBe(false)
})

test('incremental arguments cannot lengthen a list without its elements', () => {
  const pieces = [
    { jsonPath: '$.list[0]', numberValue: 1 },
    { jsonPath: '$.list.length', numberValue: 10 },
    { jsonPath: '$.list[4000000000]', numberValue: 2 },
  ]
  expect(argumentsOf(pieces)).toBe('{"list":[1]}')
})
