import type { ChannelType } from '@tollgate/contract'

type Named = Pick<ChannelType, 'value' | 'key' | 'label'>

/** Types that match the text, best first: by number, by name in either language, by key. */
export function searchTypes<Type extends Named>(types: readonly Type[], typed: string): Type[] {
  const word = typed.trim().toLowerCase()
  if (word === '') return [...types]
  return types
    .map((type) => ({ type, rank: rankOf(type, word) }))
    .filter(({ rank }) => rank < NONE)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ type }) => type)
}

const NONE = 4

function rankOf({ value, key, label }: Named, word: string) {
  if (word.replace('#', '') === String(value)) return 0
  const names = [label.zh, label.en, key].map((name) => name.toLowerCase())
  if (names.includes(word)) return 1
  if (names.some((name) => name.startsWith(word))) return 2
  return names.some((name) => name.includes(word)) ? 3 : NONE
}
