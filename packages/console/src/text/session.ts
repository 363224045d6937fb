import { en } from './en/session.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/session.ts'

export const sessionText = bilingual(zh, en)
