import { en } from './en/ranges.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/ranges.ts'

export const rangesText = bilingual(zh, en)
