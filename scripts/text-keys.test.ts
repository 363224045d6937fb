import { expect, test } from 'bun:test'
import { withTree } from './lib/temporary-tree.ts'
import { unusedTexts } from './text-keys.ts'

const WORDS = "export const zh = {\n  save: '保存',\n  saved: (name: string) => name,\n  role: { user: '用户' },\n}\n"

const unused = (page: string) =>
  withTree(
    {
      'packages/console/src/text/zh/users.ts': WORDS,
      'packages/console/src/features/users/page.tsx': `import { usersText } from '../../text/users.ts'\n${page}`,
    },
    unusedTexts,
  )

test('texts that are shown are found: by name, destructured, or by a value', () => {
  expect(unused('const text = useText(usersText)\ntext.save + text.saved(a) + text.role[b]')).toEqual([])
  expect(unused('const { save, role } = useText(usersText)\ntextNow(usersText).saved(a)')).toEqual([])
  expect(unused("text.role\ntype Button = 'save' | 'saved'")).toEqual([])
})

test('a key in the wrong place leaves the right one unused, which is found', () => {
  expect(unused('const text = useText(usersText)\ntext.save + text.save + text.role[b]')).toEqual(['users.saved'])
})

test('the same name read from another object is not the text', () => {
  expect(unused('const text = useText(usersText)\nform.save(text.saved(a), text.role)')).toEqual(['users.save'])
})
