import { en } from './en/models.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/models.ts'

export const modelsText = bilingual(zh, en)
