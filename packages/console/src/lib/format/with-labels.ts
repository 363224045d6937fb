import { OPTION_KEYS } from '@tollgate/contract'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/options.ts'

const KEYS = new RegExp(` ?\\b(${OPTION_KEYS.join('|')})\\b ?`, 'g')

/** The server names a setting by its key; readers of this page know it by its label. */
export function withLabels(message: string, { label, named }: Pick<Words<typeof zh>, 'label' | 'named'>) {
  const names: Readonly<Record<string, string>> = label
  const inPlace = (whole: string, key: string) => (names[key] === undefined ? whole : named(names[key]))
  return message.replace(KEYS, inPlace).trim()
}
