import { en } from './en/topup.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/topup.ts'

export const topupText = bilingual(zh, en)
