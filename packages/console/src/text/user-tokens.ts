import { en } from './en/user-tokens.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/user-tokens.ts'

export const userTokensText = bilingual(zh, en)
