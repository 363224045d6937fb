import { en } from './en/usage.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/usage.ts'

export const usageText = bilingual(zh, en)
