import { en } from './en/common.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/common.ts'

export const commonText = bilingual(zh, en)
