import { OPTION_KEYS } from '@tollgate/contract'
import type { Words } from '../../../text/words.ts'
import type { zh } from '../../../text/zh/settings.ts'

const KEYS = new RegExp(` ?\\b(${OPTION_KEYS.join('|')})\\b ?`, 'g')

/** The server calls a setting by its key, as programs do; whoever reads this page knows it by its name here. */
export function inWords(message: string, { label, named }: Pick<Words<typeof zh>, 'label' | 'named'>) {
  const names: Readonly<Record<string, string>> = label
  const inPlace = (whole: string, key: string) => (names[key] === undefined ? whole : named(names[key]))
  return message.replace(KEYS, inPlace).trim()
}
