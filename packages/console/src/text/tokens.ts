import { en } from './en/tokens.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/tokens.ts'

export const tokensText = bilingual(zh, en)
