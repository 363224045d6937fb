import { en } from './en/home.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/home.ts'

export const homeText = bilingual(zh, en)
