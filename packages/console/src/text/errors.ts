import { en } from './en/errors.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/errors.ts'

export const errorsText = bilingual(zh, en)
