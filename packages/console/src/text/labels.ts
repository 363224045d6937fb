import { en } from './en/labels.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/labels.ts'

export const labelsText = bilingual(zh, en)
