import { en } from './en/connect.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/connect.ts'

export const connectText = bilingual(zh, en)
