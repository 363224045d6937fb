import { en } from './en/option-tables.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/option-tables.ts'

export const optionTablesText = bilingual(zh, en)
