import { en } from './en/app.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/app.ts'

export const appText = bilingual(zh, en)
