import { expect, test } from 'bun:test'
import { applyBodyRules, type BodyRule, bodyRuleFault } from './body-rules.ts'
import { headerRuleFault } from './header-rules.ts'

const changed = (body: unknown, ...rules: BodyRule[]) => JSON.parse(applyBodyRules(JSON.stringify(body), rules))
const set = (path: string, value: unknown): BodyRule => ({ path, action: 'set', value: JSON.stringify(value) })
const byDefault = (path: string, value: unknown): BodyRule => ({ ...set(path, value), action: 'default' })
const remove = (path: string): BodyRule => ({ path, action: 'remove' })

test('a field is set wherever its path leads, and missing parents are created', () => {
  expect(changed({ a: 1 }, set('a', 2), set('b.c', [true]))).toEqual({ a: 2, b: { c: [true] } })
  expect(changed({ messages: [{ content: 'x' }] }, set('messages.0.name', 'bob'))).toEqual({
    messages: [{ content: 'x', name: 'bob' }],
  })
  expect(changed({}, set('stop.0', 'END'), set('stop.1', '###'))).toEqual({ stop: ['END', '###'] })
})

test('a default applies to absent fields only; null and 0 are values', () => {
  const body = { a: null, b: 0, c: '' }
  expect(changed(body, byDefault('a', 1), byDefault('b', 1), byDefault('c', 1), byDefault('d', 1))).toEqual({
    ...body,
    d: 1,
  })
})

test('a removed field is gone, also from a list; a missing one is no error', () => {
  expect(changed({ a: { b: 1, c: 2 }, l: [1, 2, 3] }, remove('a.b'), remove('l.1'), remove('x.y'))).toEqual({
    a: { c: 2 },
    l: [1, 3],
  })
})

test('a path through a text, a number or past the end of a list changes nothing', () => {
  const body = { text: 'hello', n: 1, l: [1] }
  const rules = [set('text.0', 'x'), set('n.x', 1), set('l.5', 1), set('l.x', 1), remove('l.length'), remove('text.a')]
  expect(changed(body, ...rules)).toEqual(body)
})

test('rules are applied in order and share no state between calls', () => {
  const rules = [set('a', { x: 1 }), set('a.y', 2), remove('a.x')]
  for (let call = 0; call < 2; call++) expect(changed({}, ...rules)).toEqual({ a: { y: 2 } })
})

test('anything but a JSON object stays unchanged to the byte', () => {
  for (const text of ['', 'a=1&b=2', '[1, 2]', '"text"', 'null', '{"a": '])
    expect(applyBodyRules(text, [set('a', 1)])).toBe(text)
})

test('no rule reaches the prototype of an object', () => {
  expect(bodyRuleFault(1, [set('__proto__.polluted', 1)])?.code).toBe('channel.bad_body_path')
  expect(bodyRuleFault(1, [set('a.__proto__', 1)])?.code).toBe('channel.bad_body_path')
  expect(changed({}, set('constructor.prototype.polluted', 1))).toEqual({ constructor: { prototype: { polluted: 1 } } })
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test.each([
  ['channel.bad_body_path', set('', 1)],
  ['channel.bad_body_path', set('a..b', 1)],
  ['channel.bad_body_path', set('a b', 1)],
  ['channel.bad_body_path', set('a.b.c.d.e.f.g.h.i.j.k', 1)],
  ['channel.closed_body_path', set('model', 'x')],
  ['channel.closed_body_path', set('model.x', 1)],
  ['channel.closed_body_path', remove('stream')],
  ['channel.closed_body_path', remove('Messages')],
  ['channel.closed_body_path', set('input', 'x')],
  ['channel.closed_body_path', byDefault('contents', [])],
  ['channel.bad_body_value', { path: 'a', action: 'set', value: 'high' } satisfies BodyRule],
  ['channel.bad_body_value', { path: 'a', action: 'default' } satisfies BodyRule],
  ['channel.bad_body_value', set('a', 'x'.repeat(4000))],
] as const)('%s', (code, rule) => {
  expect(bodyRuleFault(1, [rule])?.code).toBe(code)
})

test('a path of ten parts and one inside the messages are valid', () => {
  expect(
    bodyRuleFault(1, [set('a.b.c.d.e.f.g.h.i.j', 1), set('messages.0.name', 'x'), remove('input.0')]),
  ).toBeUndefined()
})

test('a signed or unread body has no rules', () => {
  for (const type of [23, 33, 43]) {
    expect(bodyRuleFault(type, [set('a', 1)])?.code).toBe('channel.fixed_body')
    expect(bodyRuleFault(type, [])).toBeUndefined()
  }
})

test.each([
  ['channel.bad_header_name', { name: 'a b', action: 'remove' }],
  ['channel.bad_header_name', { name: 'x:y', action: 'remove' }],
  ['channel.bad_header_name', { name: '', action: 'remove' }],
  ['channel.closed_header', { name: 'Authorization', action: 'set', value: 'x' }],
  ['channel.closed_header', { name: 'host', action: 'set', value: 'x' }],
  ['channel.closed_header', { name: 'Content-Length', action: 'remove' }],
  ['channel.closed_header', { name: 'Transfer-Encoding', action: 'set', value: 'x' }],
  ['channel.header_value_required', { name: 'x-a', action: 'set' }],
  ['channel.bad_header_value', { name: 'x-a', action: 'set', value: 'a\r\nx-b: c' }],
  ['channel.bad_header_value', { name: 'x-a', action: 'set', value: '渠道' }],
  ['channel.bad_header_value', { name: 'x-a', action: 'set', value: 'x'.repeat(4001) }],
] as const)('%s', (code, rule) => {
  expect(headerRuleFault([rule])?.code).toBe(code)
})

test('a header is named once, and a stored value is a value', () => {
  const rule = { name: 'X-Team', action: 'set' } as const
  expect(headerRuleFault([rule], (name) => name === 'x-team')).toBeUndefined()
  expect(
    headerRuleFault([
      { ...rule, value: 'a' },
      { name: 'x-team', action: 'remove' },
    ])?.code,
  ).toBe('channel.header_twice')
})
