import { en } from './en/logs.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/logs.ts'

export const logsText = bilingual(zh, en)
