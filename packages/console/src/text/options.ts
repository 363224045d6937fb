import { en } from './en/options.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/options.ts'

export const optionsText = bilingual(zh, en)
