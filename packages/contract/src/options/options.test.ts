import { expect, test } from 'bun:test'
import { ratioTable } from './option-kinds.ts'
import { isOptionKey, OPTION_KEYS, OPTIONS } from './options.ts'

test('every default is a valid value of its option', () => {
  for (const key of OPTION_KEYS) {
    const { schema, default: initial } = OPTIONS[key]
    expect([key, schema.safeParse(initial).success]).toEqual([key, true])
  }
})

test('a toggle is the text true or false and nothing else [R3.20]', () => {
  const toggles = OPTION_KEYS.filter((key) => OPTIONS[key].kind === 'toggle')
  expect(toggles.length).toBeGreaterThan(10)
  for (const key of toggles) {
    const { schema } = OPTIONS[key]
    expect([schema.parse('true'), schema.parse('false')]).toEqual([true, false])
    for (const text of ['', '1', 'True', 'yes', ' true']) expect(schema.safeParse(text).success).toBe(false)
  }
})

test('every number has bounds on both sides, so that nothing can be multiplied without limit', () => {
  const numbers = OPTION_KEYS.filter((key) => OPTIONS[key].kind === 'integer' || OPTIONS[key].kind === 'decimal')
  expect(numbers.length).toBeGreaterThan(5)
  for (const key of numbers) {
    for (const text of ['-1', '1e18', '-1e18', '1e999', 'Infinity', 'NaN', '', ' ', 'x', '1,5']) {
      expect([key, text, OPTIONS[key].schema.safeParse(text).success]).toEqual([key, text, false])
    }
  }
})

test('every text has a bound', () => {
  for (const key of OPTION_KEYS)
    expect([key, OPTIONS[key].schema.safeParse('x'.repeat(1_000_001)).success]).toEqual([key, false])
})

test('secrets are readable by nobody, and options for administrators are not public', () => {
  const secrets = OPTION_KEYS.filter((key) => OPTIONS[key].class === 'secret')
  expect(secrets.sort()).toEqual([
    'GitHubClientSecret',
    'LarkClientSecret',
    'MessagePusherToken',
    'SMTPToken',
    'TurnstileSecretKey',
    'WeChatServerToken',
  ])
  for (const key of OPTION_KEYS) {
    if (/Secret|Token$/.test(key)) expect([key, OPTIONS[key].class]).toEqual([key, 'secret'])
  }
})

test('a name is an option only if the table itself has it', () => {
  expect(isOptionKey('SystemName')).toBe(true)
  for (const name of ['systemname', 'constructor', '__proto__', 'toString', '']) expect(isOptionKey(name)).toBe(false)
})

test('a table of ratios becomes a Map of names and numbers, or nothing', () => {
  const parsed = (text: string) => ratioTable.safeParse(text)
  expect(parsed('{"a": 1.5, "b": 0}').data).toEqual(
    new Map([
      ['a', 1.5],
      ['b', 0],
    ]),
  )
  expect(parsed('').data).toEqual(new Map())
  expect(parsed('{"__proto__": 2, "constructor": 3}').data?.get('__proto__')).toBe(2)
  for (const text of [
    '[]',
    'null',
    '1',
    '{"a":"1"}',
    '{"a":-1}',
    '{"a":1000001}',
    '{"a":[]}',
    '{"a":true}',
    '{"":1}',
  ]) {
    expect([text, parsed(text).success]).toEqual([text, false])
  }
  const [issue] = parsed('[]').error?.issues ?? []
  expect(issue?.message).toBe('option.ratios')
})
