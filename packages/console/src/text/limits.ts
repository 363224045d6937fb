import { en } from './en/limits.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/limits.ts'

export const limitsText = bilingual(zh, en)
