import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PACKAGES = fileURLToPath(new URL('../../../../../node_modules/', import.meta.url))

/** The values of `type` in the interfaces that a union of a library consists of. */
export function kindsIn(file: string, union: string): string[] {
  const text = readFileSync(PACKAGES + file, 'utf8')
  const [, members = ''] = new RegExp(`type ${union} =([^;]+);`).exec(text) ?? []
  return members.split('|').map((member) => {
    const name = member.trim().split('.').at(-1) ?? ''
    const start = text.search(new RegExp(`interface ${name}( extends [^{]+)? \\{`))
    const [, kind = ''] = /\n\s+type: '([^']+)'/.exec(text.slice(start)) ?? []
    return kind
  })
}

/** What each of the answers says and calls. */
export const TEXT = 'High water is at noon — 正午.'
export const ARGS = { berth: 12, note: 'a "quay"' }
export const CALL = { name: 'book', args: ARGS }
