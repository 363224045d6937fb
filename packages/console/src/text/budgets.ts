import { en } from './en/budgets.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/budgets.ts'

export const budgetsText = bilingual(zh, en)
