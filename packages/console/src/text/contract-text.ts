import type { Text } from '@tollgate/contract'
import { useLocale } from './text.ts'

/** Texts of the contract, such as the names of channel types, in the chosen language. */
export function useContractText() {
  const language = useLocale() === 'en' ? 'en' : 'zh'
  return (text: Text) => text[language]
}
