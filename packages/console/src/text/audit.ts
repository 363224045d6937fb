import { en } from './en/audit.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/audit.ts'

export const auditText = bilingual(zh, en)
