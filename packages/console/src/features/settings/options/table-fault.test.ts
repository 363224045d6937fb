import { expect, test } from 'bun:test'
import { en } from '../../../text/en/options.ts'
import { zh } from '../../../text/zh/options.ts'
import { tableFault } from './table-fault.ts'

test('a table is refused with the server’s message: an alias for itself, a fallback to itself, a negative limit', () => {
  expect(tableFault('ModelAliases', '{"a":"a"}', zh)).toBe(
    '「别名」的值无效：别名不能指向自己、另一个别名或带 * 的名称',
  )
  expect(tableFault('ModelAliases', '{"a":"b","b":"c"}', en)).toBe(
    'The value of “Aliases” is not valid: must not map an alias to itself, to another alias or to a name with *',
  )
  expect(tableFault('ModelAliases', '{', zh)).toContain('每个别名对应一个模型名，最多 200 个')
  expect(tableFault('ModelFallbacks', '{"a":{"to":["a"],"on":["timeout"]}}', zh)).toContain(
    '备用模型不能是模型自己，也不能重复',
  )
  expect(tableFault('GroupRateLimits', '{"default":{"rpm":-1}}', zh)).toContain('1 到 1000000000 的整数')
})

test('what the server would accept is not refused', () => {
  expect(tableFault('ModelAliases', '{"gpt-latest":"gpt-5.5"}', zh)).toBeUndefined()
  expect(tableFault('GroupRateLimits', '', zh)).toBeUndefined()
})
