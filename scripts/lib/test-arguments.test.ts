import { expect, test } from 'bun:test'
import { readTestArguments } from './test-arguments.mjs'

const FILES = ['packages/server/src/tokens/tokens.test.ts', 'packages/contract/src/api/text.test.ts']

test('filters and flags are passed to the test runner, the engine in its environment', () => {
  expect(readTestArguments(['tokens', '-t', 'expired'], FILES)).toEqual({ env: {}, args: ['tokens', '-t', 'expired'] })
  expect(readTestArguments(['tokens', '--engine', 'postgres', '--bail'], FILES)).toEqual({
    env: { TEST_ENGINE: 'postgres' },
    args: ['tokens', '--bail'],
  })
})

test('a filter without a matching file, and an unknown engine, are reported', () => {
  expect(() => readTestArguments(['tokns'], FILES)).toThrow('No test file has "tokns" in its path.')
  expect(() => readTestArguments(['tokens', 'nothing'], FILES)).toThrow('"nothing"')
  expect(() => readTestArguments(['tokens', '--engine', 'mysql'], FILES)).toThrow('sqlite or postgres')
  expect(() => readTestArguments(['tokens', '--engine'], FILES)).toThrow('sqlite or postgres')
})
